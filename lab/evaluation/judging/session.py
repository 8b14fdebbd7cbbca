"""Each question of a set put to the engine as a chat puts it, and its answer judged."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from lab.evaluation.judging.faithfulness import faithfulness
from lab.evaluation.judging.grades import Grade
from lab.evaluation.judging.model import JudgeModel
from lab.evaluation.judging.relevance import relevance
from lab.evaluation.judging.similarity import cosine, similarity
from lab.evaluation.sets.base import Question
from rag.embedding.base import Embedder
from rag.types.answers import Answer, Delta, Outcome, StageBegun, Turn
from rag.types.scope import Scope

FIGURES: Final = ("faithfulness", "similarity", "cosine", "relevance")
NOT_WRITTEN: Final = "no model wrote"
_MARK: Final = re.compile(r"\s?\[\d+\]")


class AnsweringEngine(Protocol):
    """What answers (`rag.answering.answerer.Answerer`)."""

    def answer(
        self, question: str, history: Sequence[Turn], scope: Scope
    ) -> AsyncIterator[StageBegun | Delta | Answer]:
        """Progress and text as they come, then exactly one Answer. Raises FootnoteError."""
        ...


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """One question, what was answered, and what the judge thinks of it."""

    question: Question
    answer: Answer
    grades: Mapping[str, Grade] = field(default_factory=dict[str, Grade])
    """By the name of the figure; empty where the engine declined, and where nothing answers the question."""


class Session:
    """Asks and judges, one question after the other."""

    def __init__(self, answers: AnsweringEngine, embedder: Embedder, judge: JudgeModel) -> None:
        self._answers = answers
        self._embedder = embedder
        self._judge = judge

    async def judge_all(self, questions: Sequence[Question], tell: Callable[[], None]) -> list[JudgedAnswer]:
        """In order; `tell` is called after each. Raises FootnoteError where the engine fails."""
        judged: list[JudgedAnswer] = []
        for question in questions:
            judged.append(await self._judged(question))
            tell()
        return judged

    async def _judged(self, question: Question) -> JudgedAnswer:
        answer = await self._asked(question.text)
        if answer.outcome is Outcome.DECLINED or not question.is_answerable:
            return JudgedAnswer(question, answer)
        if answer.outcome in {Outcome.EXCERPTS, Outcome.FAILED}:
            return JudgedAnswer(question, answer, dict.fromkeys(FIGURES, Grade(None, NOT_WRITTEN)))
        text = _MARK.sub("", answer.text)
        passages = [citation.chunk.searchable for citation in answer.citations]
        grades = await asyncio.gather(
            faithfulness(self._judge, question.text, text, passages),
            similarity(self._judge, question.text, text, question.answer),
            cosine(self._embedder, text, question.answer),
            relevance(self._judge, self._embedder, question.text, text),
        )
        return JudgedAnswer(question, answer, dict(zip(FIGURES, grades, strict=True)))

    async def _asked(self, question: str) -> Answer:
        answer: Answer | None = None
        async for event in self._answers.answer(question, [], Scope.everything()):
            if isinstance(event, Answer):
                answer = event
        if answer is None:
            raise AssertionError("the engine ended without an answer")
        return answer
