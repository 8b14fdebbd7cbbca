"""Windows of tokens."""

from __future__ import annotations

import itertools

from indexer.chunking.base import Piece
from indexer.chunking.tokens import TokenChunker
from rag.types.chunks import context_line
from rag.types.documents import Page
from tests.indexer.chunking.rulers import SmallRuler

SENTENCE = "The claim has to be filed within thirty days. "
READS_MUCH = SmallRuler(max_tokens=8_000)


def texts(pieces: list[Piece]) -> list[str]:
    return [piece.page.text[piece.start : piece.end] for piece in pieces]


def lengths(pieces: list[Piece]) -> list[int]:
    return [len(READS_MUCH.ends(text)) for text in texts(pieces)]


def test_windows_are_of_five_hundred_tokens_and_share_fifty():
    pieces = TokenChunker(READS_MUCH).cut([Page(1, SENTENCE * 300)], title="Claims")
    assert all(480 < length <= 500 for length in lengths(pieces)[:-1])
    shared = [before.page.text[after.start : before.end] for before, after in itertools.pairwise(pieces)]
    assert all(30 < len(READS_MUCH.ends(text)) <= 50 for text in shared)
    assert all(text.startswith("The") and text.endswith("days.") for text in texts(pieces))


def test_title_and_headings_do_not_count_as_long_as_the_model_reads_it_all():
    text = f"# {'A long heading ' * 6}\n\n{SENTENCE * 60}"
    alone = lengths(TokenChunker(READS_MUCH, size=100, overlap=0).cut([Page(1, SENTENCE * 60)], title=""))
    below = lengths(TokenChunker(READS_MUCH, size=100, overlap=0).cut([Page(1, text)], title="A long title"))
    assert max(below) == max(alone) > 90


def test_more_than_the_model_reads_is_brought_down_to_that_and_the_overlap_with_it():
    ruler = SmallRuler(max_tokens=100)
    chunker = TokenChunker(ruler, size=500, overlap=100)
    pieces = chunker.cut([Page(1, f"# Claims\n\n{SENTENCE * 60}")], title="Handbook")
    whole = [
        f"{context_line('Handbook', piece.headings)}\n{text}" for piece, text in zip(pieces, texts(pieces), strict=True)
    ]
    assert all(80 < len(ruler.ends(text)) <= 100 for text in whole[:-1])
    assert chunker.recipe == TokenChunker(ruler, size=100, overlap=20).recipe


def test_a_word_that_is_one_token_to_the_model_is_many_chunks_all_the_same():
    class Words:
        max_tokens = 254

        def ends(self, text: str) -> list[int]:
            return list(itertools.accumulate(len(word) + 1 for word in text.split()))

    pieces = TokenChunker(Words(), size=100, overlap=10).cut([Page(1, "A" * 10_000)], title="")
    assert max(map(len, texts(pieces))) <= 800
