"""Files are read in other processes: one that crashes, hangs or errs there costs itself and nothing else."""

from __future__ import annotations

import asyncio
import faulthandler
import hashlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path, PosixPath
from typing import Any, Final

import psutil
import pytest

from indexer.drives.folder import FolderDrive
from indexer.extraction.base import Extraction
from indexer.extraction.sandbox.extract_job import ExtractedText, ExtractJob, Unchanged, Unread, _readable, extract  # pyright: ignore[reportPrivateUsage]  # the part of it that no file brings about at will
from indexer.extraction.sandbox.pool import open_pool
from indexer.pipeline.pipeline import RunOptions
from rag.errors import ExtractionError
from rag.store.edge import EdgeStore
from rag.types.documents import Page
from tests.indexer.indexing import Watcher, a_pipeline, write
from tests.indexer.pools import open_new_pool
from tests.processes import clean_environment


class Trap(PosixPath):
    """A path whose files are what their names say, to whoever opens them."""

    def open(self, *arguments: Any, **keywords: Any) -> Any:
        match self.stem:
            case "deadly":
                os._exit(11)
            case "endless":
                time.sleep(600)
            case "unforeseen":
                raise LookupError("the salary of Ada Lovelace is 1 guinea")
            case "greedy":
                hoard = [bytearray(50_000_000) for _ in range(10_000)]
                raise AssertionError(len(hoard))
            case "nested":
                return self.open(*arguments, **keywords)
            case "overflowing":
                faulthandler._stack_overflow()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
            case _:
                pass
        return super().open(*arguments, **keywords)


def test_a_file_is_read_with_its_digest_and_kind(tmp_path: Path) -> None:
    write(tmp_path, a_md="# Leave\n\nThirty days.")
    outcome = extract(ExtractJob(tmp_path / "a.md", ""))
    assert isinstance(outcome, ExtractedText)
    assert (outcome.kind, outcome.title) == ("markdown", "Leave")
    assert outcome.sha256 == hashlib.sha256((tmp_path / "a.md").read_bytes()).hexdigest()
    assert extract(ExtractJob(tmp_path / "a.md", outcome.sha256)) == Unchanged(outcome.sha256)


@pytest.mark.parametrize(
    ("content", "code", "is_hashed"),
    [
        (None, "vanished", False),
        (os.urandom(4096), "not_text", True),
        (b"PK\x03\x04x", "damaged", True),
    ],
    ids=["vanished", "noise", "half an archive"],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, content: bytes | None, code: str, is_hashed: bool) -> None:
    if content is not None:
        (tmp_path / "a.bin").write_bytes(content)
    outcome = extract(ExtractJob(tmp_path / "a.bin", ""))
    assert isinstance(outcome, Unread)
    assert outcome.failure.code == code
    assert bool(outcome.sha256) is is_hashed


def test_an_error_that_no_parser_foresaw_is_named_without_its_words(tmp_path: Path) -> None:
    write(tmp_path, unforeseen_md="text")
    outcome = extract(ExtractJob(Trap(tmp_path / "unforeseen.md"), ""))
    assert isinstance(outcome, Unread)
    assert outcome.failure.code == "reader_failed"
    assert "LookupError in test_pool.py:" in outcome.failure.message
    assert "guinea" not in repr(outcome)


async def test_a_file_that_kills_stalls_or_breaks_its_reader_costs_only_itself(tmp_path: Path) -> None:
    drive = FolderDrive("drive", Trap(tmp_path / "drive"))
    write(tmp_path / "drive", a_md="one", deadly_md="x", endless_md="x", m_md="two", unforeseen_md="x", z_md="three")
    store = EdgeStore(tmp_path / "index")
    report = await a_pipeline(store, open_pool=partial(open_pool, 1, seconds=5)).run([drive], Watcher(), RunOptions())
    failed = {uri: failure.code for uri, failure in report.drives[0].failed}
    assert failed == {"deadly.md": "reader_died", "endless.md": "too_slow", "unforeseen.md": "reader_failed"}
    assert {row.chunk.text async for row in store.scan()} == {"one", "two", "three"}
    assert report.drives[0].new == 6
    await store.aclose()


async def test_a_file_that_takes_too_much_memory_or_nests_too_deep_costs_only_itself(tmp_path: Path) -> None:
    drive = FolderDrive("drive", Trap(tmp_path / "drive"))
    write(tmp_path / "drive", a_md="one", greedy_md="x", m_md="two", nested_md="x", overflowing_md="x", z_md="three")
    store = EdgeStore(tmp_path / "index")
    report = await a_pipeline(store, open_pool=open_new_pool).run([drive], Watcher(), RunOptions())
    failed = {uri: failure.code for uri, failure in report.drives[0].failed}
    assert failed == {"greedy.md": "too_much_memory", "nested.md": "too_nested", "overflowing.md": "reader_died"}
    assert {row.chunk.text async for row in store.scan()} == {"one", "two", "three"}
    await store.aclose()


def test_an_empty_file_is_read_as_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.docx").touch()
    outcome = extract(ExtractJob(tmp_path / "a.docx", ""))
    assert isinstance(outcome, ExtractedText)
    assert (outcome.kind, outcome.pages, outcome.warnings) == ("empty", (), ("The file is empty (0 bytes).",))


def test_a_file_of_holes_is_refused_before_its_bytes_are_read(tmp_path: Path) -> None:
    with (tmp_path / "endless.md").open("wb") as file:
        file.truncate(3_000_000_000)
    outcome = extract(ExtractJob(Trap(tmp_path / "endless.md"), ""))  # to open it would take ten minutes
    assert isinstance(outcome, Unread)
    assert (outcome.failure.code, outcome.sha256) == ("too_large", "")


