"""Windows of equal size."""

from __future__ import annotations

import itertools

from indexer.chunking.base import Piece
from indexer.chunking.fixed import FixedChunker
from rag.types.documents import Page
from tests.indexer.chunking.rulers import SmallRuler

SENTENCE = "The claim has to be filed within thirty days. "


def cut(text: str, *, ruler: SmallRuler | None = None) -> list[Piece]:
    return FixedChunker(ruler or SmallRuler()).cut([Page(1, text)], title="")


def text_of(piece: Piece) -> str:
    return piece.page.text[piece.start : piece.end]


def test_windows_end_and_begin_at_sentences():
    pieces = cut(SENTENCE * 100)
    assert all(text_of(piece).startswith("The") and text_of(piece).endswith("days.") for piece in pieces)


def test_windows_overlap_by_at_most_the_overlap():
    pieces = cut(SENTENCE * 100)
    overlaps = [before.end - after.start for before, after in itertools.pairwise(pieces)]
    assert overlaps and all(len(SENTENCE) < overlap <= 150 for overlap in overlaps)


def test_a_short_tail_joins_its_neighbour():
    pieces = cut("x" * 900 + " " + "y" * 60)
    assert [(piece.start, piece.end) for piece in pieces] == [(0, 961)]


def test_a_tail_of_the_minimum_stands_alone():
    pieces = cut("x" * 900 + " " + "y" * 120)
    assert len(pieces) == 2 and text_of(pieces[1]).endswith("y" * 120)


def test_a_tail_that_the_model_would_not_read_grows_backwards_instead():
    pieces = cut("規" * 260, ruler=SmallRuler(max_tokens=250))
    assert [(piece.start, piece.end) for piece in pieces] == [(0, 250), (140, 260)]


def test_a_page_shorter_than_the_minimum_is_kept():
    assert [text_of(piece) for piece in cut("\n  Closed on Sundays.\n")] == ["Closed on Sundays."]


def test_no_window_reaches_over_a_page():
    pages = [Page(1, "First page."), Page(2, ""), Page(3, "Third page.")]
    pieces = FixedChunker(SmallRuler()).cut(pages, title="")
    assert [(piece.page.number, text_of(piece)) for piece in pieces] == [(1, "First page."), (3, "Third page.")]


def test_each_window_names_the_headings_where_it_begins():
    pieces = cut(f"# Claims\n\n{SENTENCE * 25}\n\n## Appeals\n\n{SENTENCE * 60}")
    assert pieces[0].headings == ("Claims",) and pieces[-1].headings == ("Claims", "Appeals")
