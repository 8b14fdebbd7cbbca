"""Late interaction: what it computes, and where it puts what it has looked at."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.embedding.base import TokenVectors
from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.minilm import MiniLM
from rag.embedding.sparse import Bm25
from rag.errors import ConfigurationError
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.late import LateReranker, interaction, late
from rag.retrieval.searches import dense
from rag.settings.groups import RetrievalSettings
from rag.store.edge import EdgeStore
from rag.types.scope import Scope
from rag.types.vectors import Matrix
from tests.documents import DIMENSIONS, WordModel
from tests.rag.answering.parts import a_filled_store


class WordTokens(WordModel):
    """A vector for each word, the same wherever it stands."""

    async def encode_document_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        return [self._tokens(text) for text in texts]

    async def encode_query_tokens(self, text: str) -> TokenVectors:
        return self._tokens(text)

    def _tokens(self, text: str) -> TokenVectors:
        words = text.split()
        rows: Matrix = np.stack([self._vector(word) for word in words]) if words else np.empty((0, DIMENSIONS), "f4")
        return TokenVectors(rows, [(0, 1)] * len(words))


def tokens(*rows: Sequence[float]) -> TokenVectors:
    matrix: Matrix = np.array(rows, dtype=np.float32).reshape(len(rows), 2)
    return TokenVectors(matrix, [(place, place + 1) for place in range(len(rows))])


def test_each_token_of_the_question_finds_its_like_and_the_score_is_their_mean() -> None:
    found = interaction(tokens((1, 0), (0, 1)), tokens((0.6, 0.8), (1, 0), (-1, 0)))
    assert found.matrix.shape == (2, 3) and found.winners == [1, 0]
    assert found.score == pytest.approx((1 + 0.8) / 2)


def test_a_side_without_tokens_scores_nothing() -> None:
    assert interaction(tokens(), tokens((1, 0))).score == 0 == interaction(tokens((1, 0)), tokens()).score
    assert interaction(tokens((1, 0)), tokens()).winners == ()


@given(st.permutations(["blue", "whales", "sing", "of", "ice"]), st.permutations(["krill", "is", "blue", "ice"]))
async def test_order_changes_nothing_where_vectors_know_no_context(asked: list[str], read: list[str]) -> None:
    reranker = LateReranker(WordTokens())
    [score] = await reranker.score(" ".join(asked), [" ".join(read)])
    assert score == pytest.approx(2 / 5, abs=0.02)  # blue and ice; words may fall together in 256 places


async def test_a_passage_that_holds_the_question_scores_one_and_no_text_nothing() -> None:
    reranker = LateReranker(WordTokens())
    scores = await reranker.score("whales sing", ["the whales sing loud", "whales swim", "", "taxes"])
    assert scores[0] == pytest.approx(1) and scores == sorted(scores, reverse=True)
    assert await reranker.score("whales sing", []) == []


async def test_the_stage_puts_a_shortlist_in_its_order(tmp_path: Path) -> None:
    texts = ["whales " * 9 + "sing", "taxes are due", "the ice sings and whales sing loud in the northern sea of ice"]
    async with a_filled_store(tmp_path, notes=texts) as store:
        model = WordTokens()
        settings = RetrievalSettings(rerank_pool=2)
        deps = RetrievalDeps(HybridEmbedder(model, Bm25()), store, settings, tokens=model)
        inner = dense(deps)
        before = (await inner.retrieve("ice whales sing", Scope.everything(), limit=3)).ranked
        after = (await late(inner, deps).retrieve("ice whales sing", Scope.everything(), limit=3)).ranked
    pool = {hit.chunk.id for hit in before[:2]}
    assert {hit.chunk.id for hit in after[:2]} == pool and after[2] == before[2]
    assert after[0].chunk.text == texts[2]


async def test_the_packaged_model_prefers_what_speaks_of_the_question() -> None:
    scores = await LateReranker(MiniLM()).score(
        "How long is parental leave?",
        ["Parents may take leave of up to three years.", "The pump is lubricated with oil of grade 46."],
    )
    assert scores[0] > scores[1]


def test_without_a_model_of_tokens_the_stage_is_refused(tmp_path: Path) -> None:
    deps = RetrievalDeps(HybridEmbedder(WordModel(), Bm25()), EdgeStore(tmp_path), RetrievalSettings())
    with pytest.raises(ConfigurationError, match=r"late.*FOOTNOTE_EMBEDDING__MODEL"):
        late(dense(deps), deps)
