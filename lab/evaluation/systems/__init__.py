"""The ways that are measured: those of the engine, and bare baselines to hold them against."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from lab.evaluation.sets.base import QuestionCorpus
from lab.evaluation.systems import bm25_documents, embedding_alone
from lab.evaluation.systems.base import MeasuredMode
from lab.evaluation.systems.bm25_documents import Bm25Documents
from lab.evaluation.systems.embedding_alone import EmbeddingAlone
from rag.embedding.base import DenseModel

BASELINES: Final[Mapping[str, Callable[[QuestionCorpus, DenseModel, Path], MeasuredMode]]] = {
    bm25_documents.NAME: lambda corpus, _model, _folder: Bm25Documents(corpus),
    embedding_alone.NAME: EmbeddingAlone,
}
"""They read the set itself: no chunker, no index. Each is made from a corpus, the dense model and a work folder."""
