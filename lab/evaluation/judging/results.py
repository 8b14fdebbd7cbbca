"""What judging gives: figures of answers, with what they are uncertain by, who judged, and what it cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Final

from pydantic import BaseModel, ConfigDict, TypeAdapter

from lab.evaluation.figures import Estimate, mean, share
from lab.evaluation.judging.grades import Grade
from lab.evaluation.judging.model import JudgeModel
from lab.evaluation.judging.session import JudgedAnswer
from rag.types.answers import Outcome, Usage


class Judgement(BaseModel):
    """One figure over all answers that a model wrote."""

    model_config = ConfigDict(frozen=True)

    figure: Estimate | None
    """Of those that were judged; None where none was."""
    not_judged: Estimate | None
    """The share of answers that were not judged, which are part of no mean; None where all was declined."""
    reasons: dict[str, int]
    """How many were not judged for which reason."""


class JudgingCost(BaseModel):
    """What models consumed."""

    model_config = ConfigDict(frozen=True)

    input_tokens: int
    output_tokens: int
    usd: Decimal
    """At the prices that are known."""
    unpriced_calls: int = 0
    """Calls whose price is not known: the cost is higher."""

    @classmethod
    def of(cls, usage: Usage, *, unpriced: int = 0) -> JudgingCost:
        """The usage as a cost."""
        return cls(
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            usd=usage.cost_usd,
            unpriced_calls=unpriced,
        )


class JudgedSet(BaseModel):
    """One way over one set."""

    model_config = ConfigDict(frozen=True)

    set: str
    mode: str
    questions: int
    """Answerable ones."""
    unanswerable: int
    writers: list[str]
    """The models that wrote the answers."""
    judges: list[str]
    """The models that judged them."""
    outcomes: dict[str, int]
    """How the answerable questions ended."""
    answerable_declined: Estimate | None
    unanswerable_declined: Estimate | None
    judgements: dict[str, Judgement]
    recalled: int
    """Answers that the cache had kept: they cost nothing this time."""
    answers_cost: JudgingCost
    judging_cost: JudgingCost
    retries: int
    """Replies of the judge that could not be read and were asked for again."""
    version: str
    at: str
    """The day, as YYYY-MM-DD in UTC."""

    @property
    def judges_itself(self) -> bool:
        """Whether a model judged what it had written, and may like it too well."""
        return not set(self.writers).isdisjoint(self.judges)


_RESULTS: Final = TypeAdapter(list[JudgedSet])


def judged_set(
    name: str, mode: str, rows: Sequence[JudgedAnswer], judge: JudgeModel, *, version: str, at: str
) -> JudgedSet:
    """The figures of all questions of a set together."""
    answerable = [row for row in rows if row.question.is_answerable]
    others = [row for row in rows if not row.question.is_answerable]
    names = dict.fromkeys(name for row in answerable for name in row.grades)
    return JudgedSet(
        set=name,
        mode=mode,
        questions=len(answerable),
        unanswerable=len(others),
        writers=sorted({row.answer.model for row in rows if row.answer.model}),
        judges=list(judge.models),
        outcomes=dict(Counter(row.answer.outcome.value for row in answerable)),
        answerable_declined=_declined(answerable),
        unanswerable_declined=_declined(others),
        judgements={name: judgement([row.grades[name] for row in answerable if row.grades]) for name in names},
        recalled=sum(row.answer.cached for row in rows),
        answers_cost=JudgingCost.of(_sum(row.answer.usage for row in rows)),
        judging_cost=JudgingCost.of(judge.usage, unpriced=judge.unpriced),
        retries=judge.retries,
        version=version,
        at=at,
    )


def judged_json(results: Sequence[JudgedSet]) -> str:
    """As `judge --out` writes them."""
    return _RESULTS.dump_json(list(results), indent=1).decode() + "\n"


def judgement(grades: Sequence[Grade]) -> Judgement:
    """The mean of those that have a value, and how many have none."""
    values = [grade.value for grade in grades if grade.value is not None]
    return Judgement(
        figure=mean(values) if values else None,
        not_judged=share(len(grades) - len(values), len(grades)),
        reasons=dict(Counter(grade.why for grade in grades if grade.value is None)),
    )


def shortfalls(result: JudgedSet, least: Mapping[str, float], *, most_not_judged: float) -> list[str]:
    """What keeps a set from passing, a sentence each; none where it passes.

    A figure passes when it reaches its bound and rests on enough answers: a judge who says nothing proves nothing.
    """
    return [text for name, bound in least.items() if (text := _shortfall(result, name, bound, most_not_judged))]


def _shortfall(result: JudgedSet, name: str, bound: float, most_not_judged: float) -> str:
    found = result.judgements.get(name)
    if found is None or found.figure is None:
        return f"{result.set}: no answer could be judged for {name}"
    if found.not_judged is not None and found.not_judged.value > most_not_judged:
        return f"{result.set}: {found.not_judged.value:.0%} of the answers were not judged for {name}"
    if found.figure.value < bound:
        return f"{result.set}: {name} is {found.figure.value:.3f}, less than {bound:g}"
    return ""


def _declined(rows: Sequence[JudgedAnswer]) -> Estimate | None:
    return share(sum(row.answer.outcome is Outcome.DECLINED for row in rows), len(rows))


def _sum(usages: Iterable[Usage]) -> Usage:
    return sum(usages, Usage())
