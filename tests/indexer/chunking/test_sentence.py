"""Chunks of whole sentences."""

from __future__ import annotations

import itertools

import pytest

from indexer.chunking.base import Piece
from indexer.chunking.sentence import SentenceChunker
from rag.text.sentences import sentence_starts
from rag.types.documents import Page
from tests.indexer.chunking.rulers import SmallRuler
from tests.indexer.chunking.texts import LIKE_REAL_ONES

SHORT = "Keys cost ten euros. "
LONG = "Nobody may take a bicycle of the company abroad without asking first. "


def cut(text: str, *, size: int = 200, overlap: int = 0, ruler: SmallRuler | None = None) -> list[Piece]:
    return SentenceChunker(ruler or SmallRuler(), size=size, overlap=overlap).cut([Page(1, text)], title="")


def texts(pieces: list[Piece]) -> list[str]:
    return [piece.page.text[piece.start : piece.end] for piece in pieces]


@pytest.mark.parametrize("name", ["English", "German", "Japanese", "Arabic", "wrapped"])
@pytest.mark.parametrize("overlap", [0, 80])
def test_no_sentence_is_cut_in_any_language(name: str, overlap: int):
    text = LIKE_REAL_ONES[name]
    places = {0, *sentence_starts(text, 0, len(text))}
    pieces = cut(text, overlap=overlap)
    assert len(pieces) > 1
    assert {piece.start for piece in pieces} <= places
    assert all(text[piece.end :].lstrip() == "" or _next_place(text, piece.end) in places for piece in pieces)


def _next_place(text: str, end: int) -> int:
    return len(text) - len(text[end:].lstrip())


def test_as_many_sentences_as_fit_share_a_chunk():
    pieces = texts(cut(SHORT * 30))
    assert {text.count("Keys") for text in pieces[:-1]} == {9} and len(pieces) == 4


def test_whole_sentences_are_shared_up_to_the_overlap():
    pieces = cut(SHORT * 40, overlap=50)
    shared = [before.page.text[after.start : before.end] for before, after in itertools.pairwise(pieces)]
    assert set(shared) == {"Keys cost ten euros. Keys cost ten euros."}


def test_no_more_is_shared_than_the_overlap_is_worth_in_what_a_model_reads():
    sentence = "报销单必须在三十日内提交。"
    pieces = cut(sentence * 40, overlap=100, ruler=SmallRuler(max_tokens=60))
    shared = {before.end - after.start for before, after in itertools.pairwise(pieces)}
    assert shared == {2 * len(sentence)}  # 100 of 200 characters, so 30 of 60 tokens, a token a character


def test_a_sentence_longer_than_the_overlap_is_not_shared():
    pieces = cut(LONG * 10, overlap=50)
    assert all(before.end < after.start for before, after in itertools.pairwise(pieces))


def test_a_sentence_longer_than_a_chunk_is_cut_at_words():
    pieces = texts(cut(SHORT + "Word " * 100 + "ends. " + SHORT))
    assert pieces[0] == SHORT.strip() and pieces[-1] == SHORT.strip()
    assert all(word in {"Word", "ends."} for text in pieces[1:-1] for word in text.split())


def test_what_the_model_would_not_read_goes_into_the_next_chunk():
    sentence = "报销单必须在三十日内提交。"
    pieces = texts(cut(sentence * 40, ruler=SmallRuler(max_tokens=50)))
    assert {text.count("报销单") for text in pieces[:-1]} == {3}


def test_a_heading_goes_with_the_sentence_below_it_and_begins_a_chunk_when_the_one_before_is_half_full():
    text = f"# Keys\n\n{SHORT * 6}\n\n# Travel\n\n{LONG * 2}"
    assert [piece.headings for piece in cut(text)] == [("Keys",), ("Travel",)]
    assert texts(cut(text))[1].startswith("# Travel\n\nNobody")
    assert len(cut("# Keys\n\nTen euros.\n\n# Locks\n\nTwelve euros.")) == 1


def test_rows_and_lines_of_code_are_as_whole_as_sentences():
    table = "| Grade | Rate |\n|---|---|\n" + "".join(f"| Grade {row} | Ends. {row * 1000} |\n" for row in range(40))
    pieces = cut(f"{table}\n```\n" + "copy. all the files\n" * 20 + "```\n")
    lines = {line for text in texts(pieces) for line in text.splitlines()}
    assert lines <= {*table.splitlines(), "```", "copy. all the files", ""}
    assert {piece.headings for piece in pieces[1:3]} == {("| Grade | Rate |",)}


def test_nothing_is_shared_over_a_heading_at_which_a_chunk_begins():
    text = SHORT * 8 + "\n\n## Bicycles\n\n" + SHORT * 8
    first, second = cut(text, overlap=50)
    assert second.page.text[second.start :].startswith("## Bicycles") and first.end <= second.start
