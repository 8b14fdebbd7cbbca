"""What is right for a hostile file, and whether what came of it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, Final

from indexer.extraction.base import ExtractionContext
from indexer.extraction.sandbox.extract_job import ExtractedText, Unread

_LIMITED: Final = frozenset({"too_slow", "too_large", "too_much_memory"})
_CRASHES: Final = frozenset({"reader_died", "reader_failed"})
"""Failures that are ours, whatever the file: no clear word about it."""
_SHOWN_CHARS: Final = 160


@dataclass(frozen=True, slots=True)
class Expected:
    """A line of `expected.jsonl`."""

    file: str
    category: str
    expect: str
    """A key of `RULES`, or "ignore"."""
    must_contain: Sequence[str] = ()
    """Compared after white space is collapsed, as are the next two."""
    must_not_contain: Sequence[str] = ()
    alternatives: Sequence[str] = ()
    """Any of these may stand in for what must be there."""
    pages: int | None = None
    password: str | None = None

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> Expected:
        """The fields that are judged; a line may hold others."""
        return cls(
            line["file"],
            line["category"],
            line["expect"],
            line.get("must_contain") or (),
            line.get("must_not_contain") or (),
            line.get("alternatives") or (),
            line.get("pages"),
            line.get("password"),
        )

    def context(self, context: ExtractionContext) -> ExtractionContext:
        """The password is known only where text is expected: else the file shall be reported as protected."""
        return replace(context, passwords=(self.password,)) if self.password and self.expect == "text" else context


def objection(expected: Expected, outcome: ExtractedText | Unread | None) -> str:
    """Why this is not right; empty when it is. No outcome: the file was left out as litter."""
    if isinstance(outcome, Unread) and outcome.failure.code in _CRASHES:
        return "the reader broke"
    if expected.expect == "ignore":
        return (
            ""
            if outcome is None or (isinstance(outcome, ExtractedText) and not _text(outcome))
            else "it is not left out"
        )
    if outcome is None:
        return "it is left out"
    return RULES[expected.expect](expected, outcome)


def came_out(outcome: ExtractedText | Unread | None) -> str:
    """What there is, in one line."""
    match outcome:
        case None:
            return "left out"
        case Unread(failure=failure):
            return f"failed ({failure.code}): {failure.message}"
        case ExtractedText():
            by_ocr = sum(1 for page in outcome.pages if page.ocr)
            text = _text(outcome)
            shown = text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}… ({len(text):,} characters)"
            warned = f"; warnings: {list(outcome.warnings)}" if outcome.warnings else ""
            return f"{outcome.kind}, {len(outcome.pages)} pages ({by_ocr} by OCR){warned}: {shown!r}"


def _right_text(expected: Expected, outcome: ExtractedText | Unread) -> str:
    return _no_failure(outcome) or _right_pages(expected, outcome) or _right_words(expected, outcome)


def _a_failure(_: Expected, outcome: ExtractedText | Unread) -> str:
    return "" if isinstance(outcome, Unread) else "it is no failure"


def _within_limits(_: Expected, outcome: ExtractedText | Unread) -> str:
    """It ends, by itself or by a limit."""
    ended = isinstance(outcome, ExtractedText) or outcome.failure.code in _LIMITED
    return "" if ended else "it is no limit that ended it"


def _no_text(_: Expected, outcome: ExtractedText | Unread) -> str:
    return _no_failure(outcome) or ("there is text" if _text(outcome) else "")


def _text_by_ocr(expected: Expected, outcome: ExtractedText | Unread) -> str:
    """Read by OCR, and rightly; or no text, which the report says of the page anyhow."""
    if failed := _no_failure(outcome):
        return failed
    if not _text(outcome):
        return ""
    return _right_words(expected, outcome) if _is_by_ocr(outcome) else "there is text, but none by OCR"


def _no_garbage(expected: Expected, outcome: ExtractedText | Unread) -> str:
    """The right text, or a word about the page: by OCR, as a warning, or because it is empty."""
    if isinstance(outcome, Unread) or not _text(outcome):
        return ""
    if not expected.must_contain and not _is_by_ocr(outcome) and not outcome.warnings:
        return "garbage, and nobody is told"
    return _right_words(expected, outcome)


def _anything(expected: Expected, outcome: ExtractedText | Unread) -> str:
    if isinstance(outcome, Unread):
        return ""
    return _right_pages(expected, outcome) or _right_words(expected, outcome)


def _not_by_its_name(expected: Expected, outcome: ExtractedText | Unread) -> str:
    """The file is not what its name says: refused, or read as what it is."""
    deceived = isinstance(outcome, ExtractedText) and outcome.kind == PurePath(expected.file).suffix.lstrip(".")
    return "it was taken for what its name says" if deceived else ""


def _a_failure_or_a_warning(_: Expected, outcome: ExtractedText | Unread) -> str:
    told = isinstance(outcome, Unread) or outcome.warnings
    return "" if told else "part of it is missing, and nobody is told"


RULES: Final[Mapping[str, Callable[[Expected, ExtractedText | Unread], str]]] = {
    "text": _right_text,
    "error": _a_failure,
    "limit": _within_limits,
    "empty": _no_text,
    "needs_ocr": _text_by_ocr,
    "ocr_fallback": _no_garbage,
    "any": _anything,
    "reject_or_sniff": _not_by_its_name,
    "error_or_partial": _a_failure_or_a_warning,
}
"""By `expect`; each gives an objection, or nothing."""


def _collapsed(text: str) -> str:
    return " ".join(text.split())


def _text(outcome: ExtractedText | Unread) -> str:
    return _collapsed("\n".join(page.text for page in outcome.pages)) if isinstance(outcome, ExtractedText) else ""


def _is_by_ocr(outcome: ExtractedText | Unread) -> bool:
    return isinstance(outcome, ExtractedText) and any(page.ocr for page in outcome.pages)


def _no_failure(outcome: ExtractedText | Unread) -> str:
    return "it is a failure" if isinstance(outcome, Unread) else ""


def _right_pages(expected: Expected, outcome: ExtractedText | Unread) -> str:
    if expected.pages is None or not isinstance(outcome, ExtractedText) or len(outcome.pages) == expected.pages:
        return ""
    return f"{expected.pages} pages are right, not {len(outcome.pages)}"


def _right_words(expected: Expected, outcome: ExtractedText | Unread) -> str:
    text = _text(outcome)
    missing = [wanted for wanted in expected.must_contain if _collapsed(wanted) not in text]
    if missing and not any(_collapsed(other) in text for other in expected.alternatives):
        return f"missing: {missing}"
    unwanted = [found for found in expected.must_not_contain if found in text]
    return f"unwanted: {unwanted}" if unwanted else ""
