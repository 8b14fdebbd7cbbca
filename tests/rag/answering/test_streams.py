"""What is done to a model's text while it streams: marks become numbers, and a model that declines is not shown."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answering.citations import Numberer
from rag.answering.decline import DeclineWatch


def numbered(*pieces: str, sources: int = 5) -> str:
    numberer = Numberer(sources)
    return "".join([*map(numberer.feed, pieces), numberer.close()])


@pytest.mark.parametrize(
    ("draft", "shown"),
    [
        ("One [S3]. Two [S1]. Three [S3].", "One [1]. Two [2]. Three [1]."),
        ("Both [S2][S4].", "Both [1][2]."),
        ("Both [S2, S4] and [s2; s4].", "Both [1][2] and [1][2]."),
        ("Page [S2, p. 4] and [S2, page 12].", "Page [1] and [1]."),
        ("Twice [S2, S2].", "Twice [1]."),
        ("All [S1-S3] or [S1–3].", "All [1][2][3] or [1][2][3]."),
        ("Both [S1 and S2] & [S2 & S1].", "Both [1][2] & [2][1]."),
        ("Wide 【S2】 and ［S3］ and 【S2†L4-L9】.", "Wide [1] and [2] and [1]."),
        ("Round (S2) and (S1, S4).", "Round [1] and [2][3]."),
        ("Size (S), rule (see S2), years (2023), section (S2b) stay.",) * 2,
        ("Digits [0-9] stay.",) * 2,
        ("Backwards [S3-S1].", "Backwards [1][2][3]."),
        ("Nobody [S9] said [S0] so [S6].", "Nobody said so."),
        ("Partly [S9, S2].", "Partly [1]."),
        ("Invented [3].", "Invented."),
        ("Code x[0] and f(x)[1] stay.", "Code x[0] and f(x) stay."),
        ("See [the page](https://example.com).", "See [the page](https://example.com)."),
        ("- [ ] open\n- [x] done", "- [ ] open\n- [x] done"),
        ("In [2023] already.", "In [2023] already."),
        ("An open [S1", "An open [S1"),
        ("An open [", "An open ["),
        ("Trailing ", "Trailing "),
        ("", ""),
    ],
)
def test_marks_become_numbers_in_the_order_of_first_mention(draft: str, shown: str) -> None:
    assert numbered(draft) == shown


DRAFTS = st.lists(
    st.sampled_from(
        [
            "[S1]",
            "[S2, S3]",
            "[S9]",
            "[7]",
            "x[0]",
            "[",
            "]",
            "S1",
            " ",
            "\n",
            "word",
            "[ S4 ]",
            "[2023]",
            "(a)",
            "(S2)",
            "【S3】",
            "[S1-S3]",
            "(",
            "(S",
            "-",
        ]
    )
    | st.text(max_size=5),
    max_size=12,
).map("".join)


@given(DRAFTS, st.lists(st.integers(0, 60), max_size=6))
def test_every_cut_of_a_draft_gives_the_same_text(draft: str, cuts: list[int]) -> None:
    edges = [0, *sorted(min(cut, len(draft)) for cut in cuts), len(draft)]
    pieces = [draft[start:end] for start, end in pairwise(edges)]
    assert numbered(*pieces) == numbered(draft) == numbered(*draft)


@given(DRAFTS)
def test_numbers_begin_at_one_and_leave_none_out(draft: str) -> None:
    numberer = Numberer(5)
    numberer.feed(draft)
    numberer.close()
    assert len(set(numberer.order)) == len(numberer.order)
    assert set(numberer.order) <= set(range(5))


def test_blanks_without_end_do_not_take_their_square() -> None:
    """Amid a draft of 300,000 blanks a search that begins anew at each would run for hours."""
    blanks = " \t" * 150_000
    assert numbered("so", blanks, "x [S2].") == f"so{blanks}x [1]."


def watched(*pieces: str) -> tuple[str, bool]:
    watch = DeclineWatch()
    shown = "".join([*map(watch.feed, pieces), watch.close()])
    return shown, watch.declined


@pytest.mark.parametrize(
    "text",
    [
        "NO ANSWER",
        "NO ANSWER.",
        " \n**NO ANSWER**",
        "No answer.",
        "no answer",
        "`NO ANSWER`\n\nThe sources say [S1].",
        "NO_ANSWER",
        "[NO ANSWER]",
        "“No answer.”",
        "NO\u00a0ANSWER",
        "<NO-ANSWER>",
    ],
)
def test_a_model_that_declines_is_heard_however_it_is_cut(text: str) -> None:
    assert watched(text) == watched(*text) == ("", True)


@pytest.mark.parametrize(
    "text",
    [
        "No answer came from the supplier [S1].",
        "NO ANSWERS were given.",
        "NO ANS",
        "No, the budget is 3 euros.",
        "**Not** so.",
        "The mark is NO ANSWER",
        "",
        "  ",
    ],
)
def test_an_answer_that_only_begins_alike_is_shown_whole(text: str) -> None:
    assert watched(text) == watched(*text) == (text, False)
