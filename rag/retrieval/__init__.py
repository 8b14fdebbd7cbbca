"""The bases that search, and the stages that go over what was found. To add one: write its file, add its line."""

from collections.abc import Mapping
from typing import Final, Protocol

from rag.retrieval.base import Retriever
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.hierarchical import HierarchicalRetriever
from rag.retrieval.hybrid import FusionRetriever, HybridRetriever
from rag.retrieval.late import late
from rag.retrieval.mmr import MmrRetriever
from rag.retrieval.multi_query import queries
from rag.retrieval.ranked import Ranked
from rag.retrieval.rerank import cross
from rag.retrieval.single import Bm25Retriever, DenseRetriever


class Mode(Protocol):
    """Makes a retriever that searches the store."""

    def __call__(self, means: RetrievalDeps, /) -> Retriever:
        """Raises ConfigurationError where something is missing that it needs."""
        ...


class Stage(Protocol):
    """Makes a retriever that wraps another one."""

    def __call__(self, inner: Retriever, means: RetrievalDeps, /) -> Retriever:
        """Raises ConfigurationError where something is missing that it needs. Slow where it loads a model."""
        ...


MODES: Final[Mapping[str, Mode]] = {
    "dense": DenseRetriever,
    "bm25": Bm25Retriever,
    "hybrid": HybridRetriever,
    "fusion": FusionRetriever,
    "mmr": MmrRetriever,
    "hierarchical": HierarchicalRetriever,
}

STAGES: Final[Mapping[str, Stage]] = {
    "ranker": Ranked,
    "queries": queries,
    "cross": cross,
    "late": late,
}