def test_a_film_is_refused_by_its_beginning_before_it_is_hashed(tmp_path: Path) -> None:
    with (tmp_path / "film.mp4").open("wb") as file:
        file.write(b"\x00\x00\x00\x18ftypisom\x00\x00\x02\x00")
        file.truncate(1_500_000_000)
    outcome = extract(ExtractJob(tmp_path / "film.mp4", ""))
    assert isinstance(outcome, Unread)
    assert (outcome.failure.code, outcome.kind, outcome.sha256) == ("unsupported", "mp4", "")


class Growing(PosixPath):
    """A path whose file is added to whenever it is opened."""

    def open(self, *arguments: Any, **keywords: Any) -> Any:
        with Path(self).open("a", encoding="utf-8") as file:
            file.write("more\n")
        return super().open(*arguments, **keywords)


def test_a_file_that_changes_while_it_is_read_is_left_for_the_next_run(tmp_path: Path) -> None:
    write(tmp_path, a_md="text\n")
    outcome = extract(ExtractJob(Growing(tmp_path / "a.md"), ""))
    assert isinstance(outcome, Unread)
    assert (outcome.failure.code, outcome.sha256) == ("vanished", "")


def pages_then(error: Exception | None, *texts: str) -> Extraction:
    def pages() -> Iterator[Page]:
        for number, text in enumerate(texts, start=1):
            yield Page(number, text)
        if error is not None:
            raise error

    return Extraction("", True, pages())


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (ExtractionError("damaged", "The rest is cut off.", "Copy it again."), "The rest is cut off. Copy it again."),
        (RuntimeError("secret"), "Reading the file failed: RuntimeError in test_pool.py"),
        (MemoryError(), "more memory than one file may take"),
    ],
)
def test_the_pages_before_an_error_are_kept_with_a_warning(error: Exception, word: str) -> None:
    pages, [warning] = _readable(pages_then(error, "one", "two"))
    assert [page.text for page in pages] == ["one", "two"]
    assert warning.startswith("Only the first 2 pages were read.") and word in warning and "secret" not in warning


def test_an_error_after_pages_without_text_is_the_files_failure() -> None:
    with pytest.raises(LookupError):
        _readable(pages_then(LookupError(), "", ""))


def test_a_text_longer_than_anybody_reads_is_cut_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.extraction.sandbox.extract_job.MAX_CHARACTERS", 10)
    pages, [warning] = _readable(pages_then(None, "123456", "789abc", "def"))
    assert [page.text for page in pages] == ["123456", "789a"]
    assert warning.startswith("Only the first")


async def test_a_process_makes_way_for_a_new_one_after_many_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.extraction.sandbox.pool.FILES_A_WORKER", 2)
    write(tmp_path, a_md="one")
    before = set(psutil.Process().children())
    async with open_pool(1, seconds=60) as pool:
        seen: list[int] = []
        for _ in range(3):
            assert isinstance(await pool.extract(ExtractJob(tmp_path / "a.md", "")), ExtractedText)
            seen += [child.pid for child in set(psutil.Process().children()) - before if child.pid not in seen]
    assert len(seen) >= 2


async def test_signals_to_stop_are_the_indexers_business(tmp_path: Path) -> None:
    write(tmp_path, a_md="one")
    before = set(psutil.Process().children())
    async with open_pool(1, seconds=60) as pool:
        await pool.extract(ExtractJob(tmp_path / "a.md", ""))
        for child in set(psutil.Process().children()) - before:
            if "spawn_main" in str(child.cmdline()):
                child.send_signal(signal.SIGTERM)
                child.send_signal(signal.SIGINT)
        assert isinstance(await pool.extract(ExtractJob(tmp_path / "a.md", "")), ExtractedText)


async def test_leaving_ends_a_reader_in_the_middle_of_its_file(tmp_path: Path) -> None:
    write(tmp_path, endless_md="x")
    before = set(psutil.Process().children())
    async with open_pool(2, seconds=600) as pool:
        extracting = asyncio.create_task(pool.extract(ExtractJob(Trap(tmp_path / "endless.md"), "")))
        await asyncio.sleep(0.5)
        started = [child for child in set(psutil.Process().children()) - before if "spawn_main" in str(child.cmdline())]
        assert len(started) == 1
        extracting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await extracting
    _, alive = await asyncio.to_thread(psutil.wait_procs, started, 20)
    assert alive == []


ABANDONS: Final = """
import asyncio, sys
from pathlib import Path
from indexer.extraction.sandbox.pool import open_pool
from indexer.extraction.sandbox.extract_job import ExtractJob

async def main():
    async with open_pool(1, seconds=600) as pool:
        await pool.extract(ExtractJob(Path(sys.argv[1]), ""))
        print("ready", flush=True)
        await asyncio.sleep(600)

if __name__ == "__main__":
    asyncio.run(main())
"""


async def test_processes_end_with_an_indexer_that_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "abandons.py"
    program.write_text(ABANDONS, encoding="utf-8")
    indexer = await asyncio.create_subprocess_exec(
        sys.executable, str(program), str(program), env=clean_environment(), stdout=asyncio.subprocess.PIPE
    )
    assert indexer.stdout is not None
    assert await indexer.stdout.readline() == b"ready\n"
    orphans = psutil.Process(indexer.pid).children(recursive=True)
    assert len(orphans) >= 1
    indexer.send_signal(signal.SIGKILL)
    await indexer.wait()
    _, alive = await asyncio.to_thread(psutil.wait_procs, orphans, 20)
    assert alive == []
