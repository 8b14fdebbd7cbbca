"""The last step of every mode: what it makes of candidates, and of an index that changes under it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.sparse import Bm25
from rag.errors import StoreError
from rag.retrieval.base import Candidate, Candidates, RetrievalResult
from rag.retrieval.calibrator import ATTEMPTS, Calibrator
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.modes import RetrievalModes
from rag.retrieval.ranking.model import BEST
from rag.settings.groups import RetrievalSettings
from rag.store.edge import EdgeStore
from rag.types.answers import Usage
from rag.types.scope import Scope
from tests.documents import WordModel, a_chunk, a_document
from tests.rag.answering.parts import a_filled_store, fill

ALL = Scope.everything()
QUESTION = "wheels of bicycle CB-4471-K"
TEXTS = [
    "Forms for a bicycle are there.",
    "The bicycle CB-4471-K has three wheels.",
    "A bicycle is blue.",
]


def some_deps(store: EdgeStore) -> RetrievalDeps:
    return RetrievalDeps(HybridEmbedder(WordModel(), Bm25()), store, RetrievalSettings())


class Given:
    """A retriever that finds what it was given, in the generations that it was told, the last one again and again."""

    def __init__(self, candidates: Sequence[Candidate], *generations: int) -> None:
        self._candidates = candidates
        self._generations = [*generations]
        self.asked = 0

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Candidates:
        del question, scope, limit
        self.asked += 1
        generation = self._generations.pop(0) if len(self._generations) > 1 else self._generations[0]
        return Candidates(generation, self._candidates, usage=Usage(1, 1))


def candidates(*cosines: float) -> list[Candidate]:
    """One document after the other; all hold the same words."""
    return [
        Candidate(a_chunk(a_document(f"{place}.md", title="Note"), 0, "The wheels of a bicycle."), cosine, 5.0)
        for place, cosine in enumerate(cosines)
    ]


async def calibrated(store: EdgeStore, given: Sequence[Candidate], *, limit: int = 99) -> RetrievalResult:
    return await Calibrator(Given(given, 1), some_deps(store)).retrieve(QUESTION, ALL, limit=limit)


async def found(folder: Path, mode: str) -> RetrievalResult:
    async with a_filled_store(folder, sales=TEXTS) as store:
        return await RetrievalModes(some_deps(store)).retriever(mode).retrieve(QUESTION, ALL, limit=3)


async def test_the_ranker_puts_the_most_probable_passage_first(tmp_path: Path) -> None:
    ranked = (await found(tmp_path, "hybrid+ranker")).chunks
    assert ranked[0].chunk.text == TEXTS[1]
    assert [hit.probability for hit in ranked] == sorted((hit.probability for hit in ranked), reverse=True)


@pytest.mark.parametrize("mode", ["dense", "bm25"])
async def test_what_one_search_alone_has_found_is_weighed_by_both(tmp_path: Path, mode: str) -> None:
    # All of them find all three passages: what the best are worth together is the same then, too.
    alone, both = await found(tmp_path / "alone", mode), await found(tmp_path / "both", "hybrid")
    assert alone.confidence == pytest.approx(both.confidence, abs=1e-6)
    assert {hit.chunk.text: hit.probability for hit in alone.chunks} == pytest.approx(
        {hit.chunk.text: hit.probability for hit in both.chunks}, abs=1e-6
    )


async def test_an_order_that_no_ranker_made_is_left_and_only_its_first_are_the_best(tmp_path: Path) -> None:
    async with a_filled_store(tmp_path, sales=TEXTS) as store:
        weak = candidates(*[0.2] * BEST)
        with_a_strong_one_behind = await calibrated(store, [*weak, *candidates(0.9)])
        among_them = await calibrated(store, [*weak[1:], *candidates(0.9)])
        assert (await calibrated(store, weak)).confidence == pytest.approx(with_a_strong_one_behind.confidence)
    assert among_them.confidence > 2 * with_a_strong_one_behind.confidence
    assert [hit.chunk for hit in with_a_strong_one_behind.chunks[:BEST]] == [one.chunk for one in weak]
    assert with_a_strong_one_behind.chunks[BEST].probability > with_a_strong_one_behind.chunks[0].probability


async def test_where_the_ranker_has_gone_over_them_its_best_count_wherever_they_stand(tmp_path: Path) -> None:
    ranked = [
        replace(one, rank_score=10 * one.cosine) for one in candidates(*[0.2] * BEST, 0.9)
    ]  # as a cross-encoder leaves them that thinks little of the ranker's favourite
    async with a_filled_store(tmp_path, sales=TEXTS) as store:
        in_order = await calibrated(store, sorted(ranked, key=lambda one: -one.cosine))
        turned = await calibrated(store, ranked, limit=BEST)
    assert turned.confidence == pytest.approx(in_order.confidence)
    assert [hit.chunk for hit in turned.chunks] == [one.chunk for one in ranked[:BEST]]
    assert turned.chunks[0].probability == pytest.approx(in_order.chunks[-1].probability)


async def test_nothing_found_is_worth_nothing_and_the_terms_are_told(tmp_path: Path) -> None:
    async with a_filled_store(tmp_path, sales=TEXTS) as store:
        result = await calibrated(store, [])
    assert (result.chunks, result.confidence) == ([], 0.0)
    assert [term.seen for term in result.terms if "cb4471k" in term.variants or "wheel" in term.variants] == [True] * 2


async def test_a_drop_that_is_completed_meanwhile_is_noticed_and_all_is_searched_for_anew(tmp_path: Path) -> None:
    async with a_filled_store(tmp_path, sales=TEXTS) as store:
        await fill(store, sales=[*TEXTS, "And a fourth."])
        inner = Given(candidates(0.5), 1, 2)
        result = await Calibrator(inner, some_deps(store)).retrieve(QUESTION, ALL, limit=3)
    assert (result.generation, inner.asked, result.usage) == (2, 2, Usage(2, 2))


async def test_an_index_that_never_rests_is_an_error_and_no_mixture(tmp_path: Path) -> None:
    async with a_filled_store(tmp_path, sales=TEXTS) as store:
        inner = Given(candidates(0.5), 7)
        with pytest.raises(StoreError, match="changed"):
            await Calibrator(inner, some_deps(store)).retrieve(QUESTION, ALL, limit=3)
    assert inner.asked == ATTEMPTS


def test_the_best_that_are_weighed_are_those_that_an_answer_is_written_from() -> None:
    assert RetrievalSettings().passages == BEST
