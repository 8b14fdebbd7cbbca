"""Markdown taken apart into sentences, each with its marks."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answering.groundedness.statements import statements


def texts(answer: str, sources: int = 9) -> list[str]:
    return [one.text for one in statements(answer, sources=sources)]


def marks(answer: str, sources: int = 9) -> list[tuple[int, ...]]:
    return [one.marks for one in statements(answer, sources=sources)]


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ("It is so [1]. It is not [2].", [(1,), (2,)]),
        ("It is so. [1] It is not. [2][3]", [(1,), (2, 3)]),
        ("- One [1]\n- Two [2]", [(1,), (2,)]),
        ("In the plan [1] and the table [2][1].", [(1, 2)]),
        ("It is so.\n[1]", [(1,)]),
        ("有給休暇は20日です[1]。次は2月です[2]。", [(1,), (2,)]),
        ("It is x[0] [1].", [(1,)]),
        ("| a | 5 [1] |\n| b | 6 [2] |", [(1,), (2,)]),
    ],
)
def test_a_mark_belongs_to_the_sentence_that_it_stands_in_or_behind(answer: str, wanted: list[tuple[int, ...]]) -> None:
    assert marks(answer) == wanted


@pytest.mark.parametrize(
    "sentence",
    [
        "See e.g. Section 4.2 of No. 7 by Dr. Holm.",
        "Das gilt ab 1. März z. B. für Nr. 5 u. a. in Abs. 2.",
        "Version 2.1.3 costs approx. 5.50 euros.",
        "The firm J. P. Orrin Ltd. signed it.",
    ],
)
def test_an_abbreviation_ends_no_sentence(sentence: str) -> None:
    assert texts(sentence) == [sentence]


def test_markdown_is_taken_away_and_code_left_out() -> None:
    answer = "## Leave\n\n**Staff** get `30` [days](https://a.example) [1].\n\n```\nrm -rf [1]. No.\n```\n> Quoted [2]."
    found = statements(answer, sources=2)
    assert [(one.text, one.marks) for one in found] == [("Leave", ()), ("Staff get 30 days.", (1,)), ("Quoted.", (2,))]
    assert found[0].is_heading
    assert answer[found[1].start : found[1].end] == "**Staff** get `30` [days](https://a.example) [1]."


def test_a_sentence_without_a_mark_borrows_the_next_of_its_paragraph_or_its_introduction() -> None:
    first, second = statements("It is so. It is not [2].", sources=2)
    assert (first.marks, first.lent, second.lent) == ((), (2,), ())
    introduced = statements("Two rules apply [1]:\n- wear gloves\n- wear boots", sources=1)
    assert [one.lent for one in introduced] == [(), (1,), (1,)]


@given(st.text(alphabet="aB1 .!?\n-*|[]()#`>é。:", max_size=80))
def test_sentences_stand_in_order_and_never_overlap(answer: str) -> None:
    found = statements(answer, sources=3)
    assert all(one.start < one.end <= len(answer) for one in found)
    assert all(one.end <= two.start for one, two in pairwise(found))


@pytest.mark.parametrize("run", [".", "!?", "\t", " ", "-\t", "| "])
def test_runs_without_end_do_not_take_their_square(run: str) -> None:
    """A search that begins anew at each of 300,000 characters would run for hours."""
    [one] = statements(run * (300_000 // len(run)) + "x so", sources=1)
    assert one.text.endswith("x so")
