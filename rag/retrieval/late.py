"""Late interaction: each token of a question looks for its like in a passage (MaxSim).

Khattab & Zaharia, "ColBERT", SIGIR 2020, section 3.3: the sum over the question's tokens of the best cosine to a token
of the passage. With models that were not trained for it, it may rank worse than one vector a text: measure first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rag.embedding.base import TokenModel, TokenVectors
from rag.errors import ConfigurationError
from rag.retrieval.base import Retriever
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.rerank import Reranked
from rag.types.vectors import Matrix


@dataclass(frozen=True, slots=True)
class Interaction:
    """Question and passage, token by token."""

    matrix: Matrix
    """Cosines: shape (tokens of the question, tokens of the passage)."""
    winners: Sequence[int]
    """For each token of the question, the place of the passage's token that is most like it."""
    score: float
    """The mean of the winners' cosines: the sum would be higher for longer questions. 0 where a side has no tokens."""


def interaction(question: TokenVectors, passage: TokenVectors) -> Interaction:
    """How the score of a passage comes about."""
    matrix: Matrix = question.rows @ passage.rows.T
    if not matrix.size:
        return Interaction(matrix, (), 0.0)
    winners = [int(place) for place in matrix.argmax(axis=1)]
    return Interaction(matrix, winners, float(np.mean(matrix.max(axis=1))))


class LateReranker:
    """A Reranker by MaxSim over the vectors of tokens, which are computed when they are asked for."""

    def __init__(self, model: TokenModel) -> None:
        self._model = model
        self.name = f"late/{model.name}"

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """One mean cosine a text, in order: from -1 to 1."""
        if not texts:
            return []
        asked = await self._model.encode_query_tokens(question)
        return [interaction(asked, read).score for read in await self._model.encode_document_tokens(texts)]


def late(inner: Retriever, deps: RetrievalDeps) -> Reranked:
    """The stage `late`. Raises ConfigurationError."""
    if deps.tokens is None:
        raise ConfigurationError(
            "the stage `late` needs a model that tells the vectors of tokens: take another FOOTNOTE_EMBEDDING__MODEL, "
            "or leave `+late` away"
        )
    return Reranked(inner, LateReranker(deps.tokens), pool=deps.settings.rerank_pool)
