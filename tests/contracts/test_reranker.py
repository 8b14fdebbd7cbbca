"""A real CrossEncoder, small enough to be made in a test, behind our port and around a retriever."""

from __future__ import annotations

import shutil
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.sparse import Bm25
from rag.errors import ConfigurationError
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.rerank import CrossEncoderReranker, Reranked
from rag.retrieval.searches import hybrid
from rag.settings.groups import RetrievalSettings
from rag.store.edge import EdgeStore
from rag.types.scope import Scope
from tests.documents import WordModel
from tests.embedding_models import a_cross_encoder
from tests.rag.answering.parts import a_filled_store

pytestmark = pytest.mark.needs("torch")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A cross-encoder with weights that no training has touched."""
    return a_cross_encoder(tmp_path / "reranker")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[EdgeStore]:
    texts = [f"whale number {number} sings of {word}" for number, word in enumerate(["ice", "sun", "ships", "krill"])]
    async with a_filled_store(tmp_path, whales=texts) as store:
        yield store


async def test_a_retriever_is_put_in_the_order_of_its_reranker(folder: Path, store: EdgeStore) -> None:
    reranker = CrossEncoderReranker(str(folder))
    assert await reranker.score("q", []) == []
    inner = hybrid(RetrievalDeps(HybridEmbedder(WordModel(), Bm25()), store, RetrievalSettings(candidates=10)))
    before = (await inner.retrieve("whale number 1", Scope.everything(), limit=4)).ranked
    scores = await reranker.score("whale number 1", [hit.chunk.searchable for hit in before])
    assert len(set(scores)) == 4
    after = (await Reranked(inner, reranker, pool=4).retrieve("whale number 1", Scope.everything(), limit=4)).ranked
    places = [hit.chunk.id for hit in before]
    assert [hit.chunk.id for hit in after] == [place for _, place in sorted(zip(scores, places, strict=True))[::-1]]
    part = (await Reranked(inner, reranker, pool=2).retrieve("whale number 1", Scope.everything(), limit=4)).ranked
    assert [hit.chunk.id for hit in part[2:]] == places[2:]


@pytest.mark.parametrize("harm", ["gone", "cut off", "no folder"])
def test_a_reranker_that_cannot_be_loaded_stops_the_start(folder: Path, harm: str) -> None:
    weights = folder / "model.safetensors"
    match harm:
        case "gone":
            weights.unlink()
        case "cut off":
            weights.write_bytes(weights.read_bytes()[:100])
        case _:
            shutil.rmtree(folder)
    with pytest.raises(ConfigurationError, match="FOOTNOTE_RETRIEVAL__RERANKER"):
        CrossEncoderReranker(str(folder))
