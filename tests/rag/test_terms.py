"""Words as BM25 counts them, and how rankings are put together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.embedding.sparse import K1, Bm25
from rag.embedding.terms import TermSplitter, is_code
from rag.retrieval.hybrid import fuse
from rag.types import ScoredChunk
from tests.documents import a_chunk, a_document


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("CB-4471-K", "cb4471k"),
        ("CB-4471-K", "CB/4471/K"),
        ("1,250,000", "1250000"),
        ("1'250'000", "1250000"),
        ("Crème brûlée", "creme brulee"),
        ("the supplier’s invoices", "supplier invoice"),
        ("ＡＢＣ１２３", "abc123"),
        ("ﬁnance", "finance"),
        ("STRASSE", "Straße"),
        ("running", "run"),
        ("überPrüfung", "uber prufung"),
        ("HTTPServer", "http server"),
        ("København", "KØBENHAVN"),
        ("CB‑4471‑K", "CB-4471-K"),
        ("CB‐4471‐K", "CB-4471-K"),
        ("CB-4471-Kの価格は？", "CB-4471-K"),
        ("東京2026年", "2026"),
        ("名古屋A棟の予算", "名古屋"),
    ],
)
def test_ways_to_write_the_same_give_the_same_terms(one: str, other: str) -> None:
    terms = TermSplitter().split
    assert set(terms(other)) <= set(terms(one))


def test_compounds_are_found_whole_and_in_parts() -> None:
    terms = TermSplitter().split
    assert {"maxretri", "max", "retri"} <= set(terms("maxRetries"))
    assert {"cb4471k", "4471"} <= set(terms("CB-4471-K"))
    assert terms("Anträge") == ["antrag"]
    assert terms("名古屋") == ["名古", "古屋"]
    assert terms("a 名 b") == ["名", "b"]
    assert terms("CB-4471-Kの価格") == [*terms("CB-4471-K"), *terms("の価格")]
    assert terms("what is the of") == []
    assert "100" not in terms("1,00")


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("cfol999", True),
        ("cb4471k", True),
        ("24hour", False),
        ("b2b", False),
        ("fy2026", False),
        ("2026", False),
        ("q3", False),
    ],
)
def test_codes_are_told_from_words_and_quantities(term: str, expected: bool) -> None:
    assert is_code(term) is expected


@given(st.text())
def test_no_text_is_too_odd_and_equal_texts_give_equal_vectors(text: str) -> None:
    bm25 = Bm25()
    assert bm25.terms(text) == bm25.terms(text)
    vector = bm25.document(text)
    assert np.all(np.diff(vector.indices.astype(np.int64)) > 0)
    assert np.all(vector.values > 0) and np.all(vector.values < K1 + 1)
    assert vector.indices.tolist() == bm25.query(text).indices.tolist()


def test_a_repeated_term_weighs_more_and_a_longer_text_less() -> None:
    bm25 = Bm25()

    def weight(text: str) -> float:
        vector = bm25.document(text)
        return float(vector.values[vector.indices.tolist().index(int(bm25.term("whale").indices[0]))])

    assert weight("whale") < weight("whale whale") < 2 * weight("whale")
    assert weight("whale " + "sea " * 200) < weight("whale")
    assert weight("whale " + "sea " * 119) == pytest.approx(1.0)


def hits(*ordinals: int, signal: str) -> list[ScoredChunk]:
    document = a_document()
    return [ScoredChunk(a_chunk(document, ordinal, str(ordinal)), 1.0, {signal: 1.0}) for ordinal in ordinals]


def test_fusion_by_hand() -> None:
    fused = fuse([hits(1, 2, 3, signal="dense"), hits(3, 4, signal="bm25")])
    assert [hit.chunk.ordinal for hit in fused[:2]] == [3, 1]
    assert fused[0].score == pytest.approx(1 / 63 + 1 / 61)
    assert fused[1].score == pytest.approx(1 / 61)
    assert fused[0].signals == {"dense": 1.0, "bm25": 1.0, "rrf": fused[0].score}
    tied = {hit.chunk.ordinal: hit.score for hit in fused[2:]}
    assert tied == {2: 1 / 62, 4: 1 / 62}
    assert [hit.chunk.id for hit in fused[2:]] == sorted(hit.chunk.id for hit in fused[2:])
    assert fuse([[], []]) == []
