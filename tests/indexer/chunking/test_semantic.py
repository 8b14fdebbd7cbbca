"""Chunks that end where the subject changes."""

from __future__ import annotations

from collections.abc import Sequence

from indexer.chunking.base import Piece
from indexer.chunking.semantic import SemanticChunker
from rag.types.documents import Page
from tests.indexer.chunking.rulers import SmallRuler
from tests.indexer.chunking.similarities import SharedWords

WHALES = "Blue whales sing deep in the cold sea. Grey whales sing deep in the warm sea. "
TAXES = "The tax on land is due in May. The tax on wages is due in June. "
BREAD = "Knead the dough and let the dough rest. Bake the dough and let the bread cool. "


class Told:
    """Alike as it was told."""

    name = "told"

    def __init__(self, *alike: float) -> None:
        self.alike = alike

    def of_neighbours(self, texts: Sequence[str]) -> Sequence[float]:
        assert len(self.alike) == len(texts) - 1
        return self.alike


def cut(*pages: str, similarity: Told | SharedWords | None = None, size: int = 900, minimum: int = 0) -> list[Piece]:
    chunker = SemanticChunker(SmallRuler(), similarity or SharedWords(), size=size, minimum=minimum)
    return chunker.cut([Page(number, text) for number, text in enumerate(pages, start=1)], title="")


def texts(pieces: list[Piece]) -> list[str]:
    return [piece.page.text[piece.start : piece.end] for piece in pieces]


def test_chunks_end_where_the_subject_changes():
    pieces = cut(WHALES * 3 + TAXES * 3 + BREAD * 3)
    assert texts(pieces) == [(WHALES * 3).strip(), (TAXES * 3).strip(), (BREAD * 3).strip()]


def test_what_is_a_drop_depends_on_the_document():
    sentences = "One is here. Two is here. Three is here. Four is here. Five is here. Six is here."
    assert len(cut(sentences, similarity=Told(0.9, 0.9, 0.6, 0.9, 0.9))) == 2
    assert len(cut(sentences, similarity=Told(0.6, 0.6, 0.6, 0.6, 0.6))) == 1
    assert len(cut(sentences, similarity=Told(0.6, 0.6, 0.2, 0.6, 0.6))) == 2


def test_a_document_that_speaks_of_one_thing_is_not_cut_for_noise():
    assert len(cut("All the same. " * 6, similarity=Told(0.999, 1.0, 0.998, 1.0, 1.0))) == 1


def test_a_drop_before_the_minimum_is_passed_over():
    sentences = "One is here. Two is here. Three is here. Four is here. Five is here. Six is here."
    pieces = cut(sentences, similarity=Told(0.1, 0.9, 0.9, 0.9, 0.9), minimum=40)
    assert texts(pieces) == [sentences]


def test_a_chunk_that_would_be_too_long_ends_at_its_weakest_boundary_in_the_second_half():
    sentences = "One is here. Two is here. Three is it. Four is here. Five is here. Six is here."
    pieces = cut(sentences, similarity=Told(0.84, 0.9, 0.85, 0.9, 0.7), size=60)
    assert texts(pieces)[0] == "One is here. Two is here. Three is it."
    assert all(len(text) <= 60 for text in texts(pieces))


def test_a_heading_is_a_change_of_subject():
    same = "The same words again. " * 5
    pieces = cut(f"# One\n\n{same}\n\n# Two\n\n{same}", minimum=60)
    assert [piece.headings for piece in pieces] == [("One",), ("Two",)]


def test_pages_are_compared_with_the_whole_document_but_never_share_a_chunk():
    pieces = cut(WHALES + TAXES, "", WHALES * 2, "Closed.")
    assert [piece.page.number for piece in pieces] == [1, 1, 3, 4]


def test_one_sentence_needs_no_comparison():
    assert texts(cut("Closed on Sundays.", similarity=Told())) == ["Closed on Sundays."]


def test_every_parameter_is_in_the_recipe():
    made = [
        SemanticChunker(SmallRuler(), SharedWords()),
        SemanticChunker(SmallRuler(), SharedWords(), minimum=10),
        SemanticChunker(SmallRuler(), SharedWords(), drop=1.5),
        SemanticChunker(SmallRuler(), Told()),
    ]
    assert len({chunker.recipe for chunker in made}) == len(made)
