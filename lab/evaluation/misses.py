"""What went wrong, question by question, for people to read: pages that were missed, declining that erred."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lab.evaluation.asking import MISSED_PASSAGES, AskedQuestion, Asking
from lab.evaluation.metrics import first_right
from lab.evaluation.sets.base import Question
from lab.evaluation.systems.base import FoundPassage
from rag.answering.gate import Verdict
from rag.answering.smalltalk import clean

INSTEAD: Final = 3
"""How many of the passages that came instead are named."""


def misses_text(askings: Sequence[Asking]) -> str:
    """As Markdown."""
    return "".join(f"{line}\n" for asking in askings for line in _lines(asking))


def _lines(asking: Asking) -> Iterator[str]:
    missed = [one for one in asking.asked if one.is_missed]
    yield f"# {asking.set.name}, {asking.mode}: {len(missed)} of {len(asking.set.questions)} missed"
    yield ""
    for one in missed:
        yield f"- **{one.question.id}** {clean(one.question.text)}"
        yield f"  - answered on: {_gold(one.question)}; {_rank(one)}"
        yield f"  - instead: {'; '.join(map(_came, one.ranking.passages[:INSTEAD])) or 'nothing'}"
    yield from _erred(asking, "Answerable, and declined", answerable=True)
    yield from _erred(asking, "Unanswerable, and not declined", answerable=False)
    yield ""


def _erred(asking: Asking, title: str, *, answerable: bool) -> Iterator[str]:
    decided = [
        (one.question, one.ranking.decision)
        for one in asking.asked
        if one.question.is_answerable is answerable and one.ranking.decision is not None
    ]
    wrong = [
        (question, decision) for question, decision in decided if (decision.verdict is Verdict.DECLINE) is answerable
    ]
    if wrong:
        yield ""
        yield f"## {title}: {len(wrong)} of {len(decided)}"
        yield ""
        for question, decision in sorted(wrong, key=lambda pair: pair[1].probability):
            yield f"- **{question.id}** {clean(question.text)} (strength {decision.probability:.2f})"


def _gold(question: Question) -> str:
    if question.pages:
        return ", ".join(f"{file} p. {page}" for file, page in sorted(question.pages))
    return ", ".join(sorted(question.files))


def _rank(one: AskedQuestion) -> str:
    if one.deep is None:
        return "not looked for further down"
    rank = first_right(one.question, one.deep.passages)
    return f"found at rank {rank}" if rank else f"not among the first {max(MISSED_PASSAGES, len(one.deep.passages))}"


def _came(passage: FoundPassage) -> str:
    file, page = passage.places[0]
    return f"{file} p. {page} ({passage.score:.3f})"
