"""What the words of a question weigh."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.embedding.sparse import Bm25
from rag.retrieval.idf import idf, query_terms, weighed
from rag.types.scope import Scope
from tests.rag.answering.parts import a_filled_store


def test_a_rarer_term_weighs_more_and_one_that_all_hold_nearly_nothing() -> None:
    weights = [idf(1000, holders) for holders in (1, 10, 500, 1000)]
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] == pytest.approx(0, abs=1e-3)


def test_a_word_weighs_as_its_commonest_variant() -> None:
    [word] = weighed([("holidays", "holiday")], {"holidays": 5.0, "holiday": 2.0})
    assert (word.variants, word.idf, word.seen) == (("holidays", "holiday"), 2.0, True)


def test_an_unseen_word_outweighs_the_rarest_seen_one_but_not_two_of_them() -> None:
    """Else one strange word hides what is there, or a question about nothing in the index passes for answered."""
    rarest, unseen, common = weighed([("quokka",), ("zyx",), ("of",)], {"quokka": 4.0, "of": 0.5})
    assert common.idf < rarest.idf < unseen.idf < 2 * rarest.idf
    assert not unseen.seen


def test_without_any_seen_word_all_weigh_alike() -> None:
    assert len({word.idf for word in weighed([("a",), ("b",)], {})}) == 1


async def test_words_are_weighed_by_the_whole_index_and_seen_in_scope_alone(tmp_path: Path) -> None:
    texts = {"sales__a": ["quokka wheels", "wheels"], "HR__b": ["zebra", "wheels", "zebra"]}
    sales = Scope(frozenset({"drive/sales"}))
    async with a_filled_store(tmp_path, **texts) as store:
        generation, everywhere = await query_terms(store, Bm25(), "quokka wheels zebra", Scope.everything())
        _, in_sales = await query_terms(store, Bm25(), "quokka wheels zebra", sales)
    assert generation == 1
    assert [word.idf for word in everywhere] == pytest.approx([idf(5, 1), idf(5, 3), idf(5, 2)])
    assert [word.seen for word in in_sales] == [True, True, False]
    assert [word.idf for word in in_sales[:2]] == [word.idf for word in everywhere[:2]]
