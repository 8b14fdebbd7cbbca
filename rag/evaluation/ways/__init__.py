"""The ways that are measured: those of the engine, and bare baselines to hold them against."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from rag.embedding.base import DenseModel
from rag.evaluation.sets.base import Corpus
from rag.evaluation.ways import bm25_documents, embedding_alone
from rag.evaluation.ways.base import Way
from rag.evaluation.ways.bm25_documents import Bm25Documents
from rag.evaluation.ways.embedding_alone import EmbeddingAlone

BASELINES: Final[Mapping[str, Callable[[Corpus, DenseModel, Path], Way]]] = {
    bm25_documents.NAME: lambda corpus, _model, _folder: Bm25Documents(corpus),
    embedding_alone.NAME: EmbeddingAlone,
}
"""They read the set itself: no chunker, no index. Each is made from a corpus, the dense model and a work folder."""
