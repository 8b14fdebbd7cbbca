"""The embedding model alone, over whole documents or pages cut where it stops reading: the published baseline."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from lab.evaluation.sets.base import QuestionCorpus
from lab.evaluation.systems.base import FoundPassage, Ranking
from lab.evaluation.systems.whole import whole_texts
from rag.embedding.base import DenseModel
from rag.telemetry import Stopwatch
from rag.types.vectors import Matrix

BATCH: Final = 64
NAME: Final = "embedding-alone"


class EmbeddingAlone:
    """Cosine of a question to the beginning of each text. Its vectors are kept in the work folder."""

    def __init__(self, corpus: QuestionCorpus, model: DenseModel, folder: Path) -> None:
        """`folder`: where vectors are kept. Raises EvaluationError."""
        self.name = NAME
        texts = whole_texts(corpus)
        self._places = list(texts)
        self._texts = list(texts.values())
        self._model = model
        self._folder = folder
        self._rows: Matrix | None = None

    async def ask(self, question: str, *, limit: int, decide: bool = False) -> Ranking:
        """The nearest documents or pages."""
        del decide  # it has no rule for that
        if self._rows is None:
            self._rows = await self._embedded()
        watch = Stopwatch()
        with watch.stage("embed"):
            query = await self._model.encode_query(question)
        with watch.stage("retrieve"):
            cosines = self._rows @ query
            best = np.argsort(-cosines, kind="stable")[:limit]
        return Ranking([FoundPassage((self._places[place],), float(cosines[place])) for place in best], watch.seconds)

    async def _embedded(self) -> Matrix:
        """The vectors of all texts: those of an earlier run where texts and model are the same."""
        digest = hashlib.sha256("\0".join([self._model.name, *self._texts]).encode()).hexdigest()[:16]
        kept = self._folder / f"{NAME}-{digest}.npy"
        if kept.is_file():
            return np.load(kept)
        batches = [self._texts[start : start + BATCH] for start in range(0, len(self._texts), BATCH)]
        rows = np.concatenate([await self._encoded(batch) for batch in batches])
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.save(kept, rows)
        return rows

    async def _encoded(self, texts: Sequence[str]) -> Matrix:
        return await self._model.encode_documents(texts)
