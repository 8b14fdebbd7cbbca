"""An engine is put together whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rag.bootstrap import open_engine
from rag.errors import ConfigurationError, IndexMissing
from rag.settings import AnsweringSettings, EmbeddingSettings, RetrievalSettings, load_settings
from rag.store.edge import EdgeStore
from rag.types import Answer, Outcome, Scope
from tests.rag.answering import fill


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


async def test_a_model_or_reranker_that_is_not_there_is_not_done_without(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    empty = str(tmp_path / "empty")
    for overrides in (
        {"retrieval": RetrievalSettings(reranker=empty)},
        {"embedding": EmbeddingSettings(model=empty)},
    ):
        with pytest.raises(ConfigurationError, match="empty"):
            async with open_engine(settings(tmp_path, **overrides)):
                pass
