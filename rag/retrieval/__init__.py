"""The retrieval modes. To add one: write its file, add its line."""

from collections.abc import Mapping
from typing import Final, Protocol

from rag.embedding.base import Embedder
from rag.retrieval.base import Retriever
from rag.retrieval.hierarchical import HierarchicalRetriever
from rag.retrieval.hybrid import HybridRetriever
from rag.retrieval.single import Bm25Retriever, DenseRetriever
from rag.store.base import VectorStore


class Mode(Protocol):
    """Makes a retriever."""

    def __call__(self, embedder: Embedder, store: VectorStore, *, candidates: int) -> Retriever:
        """`candidates`: how many chunks each way of searching brings in."""
        ...


MODES: Final[Mapping[str, Mode]] = {
    "dense": DenseRetriever,
    "bm25": Bm25Retriever,
    "hybrid": HybridRetriever,
    "hierarchical": HierarchicalRetriever,
}
