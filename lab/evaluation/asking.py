"""Each question of a set, asked in one way; what came of it, and the figures of all together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from lab.evaluation.declining import Weighed, declining
from lab.evaluation.figures import Estimate, figure_of, latency
from lab.evaluation.metrics import Scores, deep_scores, document_scores, first_right, in_order, page_scores
from lab.evaluation.results import Detail, IndexSummary, Result
from lab.evaluation.sets.base import Question, QuestionSet
from lab.evaluation.systems.base import MeasuredMode, Ranking
from rag.answering.gate import Verdict

COUNTED: Final = 10
"""The deepest passage that a figure about pages looks at."""
DEEP_PASSAGES: Final = 400
"""Among these the first hundred documents are looked for: a document may take several places."""
MISSED_PASSAGES: Final = 200
"""How far down a page that was missed is looked for."""
SHOWN: Final = 10
"""Passages that are kept of each question."""
VERDICTS: Final[Mapping[Verdict, Literal["answer", "caution", "decline"]]] = {
    Verdict.ANSWER: "answer",
    Verdict.CAUTION: "caution",
    Verdict.DECLINE: "decline",
}


@dataclass(frozen=True, slots=True)
class Depth:
    """How much is asked for."""

    passages: int
    """What an answer is written from."""
    candidates: int
    """What each way of searching brings in. No more is asked for in figures that stand for what a chat is given: ways
    that fuse rankings would fuse longer ones."""
    misses: bool = False
    """Whether pages that were missed are looked for further down."""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """One question, and what came of it."""

    question: Question
    ranking: Ranking
    deep: Ranking | None = None
    """The same question, asked for far more passages; None where that was not needed."""
    is_missed: bool = False
    """Whether nothing that answers is among what counts."""


@dataclass(frozen=True, slots=True)
class Asking:
    """One way over one set."""

    set: QuestionSet
    mode: str
    asked: Sequence[AskedQuestion]
    """The answerable ones, then the others."""
    scores: Sequence[Scores]
    """Of the answerable ones, in order."""


async def ask_all(way: MeasuredMode, questions: QuestionSet, depth: Depth, tell: Callable[[], None]) -> Asking:
    """One after the other, so that each has the machine for itself. `tell` is called after each. Raises StoreError."""
    asked: list[AskedQuestion] = []
    limit = max(COUNTED, depth.passages) if questions.by_page else depth.candidates
    for question in questions.all:
        ranking = await way.ask(question.text, limit=limit, decide=True)
        is_missed = question.is_answerable and not _is_found(question, ranking, questions, depth)
        deep = None
        if question.is_answerable and not questions.by_page:
            deep = await way.ask(question.text, limit=DEEP_PASSAGES)
        elif is_missed and depth.misses:
            deep = await way.ask(question.text, limit=MISSED_PASSAGES)
        asked.append(AskedQuestion(question, ranking, deep, is_missed))
        tell()
    return Asking(questions, way.name, asked, _scores(questions, asked[: len(questions.questions)]))


def _is_found(question: Question, ranking: Ranking, questions: QuestionSet, depth: Depth) -> bool:
    """Among the passages that an answer is written from; of documents, among those that figures count."""
    rank = first_right(question, ranking.passages)
    return rank is not None and rank <= (depth.passages if questions.by_page else COUNTED)


def _scores(questions: QuestionSet, asked: Sequence[AskedQuestion]) -> list[Scores]:
    wanted = [one.question for one in asked]
    rankings = [one.ranking.passages for one in asked]
    if questions.by_page:
        return page_scores(wanted, rankings)
    deep = deep_scores(wanted, [one.deep.passages if one.deep else () for one in asked])
    return [{**near, **far} for near, far in zip(document_scores(wanted, rankings), deep, strict=True)]


def result_of(asking: Asking, index: IndexSummary, *, passages: int, version: str, at: str) -> Result:
    """The figures."""
    by_stage: defaultdict[str, list[float]] = defaultdict(list)
    for one in asking.asked:
        for stage, seconds in one.ranking.seconds.items():
            by_stage[stage].append(seconds)
    return Result(
        set=asking.set.name,
        mode=asking.mode,
        questions=len(asking.set.questions),
        unanswerable=len(asking.set.unanswerable),
        skipped=asking.set.skipped,
        passages=passages,
        degraded=dict(Counter(code for one in asking.asked for code in one.ranking.notices)),
        metrics=_means(asking.scores),
        declining=declining(_weighed(asking)),
        latency_ms={stage: latency(seconds) for stage, seconds in by_stage.items()},
        index=index,
        version=version,
        at=at,
    )


def _means(scores: Sequence[Scores]) -> dict[str, Estimate]:
    names = in_order({name for one in scores for name in one})
    return {name: figure_of(name, [one[name] for one in scores if name in one]) for name in names}


def _weighed(asking: Asking) -> list[Weighed]:
    return [
        Weighed(one.question.is_answerable, decision.verdict is Verdict.DECLINE, decision.probability)
        for one in asking.asked
        if (decision := one.ranking.decision) is not None
    ]


def details_of(asking: Asking) -> list[Detail]:
    """One a question."""
    scores = [*asking.scores, *({} for _ in asking.set.unanswerable)]
    return [_detail(asking, one, score) for one, score in zip(asking.asked, scores, strict=True)]


def _detail(asking: Asking, one: AskedQuestion, scores: Scores) -> Detail:
    decision = one.ranking.decision
    return Detail(
        set=asking.set.name,
        mode=asking.mode,
        id=one.question.id,
        answerable=one.question.is_answerable,
        metrics={name: round(value, 6) for name, value in scores.items()},
        strength=None if decision is None else round(decision.probability, 6),
        verdict=None if decision is None else VERDICTS[decision.verdict],
        found=[(*passage.places[0], round(passage.score, 6)) for passage in one.ranking.passages[:SHOWN]],
    )
