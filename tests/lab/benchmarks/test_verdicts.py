"""What the benchmark of hostile files calls right."""

from __future__ import annotations

import pytest

from indexer.extraction.sandbox.extract_job import ExtractedText, Unread
from lab.benchmarks.verdicts import Expected, objection
from rag.types.documents import Failure, Page


def wanted(expect: str, *must_contain: str, **fields: object) -> Expected:
    line = {"file": "a.pdf", "category": "c", "expect": expect, "must_contain": must_contain, **fields}
    return Expected.from_json(line)


def text(*pages: str, ocr: bool = False, kind: str = "pdf", warnings: tuple[str, ...] = ()) -> ExtractedText:
    numbered = tuple(Page(number, page, ocr=ocr) for number, page in enumerate(pages, start=1))
    return ExtractedText("sha", kind, "", True, numbered, warnings)


def failed(code: str) -> Unread:
    return Unread("", "", Failure(code, "", ""))


@pytest.mark.parametrize(
    ("expected", "outcome"),
    [
        (wanted("text", "two words"), text("two\n  words")),
        (wanted("text", "1,599.99", alternatives=["1599.99"]), text("1599.99")),
        (wanted("text", "a", pages=2), text("a", "b")),
        (wanted("error", "secret"), failed("encrypted")),
        (wanted("limit"), failed("too_slow")),
        (wanted("limit"), text("a")),
        (wanted("empty"), text("", " ")),
        (wanted("needs_ocr"), text("")),
        (wanted("needs_ocr", "MIDI"), text("MIDI", ocr=True)),
        (wanted("ocr_fallback", "ISSUE"), text("ISSUE", ocr=True)),
        (wanted("ocr_fallback"), text("garbage", warnings=("The text layer is garbage.",))),
        (wanted("ignore"), None),
        (wanted("ignore"), text()),
        (wanted("any"), failed("damaged")),
        (wanted("reject_or_sniff"), text("error", kind="html")),
        (wanted("error_or_partial"), text("half", warnings=("Only the first page was read.",))),
    ],
)
def test_right_is_right(expected: Expected, outcome: ExtractedText | Unread | None) -> None:
    assert objection(expected, outcome) == ""


@pytest.mark.parametrize(
    ("expected", "outcome", "why"),
    [
        (wanted("text", "two words"), text("twowords"), "missing"),
        (wanted("text", "a", must_not_contain=["b"]), text("a b"), "unwanted"),
        (wanted("text", "a", pages=2), text("a"), "2 pages"),
        (wanted("text", "a"), failed("damaged"), "failure"),
        (wanted("text", "a"), None, "left out"),
        (wanted("error"), text("a"), "no failure"),
        (wanted("error"), failed("reader_died"), "broke"),
        (wanted("any"), failed("reader_failed"), "broke"),
        (wanted("limit"), failed("unsupported"), "no limit"),
        (wanted("empty"), text("a"), "there is text"),
        (wanted("needs_ocr"), text("a"), "none by OCR"),
        (wanted("needs_ocr", "MIDI"), text("MLDI", ocr=True), "missing"),
        (wanted("ocr_fallback"), text("garbage"), "nobody is told"),
        (wanted("ignore"), failed("empty_file"), "not left out"),
        (wanted("reject_or_sniff"), text("a"), "what its name says"),
        (wanted("error_or_partial"), text("half"), "nobody is told"),
    ],
)
def test_wrong_is_wrong(expected: Expected, outcome: ExtractedText | Unread | None, why: str) -> None:
    assert why in objection(expected, outcome)
