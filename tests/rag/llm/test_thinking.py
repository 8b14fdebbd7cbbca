"""Reasoning inside the text, cut anywhere."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from rag.llm.base import Reasoning
from rag.llm.thinking import ThinkingSplitter
from rag.types.answers import Delta


def split(*pieces: str) -> tuple[str, str]:
    """Reasoning and answer, each joined."""
    splitter = ThinkingSplitter()
    events = [event for piece in pieces for event in splitter.feed(piece)] + splitter.close()
    assert all(event.text for event in events)
    reasoning = "".join(event.text for event in events if isinstance(event, Reasoning))
    return reasoning, "".join(event.text for event in events if isinstance(event, Delta))


def test_a_text_without_reasoning_passes_piece_by_piece():
    splitter = ThinkingSplitter()
    assert splitter.feed("Twenty") == [Delta("Twenty")]
    assert splitter.feed(" days") == [Delta(" days")]
    assert splitter.close() == []


def test_blank_lines_around_the_reasoning_belong_to_nobody():
    assert split("\n<think>Hm.</think>\n\nTwenty.") == ("Hm.", "Twenty.")


def test_reasoning_of_nothing_leaves_the_answer_alone():
    assert split("<think></think>Twenty.") == ("", "Twenty.")


def test_the_tags_are_words_like_others_once_the_answer_has_begun():
    assert split("See <think>this</think>.") == ("", "See <think>this</think>.")
    assert split("<think>a</think>b<think>c</think>") == ("a", "b<think>c</think>")


def test_reasoning_that_never_ends_is_no_answer():
    assert split("<think>Hm, </thin") == ("Hm, </thin", "")


def test_the_beginning_of_a_tag_that_never_comes_is_text():
    assert split(" <thi") == ("", " <thi")
    assert split("<thin", "g>") == ("", "<thing>")


def test_reasoning_is_shown_while_it_comes():
    splitter = ThinkingSplitter()
    assert splitter.feed("<think>Let me") == [Reasoning("Let me")]
    assert splitter.feed(" see</th") == [Reasoning(" see")]
    assert splitter.feed("em") == [Reasoning("</them")]


@given(
    st.lists(st.sampled_from(["<think>", "</think>", "<", "</", "think", ">", "a", " ", "\n"]), max_size=12).map(
        "".join
    ),
    st.lists(st.integers(0, 60), max_size=8),
)
def test_where_the_text_is_cut_makes_no_difference(text: str, cuts: list[int]):
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    pieces = [text[start:end] for start, end in pairwise(places)]
    assert split(*pieces) == split(text)
