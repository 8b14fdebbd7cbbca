"""Copies of a file are one source, and what it repeats is one passage."""

from __future__ import annotations

from dataclasses import replace

from rag.retrieval.base import Candidate, Candidates
from rag.retrieval.deduplicated import Deduplicated, without_copies
from rag.types.documents import Document
from rag.types.scope import Scope
from tests.documents import a_chunk, a_document


def copies(*uris: str, version: str = "1") -> list[Document]:
    """Files of the same bytes."""
    return [replace(a_document(uri), fingerprint=f"recipe00-{version}") for uri in uris]


def hit(document: Document, text: str, score: float = 1.0) -> Candidate:
    return Candidate(a_chunk(document, 0, text), score, 0.0)


def test_the_best_copy_stands_and_names_the_others_in_their_order() -> None:
    a, b, c = copies("HR/a.pdf", "Archive/a.pdf", "Old/a.pdf")
    other = a_document("other.md")
    hits = without_copies([hit(b, "25 days", 0.9), hit(other, "x", 0.8), hit(a, "25 days", 0.7), hit(c, "25 days")])
    assert [(found.chunk.document.uri, found.cosine) for found in hits] == [("Archive/a.pdf", 0.9), ("other.md", 0.8)]
    assert [document.uri for document in hits[0].also] == ["HR/a.pdf", "Old/a.pdf"]
    assert hits[1].also == ()


def test_other_passages_and_other_bytes_are_no_copies() -> None:
    [a] = copies("a.pdf")
    [changed] = copies("b.pdf", version="2")
    assert len(without_copies([hit(a, "one"), hit(a, "two"), hit(changed, "one")])) == 3


def test_what_a_document_repeats_under_the_same_headings_is_one_passage_and_no_copy_of_itself() -> None:
    a, b = copies("a.pdf", "b.pdf")
    first, again = hit(a, "Call the desk.", 0.9), Candidate(a_chunk(a, 7, "Call the desk.", page=4), 0.8, 0.0)
    elsewhere = Candidate(replace(again.chunk, headings=("Fire",)), 0.7, 0.0)
    in_copy = [Candidate(replace(found.chunk, document=b), 0.6, 0.0) for found in (first, again)]
    hits = without_copies([first, again, elsewhere, *in_copy])
    assert [(found.chunk.page, found.chunk.headings, found.cosine) for found in hits] == [
        (1, (), 0.9),
        (4, ("Fire",), 0.7),
    ]
    assert [document.uri for document in hits[0].also] == ["b.pdf"]
    assert hits[1].also == ()


class Drawer:
    """Gives what it holds, best first, as much as is asked for."""

    def __init__(self, hits: list[Candidate]) -> None:
        self.hits = hits
        self.asked: list[int] = []

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Candidates:
        self.asked.append(limit)
        return Candidates(7, self.hits[:limit])


async def test_copies_do_not_take_the_places_of_other_passages() -> None:
    many = copies(*(f"{n}.pdf" for n in range(10)))
    drawer = Drawer([*(hit(copy, "25 days") for copy in many), hit(a_document("b.md"), "b"), hit(a_document("c"), "c")])
    found = await Deduplicated(drawer).retrieve("?", Scope.everything(), limit=3)
    assert [found.chunk.text for found in found.ranked] == ["25 days", "b", "c"]
    assert len(found.ranked[0].also) == 9 and found.generation == 7
    assert drawer.asked == [3, 12]


async def test_one_search_does_where_there_are_no_copies_or_no_more_passages() -> None:
    drawer = Drawer([hit(a_document(f"{n}"), f"text {n}") for n in range(5)])
    assert len((await Deduplicated(drawer).retrieve("?", Scope.everything(), limit=5)).ranked) == 5
    assert len((await Deduplicated(drawer).retrieve("?", Scope.everything(), limit=9)).ranked) == 5
    assert drawer.asked == [5, 9]


async def test_repeated_sections_do_not_take_the_places_of_other_passages() -> None:
    a = a_document("manual.pdf")
    sections = [Candidate(a_chunk(a, n, "Call the desk.", page=n + 1), 1.0, 0.0) for n in range(6)]
    drawer = Drawer([*sections, hit(a, "Lamps"), hit(a, "Doors")])
    found = await Deduplicated(drawer).retrieve("?", Scope.everything(), limit=3)
    assert [(found.chunk.text, found.chunk.page) for found in found.ranked] == [
        ("Call the desk.", 1),
        ("Lamps", 1),
        ("Doors", 1),
    ]
