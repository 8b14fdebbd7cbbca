"""An engine is put together whole or not at all."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rag.bootstrap.engine import open_engine
from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.minilm import MiniLM
from rag.embedding.profiles import PROFILES
from rag.embedding.sparse import Bm25
from rag.errors import ConfigurationError, IndexMissing
from rag.settings.engine import AnsweringSettings
from rag.settings.groups import EmbeddingSettings, RetrievalSettings
from rag.settings.loading import load_settings
from rag.store.base import SCHEMA, Recipe
from rag.store.edge import EdgeStore
from rag.types.answers import Answer, Outcome
from rag.types.scope import Scope
from tests.embedding_models import HIDDEN, a_model
from tests.rag.answering.parts import fill


@pytest.fixture(autouse=True)
def nothing_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a `.env` nor a variable of who runs the tests."""
    monkeypatch.chdir(tmp_path)
    for name in ("REDIS_URL", "QDRANT_URL", "QDRANT_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)


def settings(folder: Path, **overrides: Any) -> AnsweringSettings:
    return load_settings(AnsweringSettings, data_dir=folder, **overrides)


async def test_an_engine_without_an_index_starts_and_says_so_when_it_is_asked(tmp_path: Path) -> None:
    async with open_engine(settings(tmp_path)) as engine:
        assert engine.llm is None and engine.cache.is_healthy
        events = [event async for event in engine.answerer.answer("hello", [], Scope.everything())]
        assert isinstance(events[-1], Answer) and events[-1].outcome is Outcome.ANSWERED
        with pytest.raises(IndexMissing):
            _ = [event async for event in engine.answerer.answer("Who pays the rent?", [], Scope.everything())]


async def test_an_index_made_with_another_model_stops_the_start(tmp_path: Path) -> None:
    store = EdgeStore(tmp_path / "index")
    await fill(store, a=["text"])
    await store.aclose()
    with pytest.raises(ConfigurationError, match=r"'words/256.*'all-MiniLM-L6-v2.*reindex"):
        async with open_engine(settings(tmp_path)):
            pass


@pytest.mark.needs("torch")
async def test_an_index_of_one_profile_is_not_searched_with_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await index_of(tmp_path)
    weights = a_model(tmp_path / "weights", pooling="cls")
    base = replace(PROFILES["base"], hub=str(weights), dimensions=HIDDEN)  # a tiny model stands for it
    monkeypatch.setattr("rag.embedding.profiles.PROFILES", {**PROFILES, "base": base})
    with pytest.raises(ConfigurationError, match=r"'all-MiniLM-L6-v2/int8.*'weights/fp32.*query=.*reindex"):
        async with open_engine(settings(tmp_path, embedding=EmbeddingSettings(model="base"))):
            pass
    async with open_engine(settings(tmp_path, embedding=EmbeddingSettings(model="minilm"))) as engine:
        assert engine.backend == "onnxruntime"


async def index_of(folder: Path, *, chunker: str = "markdown-1/800") -> Path:
    """An index as the packaged model makes it, without documents; gives its manifest's file."""
    model = MiniLM()
    store = EdgeStore(folder / "index")
    recipe = Recipe(HybridEmbedder(model, Bm25()).name, model.dimensions, chunker)
    async with store.write(recipe) as writer:
        await writer.commit([])
    await store.aclose()
    return folder / "index" / "g000001" / "manifest.json"


async def test_an_index_of_another_schema_stops_the_start(tmp_path: Path) -> None:
    manifest = await index_of(tmp_path)
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "schema": SCHEMA - 1}))
    with pytest.raises(ConfigurationError, match=rf"schema {SCHEMA - 1}, this version reads schema {SCHEMA}.*reindex"):
        async with open_engine(settings(tmp_path)):
            pass


async def test_the_mode_that_needs_parents_starts_on_an_index_that_has_them_and_on_no_other(tmp_path: Path) -> None:
    wanted = RetrievalSettings(mode="hierarchical")
    await index_of(tmp_path / "plain")
    with pytest.raises(ConfigurationError, match="FOOTNOTE_CHUNKER=hierarchical"):
        async with open_engine(settings(tmp_path / "plain", retrieval=wanted)):
            pass
    await index_of(tmp_path / "with", chunker="hierarchical-1/3/12/markdown-1/800")
    async with open_engine(settings(tmp_path / "with", retrieval=wanted)) as engine:
        assert (await engine.modes.retriever().retrieve("Who?", Scope.everything(), limit=3)).chunks == []


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"openai_api_key": "k"}, "LLM_MODEL is not"),
        ({"openai_base_url": "http://127.0.0.1:1/v1"}, "LLM_MODEL is not"),
        ({"llm_model": "gpt"}, "neither OPENAI_API_KEY"),
        ({"redis_url": "redis://127.0.0.1:1/0"}, "REDIS_URL"),
    ],
)
async def test_half_a_configuration_is_refused(tmp_path: Path, overrides: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        async with open_engine(settings(tmp_path, **overrides)):
            pass


@pytest.mark.needs("torch")
async def test_a_model_or_reranker_that_is_not_there_is_not_done_without(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    empty = str(tmp_path / "empty")
    for overrides in (
        {"retrieval": RetrievalSettings(mode="hybrid+cross", reranker=empty)},
        {"embedding": EmbeddingSettings(model=empty)},
    ):
        with pytest.raises(ConfigurationError, match="empty"):
            async with open_engine(settings(tmp_path, **overrides)):
                pass
