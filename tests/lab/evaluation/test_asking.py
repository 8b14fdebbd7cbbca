from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lab.evaluation.asking import DEEP_PASSAGES, MISSED_PASSAGES, Asking, Depth, ask_all, details_of, result_of
from lab.evaluation.misses import misses_text
from lab.evaluation.results import IndexSummary
from lab.evaluation.sets.base import Question, QuestionSet
from lab.evaluation.systems.base import FoundPassage, Ranking
from rag.answering.gate import GateDecision, Verdict

NOWHERE = [FoundPassage((("other.pdf", number),), 1 / number) for number in range(1, 500)]


@dataclass
class Scripted:
    """A way that finds what it is told to, and remembers what it was asked."""

    finds: Mapping[str, Sequence[FoundPassage]]
    decision: GateDecision | None = None
    name: str = "scripted"
    asked: list[tuple[str, int, bool]] = field(default_factory=list[tuple[str, int, bool]])

    async def ask(self, question: str, *, limit: int, decide: bool = False) -> Ranking:
        self.asked.append((question, limit, decide))
        return Ranking(self.finds[question][:limit], {"retrieve": 0.01}, self.decision if decide else None)


PAGE = Question("q1", "on page two?", files={"a.pdf": 1}, pages=frozenset({("a.pdf", 2)}))
LOST = Question("q2", "far down?", files={"a.pdf": 1}, pages=frozenset({("a.pdf", 3)}))
NOTHING = Question("u1", "nowhere?")
FINDS = {
    PAGE.text: [FoundPassage((("a.pdf", 2),), 1.0)],
    LOST.text: [*NOWHERE[:20], FoundPassage((("a.pdf", 3),), 0.01)],
    NOTHING.text: NOWHERE,
}
PAGES = QuestionSet("set", [PAGE, LOST], [NOTHING])


async def asked(way: Scripted, questions: QuestionSet = PAGES, *, misses: bool = False) -> Asking:
    told: list[None] = []
    asking = await ask_all(way, questions, Depth(passages=8, candidates=40, misses=misses), lambda: told.append(None))
    assert len(told) == len(questions.all)
    return asking


async def test_of_pages_no_more_is_asked_for_than_figures_count():
    way = Scripted(FINDS)
    await asked(way)
    assert way.asked == [(PAGE.text, 10, True), (LOST.text, 10, True), (NOTHING.text, 10, True)]


async def test_a_page_that_was_missed_is_looked_for_further_down_when_that_is_wanted():
    way = Scripted(FINDS)
    asking = await asked(way, misses=True)
    assert (LOST.text, MISSED_PASSAGES, False) in way.asked
    assert [one.question.id for one in asking.asked if one.is_missed] == ["q2"]
    text = misses_text([asking])
    assert "# set, scripted: 1 of 2 missed" in text
    assert "answered on: a.pdf p. 3; found at rank 21" in text
    assert "instead: other.pdf p. 1 (1.000); other.pdf p. 2 (0.500); other.pdf p. 3 (0.333)" in text


async def test_of_documents_the_candidates_are_asked_for_and_the_first_hundred_apart():
    one = Question("q", "which?", files={"x": 1})
    way = Scripted({one.text: [*NOWHERE[:60], FoundPassage((("x", 1),), 0.1)]})
    asking = await asked(way, QuestionSet("set", [one], by_page=False))
    assert way.asked == [(one.text, 40, True), (one.text, DEEP_PASSAGES, False)]
    assert asking.scores[0]["recall@10"] == 0
    assert asking.scores[0]["recall@100"] == 1  # before it stand pages of one document


async def test_a_question_is_missed_when_its_page_is_not_among_those_that_an_answer_is_written_from():
    way = Scripted({PAGE.text: [*NOWHERE[:8], FoundPassage((("a.pdf", 2),), 0.1)]})
    asking = await asked(way, QuestionSet("set", [PAGE]))
    assert asking.scores[0]["page@10"] == 1
    assert asking.asked[0].is_missed


async def test_figures_and_details_say_what_came_of_each_question():
    sure = GateDecision(Verdict.ANSWER, 0.9)
    asking = await asked(Scripted(FINDS, sure))
    result = result_of(asking, IndexSummary(embedder="none", documents=1), passages=8, version="1", at="2026-01-31")
    assert result.metrics["page@1"].value == 0.5
    assert result.declining is not None and result.declining.recall is not None
    assert result.declining.answerable_declined is not None
    assert (result.declining.recall.value, result.declining.answerable_declined.value) == (0, 0)
    assert result.latency_ms["retrieve"].p50 == 10
    assert list(result.metrics)[:3] == ["page@1", "page@3", "page@5"]
    assert [(detail.id, detail.answerable, detail.verdict) for detail in details_of(asking)] == [
        ("q1", True, "answer"),
        ("q2", True, "answer"),
        ("u1", False, "answer"),
    ]
    assert "## Unanswerable, and not declined: 1 of 1" in misses_text([asking])
