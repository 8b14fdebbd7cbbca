"""Query expansion: a question in other words, as a language model puts it; taken for search words alone."""

from __future__ import annotations

import logging
import re
import time
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from rag.errors import ProviderError
from rag.llm.base import LLM, FinishReason, Message, complete
from rag.llm.stall import Patience, WatchedLLM
from rag.prompts import render
from rag.types.answers import Notice, Usage

log = logging.getLogger(__name__)

LONGEST_CHARS: Final = 300  # what is longer is an answer, or a model that rambles
TOKENS_A_QUERY: Final = 100
NOT_WRITTEN: Final = Notice(
    "queries_not_written",
    "The language model could not put the question in other words, so it was searched for as it stands alone.",
)
_BULLET: Final = re.compile(r"[-*+•–—]\s+")
_NUMBER: Final = re.compile(r"\(?(\d{1,2})[.):]\s+")
_QUOTES: Final = "\"'“”„«»‹›`「」"


@dataclass(frozen=True, slots=True)
class ExpandedQuery:
    """What came of asking a model."""

    others: tuple[str, ...]
    """Each differs from the question and from the others."""
    usage: Usage = field(default_factory=Usage)
    notices: tuple[Notice, ...] = ()
    seconds: float = 0.0


class QueryExpansion:
    """Asks a model for other queries for a question, and waits no longer than it is worth."""

    def __init__(self, llm: LLM, *, count: int, seconds: float) -> None:
        """`count`: how many are wanted at most. `seconds`: how long the model may take in all."""
        self._llm = WatchedLLM(llm, Patience(first=seconds, between=seconds, total=seconds))
        self._count = count

    async def expand(self, question: str) -> ExpandedQuery:
        """Up to `count` other queries; none, and a notice, where the model fails, stalls or writes nothing of use."""
        began = time.perf_counter()
        prompt = [Message("system", render("queries", count=str(self._count))), Message("user", question)]
        try:
            text, end = await complete(self._llm, prompt, max_tokens=TOKENS_A_QUERY * self._count)
        except ProviderError as error:
            log.warning("question not put in other words", extra={"reason": str(error)})
            return ExpandedQuery((), notices=(NOT_WRITTEN,), seconds=time.perf_counter() - began)
        is_whole = end.reason in {FinishReason.STOP, FinishReason.UNKNOWN}
        lines = text.splitlines() if is_whole else text.splitlines()[:-1]  # the last one may be cut off
        others = queries_of(lines, question, count=self._count)
        if not others:
            log.warning("question not put in other words", extra={"reason": f"nothing of use ({end.reason.value})"})
        notices = () if others else (NOT_WRITTEN,)
        return ExpandedQuery(others, end.usage, notices, time.perf_counter() - began)


def queries_of(lines: Sequence[str], question: str, *, count: int) -> tuple[str, ...]:
    """The first `count` lines that can be searched for, as plain text without marks of a list around them.

    Left out are lines that are too long, that hold no word, that end as a heading does, and repetitions.
    """
    seen = {_normal(question)}
    kept: list[str] = []
    plain = [line for line in map(_plain, lines) if line]
    for place, line in enumerate(plain, start=1):
        query = _bare(line, place)
        is_usable = len(query) <= LONGEST_CHARS and not query.endswith((":", "：")) and not line.startswith("```")
        if is_usable and any(map(str.isalnum, query)) and (normal := _normal(query)) not in seen:
            seen.add(normal)
            kept.append(query)
    return tuple(kept[:count])


def _plain(line: str) -> str:
    """The line without control and format characters (categories C* of Unicode), white space as single blanks."""
    spaced = (" " if character.isspace() else character for character in line)
    return " ".join("".join(c for c in spaced if not unicodedata.category(c).startswith("C")).split())


def _bare(line: str, place: int) -> str:
    """Without a bullet, a number that counts lines ("12. Oktober" keeps its own), or quotation marks around it all."""
    number = _NUMBER.match(line)
    if number is not None and int(number[1]) == place:
        line = line[number.end() :]
    line = _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
    return line.strip(_QUOTES + " ") if line[:1] in _QUOTES and line[-1:] in _QUOTES else line


def _normal(text: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())
