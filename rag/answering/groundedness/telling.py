"""What a reader is told of an answer's support: below the text, which stays as it was shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rag.answering.groundedness.statements import plain
from rag.types.answers import Answer, Notice
from rag.types.groundedness import SentenceSupport, Support

QUOTED_CHARS: Final = 90
QUOTED: Final = 3
"""Sentences that a notice quotes; it counts the rest."""
_UNTRUE: Final = frozenset({Support.UNSUPPORTED, Support.CORRECTED})


def notices_of(answer: Answer) -> list[Notice]:
    """What must be said, the surest first; nothing of a passage stands in it but a number with its unit."""
    checked = [one for one in answer.support if one.verdict is not Support.NOT_CHECKED]
    corrected = [one for one in checked if one.correction is not None]
    wrong = [one for one in checked if one.verdict is Support.UNSUPPORTED]
    alone = [one for one in checked if one.verdict is Support.UNCITED and not one.borne_out_by]
    told: list[Notice] = []
    if corrected:
        told.append(Notice("answer_number_differs", " ".join(dict.fromkeys(map(_correction, corrected)))))
    if wrong:
        verb = "is" if len(wrong) == 1 else "are"
        text = f"{_counted(wrong, checked)} {verb} not borne out by the sources named: {_quotes(answer, wrong)}"
        told.append(Notice("answer_unsupported", text))
    if alone and answer.citations:
        verb = "names" if len(alone) == 1 else "name"
        text = f"{_counted(alone, checked)} {verb} no source, and none bears it out: {_quotes(answer, alone)}"
        told.append(Notice("answer_partly_uncited", text))
    return told


def is_unsupported(answer: Answer) -> bool:
    """Whether nothing that the answer states is borne out."""
    checked = [one for one in answer.support if one.verdict is not Support.NOT_CHECKED]
    return bool(checked) and all(
        one.verdict in _UNTRUE or (one.verdict is Support.UNCITED and not one.borne_out_by) for one in checked
    )


def _counted(some: Sequence[SentenceSupport], of: Sequence[SentenceSupport]) -> str:
    return f"{len(some)} of {len(of)} sentence{'s' if len(of) > 1 else ''}"


def _correction(one: SentenceSupport) -> str:
    if one.correction is None:
        return ""
    return f"The source says {one.correction.source}, not {one.correction.said} [{one.correction.citation}]."


def _quotes(answer: Answer, some: Sequence[SentenceSupport]) -> str:
    quoted = [_quote(answer, one) for one in some[:QUOTED]]
    more = len(some) - len(quoted)
    return "; ".join([*quoted, f"and {more} more"] if more else quoted)


def _quote(answer: Answer, one: SentenceSupport) -> str:
    text = plain(answer.text[one.start : one.end], sources=len(answer.citations)).lstrip("-•+> ")
    shown = text if len(text) <= QUOTED_CHARS else f"{text[: QUOTED_CHARS - 1].rstrip()}…"
    sought = dict.fromkeys(missing.text for missing in one.missing if missing.text)
    notes = [f"not found there: {', '.join(sought)}"] if sought else []
    notes += [f"but by {''.join(f'[{number}]' for number in one.borne_out_by)}"] if one.borne_out_by else []
    return f"“{shown}”" + (f" ({'; '.join(notes)})" if notes else "")
