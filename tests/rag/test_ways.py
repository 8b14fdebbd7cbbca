"""Ways of retrieving: how they are spelt, built and asked for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.sparse import Bm25
from rag.errors import ConfigurationError
from rag.retrieval import MODES, STAGES
from rag.retrieval.base import Reranker
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.modes import RetrievalMode, RetrievalModes, mode_of
from rag.settings.groups import RetrievalSettings
from rag.store.edge import EdgeStore
from rag.types.chunks import ScoredChunk
from rag.types.scope import Scope
from tests.documents import WordModel
from tests.fakes import ScriptedLLM
from tests.rag.answering import a_filled_store, an_answerer, asked

ALL = Scope.everything()


class Longest:
    """A Reranker that likes long texts."""

    name = "longest"

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        del question
        return [float(len(text)) for text in texts]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[EdgeStore]:
    async with a_filled_store(
        tmp_path,
        sales__bicycle=["The bicycle has three wheels.", "The bicycle is blue and fast.", "bicycle wheels"],
        sales__whales=["Blue whales sing of wheels."],
        HR__secret=["The blue bicycle budget of wheels and salaries."],
    ) as store:
        yield store


def means(store: EdgeStore, settings: RetrievalSettings | None = None) -> RetrievalDeps:
    return RetrievalDeps(HybridEmbedder(WordModel(), Bm25()), store, settings or RetrievalSettings())


async def hits(
    store: EdgeStore, base: str, question: str, scope: Scope = ALL, settings: RetrievalSettings | None = None
) -> Sequence[ScoredChunk]:
    return (await MODES[base](means(store, settings)).retrieve(question, scope, limit=9)).chunks


def test_a_way_is_a_base_and_stages_in_order() -> None:
    assert mode_of("hybrid") == RetrievalMode("hybrid")
    assert mode_of(" Dense + queries+CROSS") == RetrievalMode("dense", ("queries", "cross"))
    assert str(mode_of("dense+queries+cross")) == "dense+queries+cross"
    assert {str(mode_of(f"{base}+{stage}")) for base in MODES for stage in STAGES}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "'' is no way of retrieving: it begins with '', and what there is are dense, bm25, hybrid"),
        ("densee", "'densee'"),
        ("cross", "it begins with 'cross', and what there is are dense"),
        ("hybrid+densee", "as a stage it names 'densee', and what there is are ranker, queries, cross"),
        ("hybrid+", "as a stage it names ''"),
        ("hybrid++cross", "as a stage it names ''"),
        ("hybrid+cross+cross", "names the stage 'cross' twice"),
        ("hybrid,cross", "'hybrid,cross'"),
    ],
)
def test_what_is_unknown_in_a_way_is_named_with_all_that_there_is(text: str, told: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        mode_of(text)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("way", "told"),
    [
        ("hybrid+cross", "FOOTNOTE_RETRIEVAL__RERANKER, or leave `\\+cross` away"),
        ("dense+queries", "LLM_MODEL.*or leave `\\+queries` away"),
    ],
)
def test_a_stage_without_what_it_needs_says_so_when_it_is_built(store: EdgeStore, way: str, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        RetrievalModes(means(store)).retriever(way)


async def test_what_a_way_needs_of_the_index_is_looked_for_when_it_is_checked(store: EdgeStore) -> None:
    ways = RetrievalModes(means(store))
    await ways.check("mmr")
    with pytest.raises(ConfigurationError, match="FOOTNOTE_CHUNKER=hierarchical"):
        await ways.check("hierarchical")


async def test_a_way_is_built_once_and_a_model_is_loaded_once_for_all_of_them(store: EdgeStore) -> None:
    loaded: list[Reranker] = []

    def reranker() -> Reranker:
        loaded.append(Longest())
        return loaded[-1]

    ways = RetrievalModes(replace(means(store), reranker=reranker))
    first, *others = await asyncio.gather(*(ways.ready("dense+cross") for _ in range(5)))
    assert all(one is first for one in others) and len(loaded) == 1
    assert ways.retriever() is ways.retriever(RetrievalSettings().mode)


async def test_stages_go_over_what_the_base_has_found(store: EdgeStore) -> None:
    ways = RetrievalModes(replace(means(store, RetrievalSettings(mode="bm25+cross", rerank_pool=9)), reranker=Longest))
    found = (await ways.retriever().retrieve("blue bicycle", ALL, limit=9)).chunks
    assert [hit.chunk.text for hit in found] == sorted((hit.chunk.text for hit in found), key=len, reverse=True)
    assert all({"bm25", "rerank", "moved"} <= hit.signals.keys() for hit in found)
    assert {hit.chunk.text for hit in found} == {hit.chunk.text for hit in await hits(store, "bm25", "blue bicycle")}


@pytest.mark.parametrize(("base", "signal"), [("hybrid", "rrf"), ("fusion", "dbsf")])
async def test_what_is_fused_also_bears_the_scores_of_both_searches(store: EdgeStore, base: str, signal: str) -> None:
    question = "blue bicycle wheels"
    dense = {hit.chunk.id: hit.score for hit in await hits(store, "dense", question)}
    bm25 = {hit.chunk.id: hit.score for hit in await hits(store, "bm25", question)}
    found = await hits(store, base, question)
    assert {hit.chunk.id for hit in found} == dense.keys() | bm25.keys()
    for hit in found:
        told = {"dense": dense[hit.chunk.id], signal: hit.score}
        if hit.chunk.id in bm25:
            told["bm25"] = bm25[hit.chunk.id]
        assert hit.signals == pytest.approx(told, rel=1e-4)


async def test_hybrid_weighs_its_rankings_as_the_settings_say(store: EdgeStore) -> None:
    question = "salaries"
    settings = RetrievalSettings(rrf_k=10, weights=(1.0, 3.0))
    best, *_ = await hits(store, "hybrid", question, settings=settings)
    assert best.score == pytest.approx(1 / (10 + 1) + 1 / (10 + 1 / 3))


async def test_mmr_takes_the_nearest_first_and_tells_places_and_scores(store: EdgeStore) -> None:
    question = "bicycle wheels"
    nearest = await hits(store, "dense", question)
    found = await hits(store, "mmr", question)
    assert found[0].chunk.id == nearest[0].chunk.id
    assert [hit.signals["mmr"] for hit in found] == [float(place) for place in range(1, len(found) + 1)]
    assert {hit.chunk.id: hit.signals["dense"] for hit in found} == pytest.approx(
        {hit.chunk.id: hit.score for hit in nearest}, abs=1e-5
    )
    assert "bm25" in found[0].signals
    in_order = await hits(store, "mmr", question, settings=RetrievalSettings(mmr_lambda=1.0))
    assert [hit.chunk.id for hit in in_order] == [hit.chunk.id for hit in nearest]


@pytest.mark.parametrize("base", sorted(MODES.keys() - {"hierarchical"}))
async def test_no_base_finds_anything_outside_the_scope(store: EdgeStore, base: str) -> None:
    sales = Scope(frozenset({"drive/sales"}))
    found = await hits(store, base, "blue bicycle budget of salaries", sales)
    assert found and all(sales.admits(hit.chunk.document) for hit in found)
    assert await hits(store, base, "blue bicycle budget of salaries", Scope.nothing()) == []


def test_the_recipe_of_a_way_changes_with_the_way_and_with_each_setting(store: EdgeStore) -> None:
    ways = RetrievalModes(means(store))
    recipes = {ways.recipe(), ways.recipe("dense"), ways.recipe("dense+cross")}
    for changed in ({"rrf_k": 1}, {"weights": (1.0, 2.0)}, {"candidates": 5}, {"reranker": "x"}, {"mmr_lambda": 0.1}):
        recipes.add(RetrievalModes(means(store, RetrievalSettings().model_copy(update=changed))).recipe())
    assert len(recipes) == 8
    assert ways.recipe(RetrievalSettings().mode) == ways.recipe()


async def test_a_question_can_be_asked_in_another_way_and_its_answer_is_kept_apart(store: EdgeStore) -> None:
    answerer = an_answerer(store, ScriptedLLM("Three. [S1]"))
    question = "How many wheels has the bicycle?"
    first = await asked(answerer, question)
    assert not first.cached and (await asked(answerer, question)).cached
    for way in ("bm25", "mmr"):
        assert not (await asked(answerer, question, mode=way)).cached
        assert (await asked(answerer, question, mode=way)).cached
    assert (await asked(answerer, question, mode=RetrievalSettings().mode)).cached


@pytest.mark.parametrize(("way", "told"), [("densee", "'densee'"), ("hybrid+cross", "RERANKER")])
async def test_a_way_that_does_not_work_is_an_error_and_not_another_way(store: EdgeStore, way: str, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        await asked(an_answerer(store), "How many wheels has the bicycle?", mode=way)
