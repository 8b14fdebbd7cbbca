"""What bases and stages are built from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rag.embedding.base import Embedder, TokenModel
from rag.embedding.sparse import Bm25
from rag.errors import ConfigurationError
from rag.llm.base import LLM
from rag.retrieval.base import Reranker
from rag.retrieval.ranking.model import Weights, load_weights
from rag.settings.groups import RetrievalSettings
from rag.store.base import VectorStore


def no_reranker() -> Reranker:
    """Where no cross-encoder is named. Raises ConfigurationError."""
    raise ConfigurationError(
        "the stage `cross` needs a cross-encoder: name its folder, or its name on the model hub, in "
        "FOOTNOTE_RETRIEVAL__RERANKER, or leave `+cross` away"
    )


@dataclass(frozen=True, slots=True)
class RetrievalDeps:
    """One for a whole program; a base or a stage takes from it what it needs, and raises where that is missing."""

    embedder: Embedder
    store: VectorStore
    settings: RetrievalSettings
    llm: LLM | None = None
    """None where none is configured."""
    tokens: TokenModel | None = None
    """The dense model, where it tells the vectors of a text's tokens."""
    reranker: Callable[[], Reranker] = no_reranker
    """Gives the same one each time, loaded when it is first asked for. Raises ConfigurationError."""
    bm25: Bm25 = field(default_factory=Bm25)
    """Splits texts into the terms that the embedder weighs: its own, so that what it has learned is kept once."""
    weights: Weights = field(default_factory=load_weights)
    """What tells how likely a passage answers."""
