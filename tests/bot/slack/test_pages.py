from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.slack.mrkdwn import safe_markdown
from bot.slack.pages import BUDGET, pages, split

_TEXTS = st.lists(
    st.sampled_from(
        ["word", " ", "\n", "\n\n", "```py\n", "\n```\n", "`a b c`", "https://a.example/xyz", "词", "x" * 40]
    ),
    max_size=60,
).map(lambda parts: safe_markdown("".join(parts)))


def _words(text: str) -> str:
    """The text without what a cut may add or take: white space and code marks."""
    return "".join(text.replace("```py", "").replace("`", "").split())


@given(_TEXTS, st.integers(min_value=30, max_value=200))
def test_no_page_is_longer_than_its_room(text: str, room: int):
    assert all(0 < len(page) <= room for page in pages(text, room=room))


@given(_TEXTS, st.integers(min_value=30, max_value=200))
def test_the_pages_together_say_everything_once_and_in_order(text: str, room: int):
    assert _words("".join(pages(text, room=room))) == _words(text)


@given(_TEXTS, st.integers(min_value=30, max_value=200))
def test_code_that_is_open_at_a_cut_is_closed_and_opened_again(text: str, room: int):
    for page in pages(text, room=room):
        fences = [line for line in page.split("\n") if line.startswith("```")]
        assert len(fences) % 2 == 0
        outside = "\n".join(part for i, part in enumerate(page.split("```")) if i % 2 == 0)
        assert all(line.count("`") % 2 == 0 for line in outside.split("\n"))


@given(_TEXTS, _TEXTS, st.integers(min_value=0, max_value=120))
def test_a_cut_that_goes_on_after_shown_text_closes_what_is_open_there(before: str, text: str, room: int):
    left = max(room, 60 - len(before))  # a message is longer than a line of code
    head, tail = split(text, room=left, before=before)
    assert len(head) <= max(left, len("\n```"))
    assert _words(head + tail) == _words(text)


@pytest.mark.parametrize(
    ("text", "room", "expected"),
    [
        ("one two aa\n\nbb\ncc dd ee", 20, ["one two aa", "bb\ncc dd ee"]),
        ("one two three\nfour five", 20, ["one two three", "four five"]),
        ("one two three four five", 20, ["one two three", "four five"]),
        ("x" * 25, 20, ["x" * 15, "x" * 10]),
        ("```py\naaaa\nbbbb\ncccc\n```", 20, ["```py\naaaa\n```", "```py\nbbbb\ncccc\n```"]),
        ("see `a long span of code` there", 20, ["see `a long`", "` span of code`", "there"]),
        ("", 20, []),
        ("  \n ", 20, []),
    ],
)
def test_cuts_fall_between_paragraphs_then_lines_then_words(text: str, room: int, expected: list[str]):
    assert pages(text, room=room) == expected


def test_an_answer_within_the_budget_is_one_message():
    assert pages("x " * (BUDGET // 2)) == ["x " * (BUDGET // 2)]
