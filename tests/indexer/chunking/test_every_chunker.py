"""What every chunker promises, tried on texts that nobody would write."""

from __future__ import annotations

import itertools
import pkgutil
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import indexer.chunking
from indexer.chunking import CHUNKERS
from indexer.chunking.base import Chunker, Piece
from rag.errors import ConfigurationError
from rag.types import Page, context_line
from tests.indexer.chunking.rulers import SmallRuler

TITLE = "Travel policy"
RULER = SmallRuler(max_tokens=64)

_BLOCKS = st.one_of(
    st.text(alphabet="ab .\n", max_size=120),
    st.text(alphabet="夜来風雨声。 \n", max_size=90),
    st.text(alphabet="e\u0301👩\u200d👧🏽🇩🇪 ", max_size=40),
    st.text(max_size=30),
    st.sampled_from(["# One", "## Two", "### Three", "Underlined\n=====", "```\n# code\n```", "~~~", "---", "\n\n"]),
    st.integers(1, 300).map(lambda count: "x" * count),
    st.integers(1, 12).map(lambda rows: "\n".join(f"| cell {row} | value {row} |" for row in range(rows))),
    st.lists(st.text(alphabet="word .", min_size=1, max_size=20), max_size=30).map("\n".join),
)
_TEXTS = st.lists(_BLOCKS, max_size=12).map("\n".join)
_HEADINGS = st.lists(st.sampled_from(["Chapter 1", "休暇", "A very long heading " * 12]), max_size=3).map(tuple)
_PAGES = st.lists(st.tuples(_TEXTS, _HEADINGS), max_size=3).map(
    lambda pages: [Page(number, text, headings=above) for number, (text, above) in enumerate(pages, start=1)]
)
_CHUNKERS = st.sampled_from(
    [
        CHUNKERS["fixed"](RULER, size=90, overlap=20, minimum=15),
        CHUNKERS["fixed"](RULER, size=900, overlap=150, minimum=120),
        CHUNKERS["fixed"](RULER, size=40, overlap=39, minimum=0),
        CHUNKERS["markdown"](RULER, size=90, overlap=20),
        CHUNKERS["markdown"](RULER, size=800, overlap=120),
        CHUNKERS["markdown"](RULER, size=40, overlap=39),
    ]
)


def test_every_chunker_is_in_the_table():
    modules = {module.name for module in pkgutil.iter_modules(indexer.chunking.__path__)}
    parts_of_chunkers = {"base", "boundaries", "limits", "structure", "windows"}
    assert modules - parts_of_chunkers == set(CHUNKERS)


@given(chunker=_CHUNKERS, pages=_PAGES)
def test_no_character_is_lost(chunker: Chunker, pages: Sequence[Page]):
    pieces = chunker.cut(pages, title=TITLE)
    for page in pages:
        covered = {at for piece in pieces if piece.page is page for at in range(piece.start, piece.end)}
        assert [at for at, character in enumerate(page.text) if not character.isspace() and at not in covered] == []


@given(chunker=_CHUNKERS, pages=_PAGES)
def test_pieces_stand_in_reading_order_and_none_is_blank_or_inside_another(chunker: Chunker, pages: Sequence[Page]):
    pieces = chunker.cut(pages, title=TITLE)
    places = [(piece.page.number, piece.start, piece.end) for piece in pieces]
    assert places == sorted(places)
    for piece in pieces:
        text = piece.page.text[piece.start : piece.end]
        assert text and text == text.strip()
    for before, after in itertools.pairwise(pieces):
        assert after.page is not before.page or after.end > before.end


@given(chunker=_CHUNKERS, pages=_PAGES)
def test_no_piece_is_longer_than_the_model_reads(chunker: Chunker, pages: Sequence[Page]):
    for piece in chunker.cut(pages, title=TITLE):
        assert len(RULER.ends(_searchable(piece))) <= RULER.max_tokens


@given(chunker=_CHUNKERS, pages=_PAGES)
def test_the_same_pages_give_the_same_pieces(chunker: Chunker, pages: Sequence[Page]):
    copies = [replace(page) for page in pages]
    assert chunker.cut(pages, title=TITLE) == chunker.cut(copies, title=TITLE)


@given(pages=_PAGES)
def test_markdown_keeps_to_its_size(pages: Sequence[Page]):
    pieces = CHUNKERS["markdown"](RULER, size=90, overlap=20).cut(pages, title=TITLE)
    assert all(piece.end - piece.start <= 90 for piece in pieces)


@given(pages=_PAGES)
def test_fixed_windows_exceed_their_size_by_less_than_the_minimum(pages: Sequence[Page]):
    pieces = CHUNKERS["fixed"](RULER, size=90, overlap=20, minimum=15).cut(pages, title=TITLE)
    assert all(piece.end - piece.start < 90 + 15 for piece in pieces)


@pytest.mark.parametrize("name", CHUNKERS)
def test_recipes_tell_every_parameter_apart(name: str):
    make = CHUNKERS[name]
    recipes = [
        make(RULER).recipe,
        make(RULER, size=500).recipe,
        make(RULER, overlap=10).recipe,
        make(SmallRuler(max_tokens=510)).recipe,
    ]
    assert len(set(recipes)) == len(recipes)


@pytest.mark.parametrize("name", CHUNKERS)
@pytest.mark.parametrize("sizes", [{"size": 0}, {"size": 100, "overlap": 100}, {"overlap": -1}])
def test_sizes_that_cannot_work_are_refused(name: str, sizes: dict[str, int]):
    with pytest.raises(ConfigurationError, match=r"FOOTNOTE_CHUNK_SIZE.*FOOTNOTE_CHUNK_OVERLAP"):
        CHUNKERS[name](RULER, **sizes)


@pytest.mark.parametrize("name", CHUNKERS)
@pytest.mark.parametrize(
    "text",
    [
        "A" * 1_000_000,
        "春眠不覚暁処処聞啼鳥。" * 60_000,
        "Plain words in a sentence. " * 40_000,
        "| a | b |\n" * 60_000,
    ],
    ids=["one word", "Chinese", "prose", "table"],
)
def test_a_long_text_is_measured_only_a_few_times_over(name: str, text: str):
    ruler = CountingRuler()
    CHUNKERS[name](ruler).cut([Page(1, text)], title=TITLE)
    assert ruler.characters < 12 * len(text)


class CountingRuler(SmallRuler):
    """Counts the characters that it has measured: the work, which time would measure less surely."""

    __slots__ = ("characters",)

    def __init__(self) -> None:
        super().__init__()
        object.__setattr__(self, "characters", 0)

    characters: int

    def ends(self, text: str) -> list[int]:
        object.__setattr__(self, "characters", self.characters + len(text))
        return super().ends(text)


def _searchable(piece: Piece) -> str:
    return f"{context_line(TITLE, piece.headings)}\n{piece.page.text[piece.start : piece.end]}"
