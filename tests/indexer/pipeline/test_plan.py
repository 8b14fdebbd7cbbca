"""What a run has to do, as a table of cases; and what changes a recipe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from indexer.drives.base import DriveFile
from indexer.extraction import FORMATS
from indexer.extraction.base import Extraction, ExtractionContext, Format
from indexer.pipeline.plan import COSTLY, PASSING, PlanOptions, by_uri, plan
from indexer.pipeline.recipe import Recipes
from rag.types.documents import DocumentRecord, DocumentState, Failure
from tests.documents import a_document

RECIPES = Recipes(FORMATS, "chunker/1", "embedder/1")


@dataclass(frozen=True, slots=True)
class NoExtractor:
    """Of a format only the versions matter here."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:
        raise NotImplementedError(path)


def a_file(uri: str = "a.md", *, size: int = 10, mtime_ns: int = 1) -> DriveFile:
    return DriveFile(Path("/srv/drive") / uri, uri, size, mtime_ns)


def known(uri: str = "a.md", *, kind: str = "markdown", failure: str = "") -> DocumentRecord:
    document = replace(a_document(uri), kind=kind, fingerprint=RECIPES.prefix(kind, failure=failure) + "0" * 64)
    state = DocumentState.FAILED if failure else DocumentState.READY
    reason = Failure(failure, "It failed.", "Mend it.") if failure else None
    return DocumentRecord(document, state, size=10, mtime_ns=1, pages=1, chunks=1, failure=reason)


def done(
    files: Sequence[DriveFile],
    ledger: Sequence[DocumentRecord],
    recipes: Recipes = RECIPES,
    unreadable: Sequence[str] = (),
) -> tuple[list[str], list[str], int]:
    work = plan(files, by_uri(ledger), recipes, unreadable=unreadable)
    assert work.is_empty is (not work.read and not work.forget)
    assert all(pending.known == by_uri(ledger).get(pending.file.uri) for pending in work.read)
    return [pending.file.uri for pending in work.read], [r.document.uri for r in work.forget], work.unchanged


@pytest.mark.parametrize(
    ("files", "ledger", "expected"),
    [
        ([], [], ([], [], 0)),
        ([a_file()], [], (["a.md"], [], 0)),
        ([a_file()], [known()], ([], [], 1)),
        ([a_file(size=11)], [known()], (["a.md"], [], 0)),
        ([a_file(mtime_ns=2)], [known()], (["a.md"], [], 0)),
        ([a_file(mtime_ns=0)], [known()], (["a.md"], [], 0)),
        ([], [known()], ([], ["a.md"], 0)),
        ([a_file("b.md")], [known()], (["b.md"], ["a.md"], 0)),
        ([a_file("A.md")], [known()], (["A.md"], ["a.md"], 0)),
        ([a_file()], [known(failure="damaged")], ([], [], 1)),
        ([a_file()], [known(kind="xlsx", failure="unsupported")], ([], [], 1)),
    ],
    ids="nothing new same grown newer older gone moved case damaged unsupported".split(),  # noqa: SIM905  # names
)
def test_what_is_to_be_done(
    files: list[DriveFile], ledger: list[DocumentRecord], expected: tuple[list[str], list[str], int]
) -> None:
    assert done(files, ledger) == expected


@pytest.mark.parametrize("code", sorted(PASSING))
def test_a_failure_that_may_pass_is_tried_again(code: str) -> None:
    assert done([a_file()], [known(failure=code)]) == (["a.md"], [], 0)


@pytest.mark.parametrize("code", sorted(PASSING))
def test_what_took_long_to_fail_is_left_alone_where_that_is_wanted_until_it_changes(code: str) -> None:
    spared = PlanOptions(costly=False)
    for file, reads in ((a_file(), code not in COSTLY), (a_file(size=11), True)):
        work = plan([file], by_uri([known(failure=code)]), RECIPES, options=spared)
        assert [pending.file for pending in work.read] == ([file] if reads else [])


def test_what_lies_in_a_folder_that_cannot_be_listed_is_not_gone() -> None:
    ledger = [known("HR/a.md"), known("HR/deep/b.md"), known("HR2/c.md"), known("d.md")]
    assert done([], ledger, unreadable=["HR"]) == ([], ["HR2/c.md", "d.md"], 0)
    assert done([], ledger, unreadable=["."]) == ([], [], 0)


def test_the_walk_may_find_unreadable_folders_while_the_plan_is_made() -> None:
    unreadable: list[str] = []

    def files() -> list[DriveFile]:
        unreadable.append("HR")
        return [a_file("z.md")]

    work = plan((file for file in files()), by_uri([known("HR/a.md")]), RECIPES, unreadable=unreadable)
    assert work.forget == []


def test_another_chunker_or_embedder_reads_everything_again() -> None:
    for recipes in (replace(RECIPES, chunker="chunker/2"), replace(RECIPES, embedder="embedder/2")):
        assert done([a_file()], [known()], recipes)[0] == ["a.md"]


def test_a_new_version_of_an_extractor_reads_its_own_kinds_again_and_no_others() -> None:
    before = Recipes([Format(NoExtractor(), ["pdf"], 1), Format(NoExtractor(), ["html", "xhtml"], 1)], "c", "e")
    after = replace(before, formats=[Format(NoExtractor(), ["pdf"], 2), Format(NoExtractor(), ["html", "xhtml"], 1)])
    assert before.prefix("pdf") != after.prefix("pdf")
    for kind in ("html", "xhtml", "xlsx", ""):
        assert before.prefix(kind) == after.prefix(kind)


def test_a_new_kind_reads_again_what_nobody_could_read_and_nothing_else() -> None:
    before = Recipes([Format(NoExtractor(), ["pdf"], 1)], "c", "e")
    after = replace(before, formats=[*before.formats, Format(NoExtractor(), ["xlsx"], 1)])
    assert before.prefix("pdf") == after.prefix("pdf")
    assert before.prefix("xlsx") != after.prefix("xlsx")
    assert before.prefix("pptx") != after.prefix("pptx")


def test_the_prefix_of_a_fingerprint_has_eight_digits_and_a_dash() -> None:
    for kind in ("pdf", "nothing we know", ""):
        digits = RECIPES.prefix(kind)
        assert len(digits) == 9 and digits.endswith("-") and int(digits[:8], 16) >= 0
