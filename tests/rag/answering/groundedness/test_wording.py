"""Whether lines that speak of the same deny what a sentence says."""

from __future__ import annotations

import pytest

from rag.answering.groundedness.passages import PassageReader
from rag.answering.groundedness.wording import contradict, wording
from rag.embedding.sparse import Bm25
from tests.rag.answering.groundedness.passages import a_passage

READER = PassageReader(Bm25().terms)


def contradicts(sentence: str, passage: str) -> bool:
    return wording(READER.line(sentence, "english"), [a_passage(passage)]).contradicts


def test_a_line_about_something_else_contradicts_nothing() -> None:
    assert not contradicts("The pump is not painted", "Soup is served hot.")
    assert not contradicts("The pump of hall four is not painted blue", "The pump weighs three kilos.")


def test_a_second_line_that_speaks_of_the_same_and_agrees_clears_a_sentence() -> None:
    passage = "Unused leave is carried over to spring. Unused leave of trainees is not carried over."
    assert not contradicts("Unused leave is not carried over to spring", passage)


def test_lines_about_something_else_do_not_clear_a_sentence() -> None:
    passage = "The pump is not delivered by Orrin Freight. Soup is served hot. Keys cost ten euros."
    assert contradicts("The pump is delivered by Orrin Freight", passage)


@pytest.mark.parametrize(
    ("said", "source", "expected"),
    [
        ("Dogs are not allowed", "Dogs are allowed", True),
        ("Dogs aren't allowed", "Dogs are not allowed", False),
        ("No more than five dogs are allowed", "Five dogs at most are allowed", False),
        ("Dogs are not allowed", "Dogs are forbidden", False),
        ("The report is due every week", "The report is due every month", True),
        ("The boiler needs it, the pump does not", "The boiler needs it", False),
    ],
)
def test_denials_are_counted_where_none_is_implied(said: str, source: str, expected: bool) -> None:
    assert contradict(READER.line(said, "english"), READER.line(source, "english")) is expected
