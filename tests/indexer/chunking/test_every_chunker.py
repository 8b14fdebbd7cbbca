"""What every chunker promises, tried on texts that nobody would write."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from indexer.chunking import CHUNKERS
from indexer.chunking.base import Chunker, Piece
from rag.errors import ConfigurationError
from rag.types.chunks import context_line
from rag.types.documents import Page
from tests.indexer.chunking.rulers import CountingRuler, SmallRuler
from tests.indexer.chunking.similarities import SharedWords
from tests.indexer.chunking.texts import LIKE_REAL_ONES

TITLE = "Travel policy"
RULER = SmallRuler(max_tokens=64)
SIMILARITY = SharedWords()

SIZES: Final[Mapping[str, Sequence[Mapping[str, int]]]] = {
    "fixed": [{"size": 90, "overlap": 20}, {}, {"size": 40, "overlap": 30}],
    "tokens": [{"size": 20, "overlap": 5}, {}, {"size": 10, "overlap": 7}],
    "sentence": [{"size": 90, "overlap": 30}, {}, {"size": 40, "overlap": 30}],
    "semantic": [{"size": 90}, {}, {"size": 40, "overlap": 30}],
    "markdown": [{"size": 90, "overlap": 20}, {}, {"size": 40, "overlap": 30}],
    "hierarchical": [{"size": 90, "overlap": 20}, {}],
}
"""Small, usual and mean ones."""
_TAIL: Final[Mapping[str, int]] = {"fixed": 120}
"""Characters by which the last chunk of a page may exceed the size."""

_BLOCKS = st.one_of(
    st.text(alphabet="ab .\n", max_size=120),
    st.text(alphabet="夜来風雨声。 \n", max_size=90),
    st.text(alphabet="e\u0301👩\u200d👧🏽🇩🇪 ", max_size=40),
    st.text(max_size=30),
    st.sampled_from(["# One", "## Two", "### Three", "Underlined\n=====", "```\n# code\n```", "~~~", "---", "\n\n"]),
    st.sampled_from(["| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", "    # code", "\t# code", "- item\n\n    more"]),
    st.integers(1, 300).map(lambda count: "x" * count),
    st.integers(1, 12).map(lambda rows: "\n".join(f"| cell {row} | value {row} |" for row in range(rows))),
    st.lists(st.text(alphabet="word .", min_size=1, max_size=20), max_size=30).map("\n".join),
    st.sampled_from([text[:400] for text in LIKE_REAL_ONES.values()]),
)
_TEXTS = st.lists(_BLOCKS, max_size=12).map("\n".join)
_HEADINGS = st.lists(st.sampled_from(["Chapter 1", "休暇", "A very long heading " * 12]), max_size=3).map(tuple)
_PAGES = st.lists(st.tuples(_TEXTS, _HEADINGS), max_size=3).map(
    lambda pages: [Page(number, text, headings=above) for number, (text, above) in enumerate(pages, start=1)]
)
_REAL = [Page(number, text) for number, text in enumerate([*LIKE_REAL_ONES.values(), "", " \n\t\n"], start=1)]
_MADE = [(name, sizes) for name, several in SIZES.items() for sizes in several]

_few = settings(max_examples=25, deadline=None)  # each test runs over every chunker, and a machine may be busy

every_chunker = pytest.mark.parametrize(
    ("name", "sizes"), _MADE, ids=[f"{name}-{'-'.join(map(str, sizes.values())) or 'usual'}" for name, sizes in _MADE]
)


def made(name: str, sizes: Mapping[str, int], ruler: SmallRuler = RULER) -> Chunker:
    return CHUNKERS[name](ruler, SIMILARITY, **sizes)


def text_of(piece: Piece) -> str:
    return piece.page.text[piece.start : piece.end]


def test_every_chunker_is_tried():
    assert set(SIZES) == set(CHUNKERS)


@every_chunker
@_few
@given(pages=_PAGES)
@example(pages=_REAL)
def test_no_character_is_lost(name: str, sizes: Mapping[str, int], pages: Sequence[Page]):
    pieces = made(name, sizes).cut(pages, title=TITLE)
    for page in pages:
        covered = {at for piece in pieces if piece.page is page for at in range(piece.start, piece.end)}
        assert [at for at, character in enumerate(page.text) if not character.isspace() and at not in covered] == []


@every_chunker
@_few
@given(pages=_PAGES)
@example(pages=_REAL)
@example(pages=[Page(1, " e\n==\na")])
def test_pieces_stand_in_reading_order_and_none_is_blank_or_inside_another(
    name: str, sizes: Mapping[str, int], pages: Sequence[Page]
):
    pieces = made(name, sizes).cut(pages, title=TITLE)
    places = [(piece.page.number, piece.start, piece.end) for piece in pieces]
    assert places == sorted(places)
    for piece in pieces:
        assert text_of(piece) and text_of(piece) == text_of(piece).strip()
    for before, after in itertools.pairwise(pieces):
        assert after.page is not before.page or after.end > before.end


@every_chunker
@_few
@given(pages=_PAGES)
@example(pages=_REAL)
def test_no_piece_is_longer_than_the_model_reads_or_the_size_allows(
    name: str, sizes: Mapping[str, int], pages: Sequence[Page]
):
    size = sizes.get("size", {"markdown": 800, "hierarchical": 800, "tokens": 500}.get(name, 900))
    for piece in made(name, sizes).cut(pages, title=TITLE):
        assert len(RULER.ends(f"{context_line(TITLE, piece.headings)}\n{text_of(piece)}")) <= RULER.max_tokens
        long = len(RULER.ends(text_of(piece))) if name == "tokens" else len(text_of(piece))
        assert long <= size + _TAIL.get(name, 0)


@every_chunker
@_few
@given(pages=_PAGES)
def test_the_same_pages_give_the_same_pieces(name: str, sizes: Mapping[str, int], pages: Sequence[Page]):
    copies = [replace(page) for page in pages]
    assert made(name, sizes).cut(pages, title=TITLE) == made(name, sizes).cut(copies, title=TITLE)


@pytest.mark.parametrize("name", CHUNKERS)
@_few
@given(length=st.integers(1, 700), letter=st.sampled_from(["x", "字", "ab ", "Yes. ", "\n"]))
def test_any_length_comes_to_an_end(name: str, length: int, letter: str):
    text = (letter * length)[:length]
    pieces = made(name, SIZES[name][0]).cut([Page(1, text)], title=TITLE)
    assert bool(pieces) == bool(text.strip())
    assert not pieces or pieces[-1].end == len(text.rstrip())


@pytest.mark.parametrize("name", CHUNKERS)
def test_neighbours_share_no_more_than_the_overlap(name: str):
    unit = {"size": 40, "overlap": 10} if name == "tokens" else {"size": 200, "overlap": 60}
    pieces = made(name, unit).cut([Page(1, LIKE_REAL_ONES["English"])], title=TITLE)
    shared = [before.page.text[after.start : before.end] for before, after in itertools.pairwise(pieces)]
    lengths = [len(RULER.ends(text)) if name == "tokens" else len(text) for text in shared]
    assert 0 < max(lengths) <= unit["overlap"]


@pytest.mark.parametrize("name", CHUNKERS)
def test_recipes_tell_every_parameter_apart(name: str):
    recipes = [
        made(name, {}).recipe,
        made(name, {"size": 50}).recipe,
        made(name, {"overlap": 10}).recipe,
        made(name, {}, SmallRuler(max_tokens=510)).recipe,
    ]
    assert len(set(recipes)) == len(recipes)


@pytest.mark.parametrize("name", ["semantic", "hierarchical"])
def test_recipes_name_the_model_that_tells_similarity(name: str):
    another = SharedWords()
    another.name = "another"
    assert CHUNKERS[name](RULER, another).recipe != CHUNKERS[name](RULER, SIMILARITY).recipe


@pytest.mark.parametrize("name", CHUNKERS)
@pytest.mark.parametrize("sizes", [{"size": 0}, {"size": 100, "overlap": 100}, {"overlap": -1}])
def test_sizes_that_cannot_work_are_refused(name: str, sizes: dict[str, int]):
    with pytest.raises(ConfigurationError, match=r"FOOTNOTE_CHUNK_SIZE.*FOOTNOTE_CHUNK_OVERLAP"):
        made(name, sizes)


@pytest.mark.parametrize("name", CHUNKERS)
def test_a_small_size_needs_no_overlap_to_be_set(name: str):
    assert made(name, {"size": 30}).cut([Page(1, "Some words, and some more. " * 9)], title="")


@pytest.mark.parametrize("name", ["fixed", "tokens", "sentence", "markdown"])
def test_no_model_is_asked_but_for_the_length(name: str):
    similarity = SharedWords()
    CHUNKERS[name](RULER, similarity).cut(_REAL, title=TITLE)
    assert similarity.characters == 0


_LONG: Final = {
    "one word": "A" * 100_000,
    "Chinese": "春眠不覚暁処処聞啼鳥。" * 9_000,
    "Chinese without a stop": "春眠不覚暁処処聞啼鳥" * 9_000,
    "prose": "Plain words in a sentence. " * 4_000,
    "short sentences": "No. " * 25_000,
    "lines": "words of a line\n" * 6_000,
    "table": "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 10_000,
    "headings": "# One\n" * 16_000,
    "full stops": "." * 100_000,
    "spaces": "x" + " " * 99_999,
}


@pytest.mark.parametrize("name", CHUNKERS)
@pytest.mark.parametrize("text", _LONG.values(), ids=_LONG)
def test_work_grows_with_the_text_and_not_faster(name: str, text: str):
    work = [_work(name, text[: len(text) // part]) for part in (8, 1)]
    assert work[0] < 12 * len(text) / 8 + 30_000
    assert work[1] <= 8 * work[0] * 1.1 + 30_000


def _work(name: str, text: str) -> int:
    """Characters measured, calls to measure counted in: time would tell less surely."""
    ruler = CountingRuler()
    similarity = SharedWords()
    pieces = CHUNKERS[name](ruler, similarity).cut([Page(1, text)], title=TITLE)
    assert math.isclose(max(piece.end for piece in pieces), len(text.rstrip()))
    return ruler.characters + 10 * ruler.calls + similarity.characters
