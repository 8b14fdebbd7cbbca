"""Parents: where they end, and that every chunk has one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.chunking.fixed import FixedChunker
from indexer.chunking.hierarchical import HierarchicalChunker, boundaries
from rag.errors import ConfigurationError
from rag.types.documents import Page
from tests.indexer.chunking.rulers import SmallRuler


class SharedWords:
    """Texts are alike as far as they share words."""

    name = "shared words"

    def of_neighbours(self, texts: Sequence[str]) -> list[float]:
        words = [set(text.lower().split()) for text in texts]
        return [len(one & two) / (len(one | two) or 1) for one, two in pairwise(words)]


def a_chunker(**sizes: int) -> HierarchicalChunker:
    inner = FixedChunker(SmallRuler(), size=40, overlap=0, minimum=0)
    return HierarchicalChunker(inner, SharedWords(), **sizes)


def test_a_parent_ends_where_the_subject_changes() -> None:
    whales = "Whales sing and whales swim far away. " * 5
    taxes = "Taxes are due and taxes are paid now. " * 4
    pieces = a_chunker().cut([Page(1, whales + taxes)], title="Notes")
    by_parent = {piece.parent: {"Whales": 0, "Taxes": 0} for piece in pieces}
    for piece in pieces:
        by_parent[piece.parent][piece.page.text[piece.start : piece.start + 6].strip().rstrip("s") + "s"] += 1
    assert by_parent == {0: {"Whales": 5, "Taxes": 0}, 1: {"Whales": 0, "Taxes": 4}}


def test_pieces_are_those_of_the_inner_chunker() -> None:
    pages = [Page(1, "One sentence after the other. " * 30), Page(2, "And more of it here. " * 20)]
    inner = FixedChunker(SmallRuler(), size=40, overlap=0, minimum=0).cut(pages, title="Notes")
    pieces = a_chunker().cut(pages, title="Notes")
    assert [(p.page.number, p.start, p.end) for p in pieces] == [(p.page.number, p.start, p.end) for p in inner]
    assert [piece.parent for piece in pieces] == sorted(piece.parent or 0 for piece in pieces)


@pytest.mark.parametrize("pages", [[], [Page(1, "  \n ")]])
def test_nothing_has_no_parents(pages: list[Page]) -> None:
    assert a_chunker().cut(pages, title="Notes") == []


@given(st.lists(st.floats(-1, 1), max_size=200), st.integers(1, 5), st.integers(0, 10))
def test_no_parent_is_too_long_or_too_short(alike: list[float], fewest: int, more: int) -> None:
    most = 2 * fewest - 1 + more
    cuts = boundaries(alike, fewest=fewest, most=most)
    pieces = len(alike) + 1
    lengths = [end - start for start, end in pairwise([0, *cuts, pieces])]
    assert sum(lengths) == pieces
    assert max(lengths) <= most
    assert min(lengths) >= min(fewest, pieces)


def test_the_weakest_boundary_goes_first() -> None:
    assert boundaries([0.9, 0.8, 0.1, 0.9, 0.9], fewest=1, most=5) == [3]
    assert boundaries([0.9, 0.8, 0.1, 0.9, 0.9], fewest=1, most=6) == [3]
    assert boundaries([0.5] * 5, fewest=3, most=6) == []


def test_every_parameter_is_in_the_recipe() -> None:
    recipes = {a_chunker().recipe, a_chunker(fewest=2).recipe, a_chunker(most=9).recipe}
    assert len(recipes) == 3
    assert all("shared words" in recipe and "fixed" in recipe for recipe in recipes)


def test_sizes_that_no_cut_can_keep_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="4 chunks at least and 6 at most"):
        a_chunker(fewest=4, most=6)
