"""The sentences of an answer held against the passages that they cite. By rules: the same answer, the same verdicts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from rag.answering.groundedness.findings import BOUNDS, CheckedSentence, Finding, SupportBounds, examined
from rag.answering.groundedness.lines import LINE_CHARS
from rag.answering.groundedness.meaning import Meanings
from rag.answering.groundedness.passages import Line, Passage, PassageReader
from rag.answering.groundedness.statements import Statement, statements
from rag.answering.groundedness.talk import states_nothing
from rag.embedding.base import Embedder
from rag.text.analyzer import Terms
from rag.text.languages import language_of_text
from rag.types.answers import Citation
from rag.types.groundedness import Lack, Missing, SentenceSupport, Support

SENTENCES: Final = 24
"""The most sentences of an answer that are checked; the rest of a longer one are marked as not checked."""


@dataclass(frozen=True, slots=True)
class _Read:
    """An answer taken apart, with what is found by words and numbers alone."""

    checked: Sequence[CheckedSentence]
    rest: Sequence[Statement]
    """Sentences beyond those that are checked."""
    passages: Sequence[Passage]
    given: Line
    """The question."""
    findings: Sequence[Finding]
    """One a sentence that is checked."""


class SupportCheck:
    """Checks one answer at a time; holds no state of one."""

    def __init__(self, terms: Terms, embedder: Embedder | None, bounds: SupportBounds = BOUNDS) -> None:
        """`embedder`: compares meanings where words differ; without one such sentences are judged by words alone."""
        self._reader = PassageReader(terms)
        self._bounds = bounds
        self.recipe = f"support-2/{bounds}"
        self._meanings = None if embedder is None else Meanings(embedder)

    async def check(self, text: str, citations: Sequence[Citation], question: str = "") -> tuple[SentenceSupport, ...]:
        """The sentences of the answer's Markdown in order. What the question says needs no source."""
        read = await asyncio.to_thread(self._read, text, citations, question)  # up to 30 ms
        findings = await self._compared(read.checked, read.findings)
        return await asyncio.to_thread(self._verdicts, read, findings)

    def _read(self, text: str, citations: Sequence[Citation], question: str) -> _Read:
        found = statements(text, sources=len(citations))
        passages = {citation.number: self._reader.passage(citation) for citation in citations}
        language = language_of_text(" ".join(statement.text for statement in found))
        given = self._reader.line(question[:LINE_CHARS], language)
        checked = [self._taken_apart(statement, passages, language) for statement in found[:SENTENCES]]
        findings = [examined(one, given, self._bounds) if one.against else Finding() for one in checked]
        return _Read(checked, found[SENTENCES:], list(passages.values()), given, findings)

    def _verdicts(self, read: _Read, findings: Sequence[Finding]) -> tuple[SentenceSupport, ...]:
        verdicts = [
            _verdict(one, finding, read.given, read.passages, self._bounds)
            for one, finding in zip(read.checked, findings, strict=True)
        ]
        rest = [SentenceSupport(more.start, more.end, Support.NOT_CHECKED) for more in read.rest]
        return (*verdicts, *rest)

    def _taken_apart(self, statement: Statement, passages: dict[int, Passage], language: str) -> CheckedSentence:
        line = self._reader.line(statement.text[:LINE_CHARS], language)
        numbers = statement.marks or statement.lent or tuple(passages)
        return CheckedSentence(statement, line, [passages[n] for n in numbers if n in passages])

    async def _compared(self, checked: Sequence[CheckedSentence], findings: Sequence[Finding]) -> list[Finding]:
        """The findings, with the meaning of those sentences compared of which words alone do not decide."""
        unsure = [place for place, finding in enumerate(findings) if finding.unsure is not None]
        if not unsure:
            return list(findings)
        if self._meanings is None:
            likenesses = [0.0] * len(unsure)
        else:
            sentences = [checked[place].statement.text for place in unsure]
            lines = [[text.text for of in checked[place].against for text in of.lines[1:]] for place in unsure]
            likenesses = await self._meanings.best(sentences, lines)
        decided = list(findings)
        for place, likeness in zip(unsure, likenesses, strict=True):
            enough = likeness >= (findings[place].unsure or 0.0)
            decided[place] = replace(findings[place], unsure=None, missing=() if enough else (Missing(Lack.WORDS),))
        return decided


def _verdict(
    one: CheckedSentence, finding: Finding, given: Line, passages: Sequence[Passage], bounds: SupportBounds
) -> SentenceSupport:
    statement = one.statement
    made = SentenceSupport(statement.start, statement.end, Support.SUPPORTED)
    if states_nothing(one) or finding.unknowable:
        return replace(made, verdict=Support.NOT_CHECKED)
    numbers = tuple(passage.number for passage in one.against)
    is_borne_out = bool(one.against) and not finding.missing
    if is_borne_out and (statement.marks or statement.lent):
        return replace(made, citations=numbers)
    if is_borne_out:
        alone = _borne_out_by(one, given, one.against, bounds)
        return replace(made, verdict=Support.UNCITED, borne_out_by=alone or numbers)
    elsewhere = _borne_out_by(one, given, [passage for passage in passages if passage.number not in numbers], bounds)
    if not statement.marks:
        return replace(made, verdict=Support.UNCITED, borne_out_by=elsewhere)
    verdict = Support.UNSUPPORTED if finding.correction is None else Support.CORRECTED
    return replace(
        made,
        verdict=verdict,
        citations=numbers,
        missing=finding.missing,
        correction=finding.correction,
        borne_out_by=elsewhere,
    )


def _borne_out_by(
    one: CheckedSentence, given: Line, passages: Sequence[Passage], bounds: SupportBounds
) -> tuple[int, ...]:
    """The passages each of which bears the sentence out by its words."""
    findings = ((passage.number, examined(replace(one, against=[passage]), given, bounds)) for passage in passages)
    return tuple(
        number
        for number, finding in findings
        if not finding.missing and finding.unsure is None and not finding.unknowable
    )
