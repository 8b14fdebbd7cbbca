"""What is moved, copied, or changed in part: its vectors are not made again, and the index is that of a clean run."""

from __future__ import annotations

import shutil
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from indexer.chunking.fixed import FixedChunker
from indexer.drives.base import Drive, DriveFile
from indexer.drives.folder import FolderDrive, Walk
from indexer.drives.rules import Rules
from indexer.extraction import FORMATS
from indexer.extraction.base import ExtractionContext
from indexer.pipeline.parents import MeanParents
from indexer.pipeline.pipeline import Pipeline, RunOptions
from indexer.pipeline.recipe import Recipes
from indexer.pipeline.report import Report
from indexer.pipeline.stages import EMBEDDING_CHUNKS
from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.sparse import Bm25
from rag.errors import ConfigurationError, ExtractionError
from rag.store.edge import EdgeStore
from rag.types.vectors import Matrix
from tests.documents import WordModel
from tests.indexer.indexing import Watcher, WordRuler, a_small_drive, a_store, contents, index, index_one, write
from tests.indexer.pools import open_kept_pool


class CountingModel(WordModel):
    """Remembers which texts it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def encode_documents(self, texts: Sequence[str]) -> Matrix:
        self.asked += texts
        return await super().encode_documents(texts)


class Shaky:
    """A drive of which some folders cannot be listed, and some files not be read."""

    def __init__(self, drive: FolderDrive) -> None:
        self._drive = drive
        self.name, self.location, self.rules = drive.name, drive.location, drive.rules
        self.broken: set[str] = set()
        self.hidden: list[str] = []
        self.opened: list[str] = []

    def listing(self) -> ShakyListing:
        return ShakyListing(Walk(self._drive), self.hidden)

    @asynccontextmanager
    async def at_hand(self, file: DriveFile) -> AsyncGenerator[Path]:
        self.opened.append(file.uri)
        if file.uri in self.broken:
            raise ExtractionError("unreadable", "It cannot be read.", "Try again.")
        yield file.path

    def close(self) -> None:
        pass


@dataclass
class ShakyListing:
    walk: Walk
    unreadable: list[str]
    skipped: int = 0

    def files(self) -> Iterator[DriveFile]:
        for file in self.walk.files():
            if "." not in self.unreadable and not file.uri.startswith(tuple(f"{name}/" for name in self.unreadable)):
                yield file


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[EdgeStore]:
    async with a_store(tmp_path / "index") as store:
        yield store


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    return a_small_drive(tmp_path / "drive")


async def run(
    store: EdgeStore,
    *drives: Path | Drive,
    context: ExtractionContext | None = None,
    limits: str = "",
    options: RunOptions | None = None,
) -> tuple[Report, list[str]]:
    """One run, and the texts that the model was asked for."""
    model = CountingModel()
    embedder = HybridEmbedder(model, Bm25())
    chunker = FixedChunker(WordRuler(), size=40, overlap=0, minimum=0)
    pipeline = Pipeline(
        store=store,
        embedder=embedder,
        chunker=chunker,
        recipes=Recipes(FORMATS, chunker.recipe, embedder.name, context or ExtractionContext(), limits),
        parents=MeanParents(),
        context=context or ExtractionContext(),
        open_pool=open_kept_pool,
    )
    named = [FolderDrive.at(drive, None) if isinstance(drive, Path) else drive for drive in drives]
    return await pipeline.run(named, Watcher(), options or RunOptions()), model.asked


async def is_as_clean(store: EdgeStore, tmp_path: Path, *drives: Path | Drive) -> bool:
    """Whether the index is, bit by bit, the one that a clean run makes."""
    async with a_store(tmp_path / "clean") as clean:
        await run(clean, *drives)
        same = await contents(store) == await contents(clean)
    shutil.rmtree(tmp_path / "clean")
    return same


async def test_a_moved_file_keeps_its_vectors(store: EdgeStore, drive: Path, tmp_path: Path) -> None:
    await run(store, drive)
    (drive / "HR" / "c.md").rename(drive / "days of leave.md")
    (drive / "b.md").rename(drive / "HR" / "b.md")
    report, asked = await run(store, drive)
    assert asked == []
    [found] = report.drives
    assert sorted(found.moved) == [("HR/c.md", "days of leave.md"), ("b.md", "HR/b.md")]
    assert (found.new, found.gone, found.unchanged) == (0, 0, 1)
    assert await is_as_clean(store, tmp_path, drive)


async def test_a_file_that_is_gone_has_moved_to_one_place_alone(store: EdgeStore, drive: Path) -> None:
    await run(store, drive)
    shutil.copy(drive / "b.md", drive / "x.md")
    (drive / "b.md").rename(drive / "y.md")
    report, asked = await run(store, drive)
    [found] = report.drives
    assert (len(found.moved), found.new, found.gone, asked) == (1, 1, 0, [])


async def test_a_folder_that_moves_to_another_drive_keeps_its_vectors(
    store: EdgeStore, drive: Path, tmp_path: Path
) -> None:
    write(tmp_path / "wiki", w_md="# Wiki\n\nThe wiki.")
    await run(store, drive, tmp_path / "wiki")
    (drive / "HR").rename(tmp_path / "wiki" / "HR")
    _, asked = await run(store, drive, tmp_path / "wiki")
    assert asked == []
    assert await is_as_clean(store, tmp_path, drive, tmp_path / "wiki")


async def test_copies_are_embedded_once_and_told_of(store: EdgeStore, drive: Path, tmp_path: Path) -> None:
    for folder in ("x", "y", "z"):
        (drive / folder).mkdir()
        shutil.copy(drive / "a.md", drive / folder / "a.md")
    report, asked = await run(store, drive)
    assert len(asked) == len(set(asked)) == report.drives[0].chunks - 3
    assert report.drives[0].duplicates == [("a.md", "x/a.md", "y/a.md", "z/a.md")]
    shutil.copytree(drive / "HR", drive / "HR (copy)")
    report, asked = await run(store, drive)
    assert asked == []
    assert report.drives[0].new == 1
    assert report.drives[0].duplicates == [("HR (copy)/c.md", "HR/c.md"), ("a.md", "x/a.md", "y/a.md", "z/a.md")]
    assert (await run(store, drive))[0].drives[0].duplicates == report.drives[0].duplicates
    assert await is_as_clean(store, tmp_path, drive)


async def test_a_passage_that_a_document_repeats_is_embedded_once_however_far_apart(
    store: EdgeStore, tmp_path: Path
) -> None:
    pages = [f"Page {number:03} is like no other of the pages." for number in range(2 * EMBEDDING_CHUNKS)]
    remedy = "Call the desk, and wait for their call."
    write(tmp_path / "long", **{"manual.txt": "\n\n".join([remedy, *pages, remedy])})
    report, asked = await run(store, tmp_path / "long")
    assert report.drives[0].chunks == 2 * EMBEDDING_CHUNKS + 2
    assert len(asked) == len(set(asked)) == 2 * EMBEDDING_CHUNKS + 1
    assert await is_as_clean(store, tmp_path, tmp_path / "long")


async def test_a_copy_under_another_name_is_embedded_by_that_name(store: EdgeStore, tmp_path: Path) -> None:
    drive = tmp_path / "drive"
    write(drive, **{"lunch.txt": "Soup at noon.", "dinner.txt": "Soup at noon."})
    _, asked = await run(store, drive)
    assert sorted(asked) == ["dinner\nSoup at noon.", "lunch\nSoup at noon."]
    assert await is_as_clean(store, tmp_path, drive)


async def test_of_a_changed_file_only_the_passages_that_changed_are_embedded(
    store: EdgeStore, drive: Path, tmp_path: Path
) -> None:
    pages = [f"Page {number} tells of number {number}." for number in range(9)]
    write(drive, long_md="# Long\n\n" + "\n\n".join(pages))
    await run(store, drive)
    pages[4] = "Page 4 tells of an other."
    write(drive, long_md="# Long\n\n" + "\n\n".join(pages))
    report, asked = await run(store, drive)
    assert 0 < len(asked) < 4
    assert all("other" in text or "Page 5" in text or "Page 3" in text for text in asked)
    assert report.drives[0].vectors_kept == report.drives[0].chunks - len(asked)
    assert await is_as_clean(store, tmp_path, drive)


async def test_a_file_that_took_the_place_of_a_moved_one_is_not_taken_for_it(
    store: EdgeStore, drive: Path, tmp_path: Path
) -> None:
    await run(store, drive)
    (drive / "a.md").rename(drive / "old a.md")
    write(drive, a_md="# Pears\n\nPears are green.")
    report, asked = await run(store, drive)
    assert (report.drives[0].new, report.drives[0].changed, report.drives[0].moved) == (1, 1, [])
    assert asked == ["Pears\n# Pears\n\nPears are green."]  # what moved is found by its bytes all the same
    assert await is_as_clean(store, tmp_path, drive)


async def test_what_cannot_be_read_for_now_makes_no_generation_at_each_run(store: EdgeStore, drive: Path) -> None:
    shaky = Shaky(FolderDrive.at(drive, None))
    shaky.broken = {"a.md"}
    first = (await run(store, shaky))[0]
    again = (await run(store, shaky))[0]
    assert (first.generation, again.generation, again.is_new_generation) == (1, 1, False)
    assert [uri for uri, _ in again.drives[0].failed] == ["a.md"]
    shaky.broken = {"a.md", "b.md"}
    write(drive, b_md="# Whales\n\nWhales are grey.")
    kept = (await run(store, shaky))[0]
    assert (kept.is_new_generation, kept.drives[0].kept, len(kept.drives[0].failed)) == (False, 1, 2)
    shaky.broken = set()
    report, asked = await run(store, shaky)
    assert (report.generation, report.drives[0].changed, report.drives[0].failed) == (2, 2, [])
    assert len(asked) == 2


async def test_a_file_that_was_tried_and_is_readable_again_is_not_read_twice(store: EdgeStore, drive: Path) -> None:
    shaky = Shaky(FolderDrive.at(drive, None))
    shaky.broken = {"a.md"}
    await run(store, shaky)
    shaky.broken, shaky.opened = set(), []
    assert (await run(store, shaky))[0].drives[0].changed == 1
    assert shaky.opened == ["a.md"]


async def test_labels_that_an_operator_gives_are_changed_without_reading_or_embedding(
    store: EdgeStore, drive: Path, tmp_path: Path
) -> None:
    plain = FolderDrive.at(drive, None)
    labelled = replace(plain, rules=Rules(labels={"HR/": ("@hr", "@internal"), "*.md": ("@text",)}))
    await run(store, plain)
    report, asked = await run(store, labelled)
    assert (report.drives[0].relabelled, report.drives[0].unchanged, asked) == (3, 3, [])
    records, chunks = await contents(store)
    assert records["drive/HR/c.md"].document.labels == {"drive", "drive/HR", "@hr", "@internal", "@text"}
    assert {chunk.document.labels for chunk, *_ in chunks.values()} == {
        record.document.labels for record in records.values()
    }
    assert await is_as_clean(store, tmp_path, labelled)
    assert not (await run(store, labelled))[0].is_new_generation


async def test_a_pattern_takes_documents_out_and_brings_them_back(store: EdgeStore, drive: Path) -> None:
    plain = FolderDrive.at(drive, None)
    await run(store, plain)
    without = replace(plain, rules=Rules(exclude=("HR/",)))
    assert (await run(store, without))[0].drives[0].gone == 1
    assert (await run(store, plain))[0].drives[0].new == 1


async def test_files_that_are_still_being_written_are_put_off_and_keep_what_is_indexed(
    store: EdgeStore, drive: Path
) -> None:
    await run(store, drive)
    write(drive, a_md="# Half", d_md="# Half too")
    unfinished = RunOptions(is_whole=lambda file: file.uri not in {"a.md", "d.md"})
    report, _ = await run(store, drive, options=unfinished)
    assert (report.is_new_generation, report.drives[0].put_off) == (False, ["a.md", "d.md"])
    assert "drive/a.md" in (await contents(store))[0]
    report, _ = await run(store, drive)
    assert (report.drives[0].new, report.drives[0].changed, report.drives[0].put_off) == (1, 1, [])


async def test_an_index_made_anew_does_not_leave_out_what_a_drive_does_not_show_now(
    store: EdgeStore, drive: Path
) -> None:
    shaky = Shaky(FolderDrive.at(drive, None))
    await run(store, shaky)
    shaky.hidden = ["HR"]
    with pytest.raises(ConfigurationError, match=r"drive: HR cannot be listed.*1 indexed document lies.*--allow-empty"):
        await run(store, shaky, options=RunOptions(fresh=True))
    assert len((await contents(store))[0]) == 3
    assert (await run(store, shaky))[0].drives[0].unreadable_folders == ["HR"]
    assert len((await contents(store))[0]) == 3
    report, _ = await run(store, shaky, options=RunOptions(fresh=True, allow_empty=True))
    assert report.drives[0].new == 2


async def test_a_drive_that_cannot_be_listed_at_all_keeps_its_documents_and_a_new_one_is_refused(
    store: EdgeStore, drive: Path, tmp_path: Path
) -> None:
    shaky = Shaky(FolderDrive.at(drive, None))
    shaky.hidden = ["."]
    with pytest.raises(ConfigurationError, match=r"\(drive\) cannot be listed"):
        await run(store, shaky)
    shaky.hidden = []
    write(tmp_path / "wiki", w_md="# Wiki")
    await run(store, shaky, tmp_path / "wiki")
    shaky.hidden = ["."]
    write(tmp_path / "wiki", v_md="# More")
    report, _ = await run(store, shaky, tmp_path / "wiki")
    assert [(drive.gone, drive.new, drive.unreadable_folders) for drive in report.drives] == [(0, 0, ["."]), (0, 1, [])]
    assert len((await contents(store))[0]) == 5


async def test_a_drive_that_is_left_out_keeps_its_documents_and_begins_no_generation(
    store: EdgeStore, drive: Path, tmp_path: Path
) -> None:
    write(tmp_path / "wiki", w_md="# Wiki")
    go_on = RunOptions(others_go_on=True)
    absent = FolderDrive("absent", tmp_path / "absent")
    for is_new in (True, False):
        report, _ = await run(store, drive, tmp_path / "wiki", absent, options=go_on)
        assert report.is_new_generation is is_new
        assert [(each.corpus, bool(each.left_out)) for each in report.drives][2] == ("absent", True)
    (tmp_path / "wiki" / "w.md").unlink()
    write(drive, z_md="# More")
    report, _ = await run(store, drive, tmp_path / "wiki", options=go_on)
    assert report.drives[0].new == 1 and "is the share mounted?" in report.drives[1].left_out
    assert "wiki/w.md" in (await contents(store))[0]
    with pytest.raises(ConfigurationError, match="is empty"):
        await run(store, drive, tmp_path / "wiki")


async def test_a_run_over_a_drive_alone_leaves_the_vectors_of_others_where_they_are(
    store: EdgeStore, drive: Path, tmp_path: Path
) -> None:
    write(tmp_path / "wiki", a_md="# Apples\n\nApples are red.")
    await index(store, drive)
    await index_one(store, tmp_path / "wiki")
    assert len((await contents(store))[1]) == 4


@pytest.mark.parametrize(
    ("code", "before", "after"),
    [
        ("encrypted", ExtractionContext(), ExtractionContext(passwords=("tulip",))),
        ("encrypted", ExtractionContext(passwords=("tulip",)), ExtractionContext(passwords=("rose",))),
        ("needs_libreoffice", ExtractionContext(), ExtractionContext(libreoffice=Path("/usr/bin/soffice"))),
    ],
)
def test_a_failure_that_a_setting_mends_is_tried_again_when_that_setting_changes_and_no_other(
    code: str, before: ExtractionContext, after: ExtractionContext
) -> None:
    old, new = Recipes(FORMATS, "c", "e", before), Recipes(FORMATS, "c", "e", after)
    assert old.prefix("pdf", failure=code) != new.prefix("pdf", failure=code)
    assert old.prefix("pdf", failure="damaged") == new.prefix("pdf", failure="damaged") == new.prefix("pdf")
    assert old.prefix("pdf") == new.prefix("pdf")
    assert old.prefix("eml") != new.prefix("eml")  # what is attached may be such a file
    assert "tulip" not in repr(old) and "rose" not in repr(new)


def test_the_languages_of_scans_are_part_of_the_recipe_of_what_is_read_by_ocr() -> None:
    english, german = (Recipes(FORMATS, "c", "e", ExtractionContext(ocr_languages=(name,))) for name in ("eng", "deu"))
    assert all(english.prefix(kind) != german.prefix(kind) for kind in ("pdf", "tiff", "docx"))
    assert all(english.prefix(kind) == german.prefix(kind) for kind in ("ods", "markdown", "html", ""))
