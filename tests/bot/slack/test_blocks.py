from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.slack.blocks import BLOCKS, SECTION_CHARS, Message, footer, render, source, summary
from bot.slack.inline import ZERO_WIDTH
from bot.slack.pages import BUDGET
from rag.types.answers import Answer, Notice, Outcome
from tests.bot.slack.parts import DAYS, PageLinks, a_citation, an_answer
from tests.documents import a_document

LINKS = PageLinks()
URL = "http://127.0.0.1:8000/files/d1#page=12"


def _texts(message: Message) -> list[str]:
    def found(value: Any) -> list[str]:
        match value:
            case {"text": str(text)}:
                return [text]
            case dict():
                return [text for part in value.values() for text in found(part)]
            case list():
                return [text for part in value for text in found(part)]
            case _:
                return []

    return found(message)


def test_an_answer_stands_above_its_sources():
    (message,) = render(an_answer(citations=2), LINKS)
    assert [block["type"] for block in message] == ["markdown", "section"]
    assert message[0]["text"] == DAYS
    assert message[1]["text"]["text"] == (
        f"*[1]* <{URL}|leave.pdf>, p. 12\n> Every employee has 25 days of annual leave.\n*[2]* <{URL}|leave.pdf>, p. 12"
    )


def test_neighbours_that_open_at_the_same_page_share_a_section_and_keep_their_lines():
    citations = (
        a_citation(1, excerpt="One."),
        a_citation(2, excerpt="Two."),
        a_citation(3, page=13, excerpt="Three."),
        a_citation(4, excerpt="Four."),
    )
    (message,) = footer(Answer("Yes [1][2][3][4].", Outcome.ANSWERED, citations), LINKS)
    there = f"<{URL}|leave.pdf>, p. 12"
    assert [block["text"]["text"] for block in message] == [
        f"*[1]* {there}\n> One.\n*[2]* {there}\n> Two.",
        "*[3]* <http://127.0.0.1:8000/files/d1#page=13|leave.pdf>, p. 13\n> Three.",
        f"*[4]* {there}\n> Four.",
    ]


def test_the_sources_of_excerpts_say_where_each_stands_and_quote_nothing_again():
    citations = (a_citation(1), a_citation(2, page=13), a_citation(3, uri="HR/pay.pdf", page=1))
    text = "\n".join(f"- “{citation.excerpt}” [{citation.number}]" for citation in citations)
    (message,) = render(Answer(text, Outcome.EXCERPTS, citations), LINKS)
    *_, sources = message
    assert sources["text"]["text"] == (
        f"*[1]* <{URL}|leave.pdf>, p. 12\n"
        "*[2]* <http://127.0.0.1:8000/files/d1#page=13|leave.pdf>, p. 13\n"
        "*[3]* <http://127.0.0.1:8000/files/d1#page=1|pay.pdf>, p. 1"
    )
    assert sum(found.count("Every employee") for found in _texts(message)) == len(citations)


def test_copies_are_named_below_their_source_and_escaped():
    copies = [a_document(uri) for uri in ("Archive/<!here>.pdf", "b.pdf", "c.pdf", "d.pdf", "e.pdf")]
    shown = source(replace(a_citation(), also=tuple(copies)), URL)
    line = shown.splitlines()[1]
    assert line.startswith("also in Archive/") and line.endswith("b.pdf, c.pdf, 2 more")
    assert "<!" not in shown
    assert "also in" not in source(a_citation(), URL)


@pytest.mark.parametrize(
    ("label", "place"), [("", "p. 12"), ("12", "p. 12"), ("iv", 'p. 12 (printed "iv")'), ("<!here>", "!here&gt;")]
)
def test_the_printed_number_is_told_only_where_it_is_another_one(label: str, place: str):
    shown = source(a_citation(label=label), URL)
    assert place in shown
    assert "<!" not in shown
    assert ("printed" in shown) == (label in {"iv", "<!here>"})


def test_a_file_without_pages_is_cited_by_its_nearest_heading():
    shown = source(a_citation(paged=False, page=1, headings=("Leave", "Parental leave")), URL)
    assert "leave.pdf>, § Parental leave\n" in shown
    assert "p. 1" not in shown


def test_a_file_that_no_link_opens_is_named_without_one():
    assert source(a_citation(excerpt=""), "") == "*[1]* leave.pdf, p. 12"


def test_a_hostile_file_name_and_excerpt_do_nothing():
    hostile = a_citation(
        uri="x/<!channel>|@here (1).pdf", excerpt="<@U1> [go](https://evil.example) https://evil.example/a @everyone"
    )
    shown = source(hostile, "https://h.example/a|b (1).pdf")
    name = f"&lt;!channel&gt;¦@{ZERO_WIDTH}here (1).pdf"
    assert shown == (
        f"*[1]* <https://h.example/a%7Cb%20%281%29.pdf|{name}>, p. 12\n"
        f"> &lt;{ZERO_WIDTH}@U1&gt; go `https://evil.example/a` @{ZERO_WIDTH}everyone"
    )


def test_control_characters_of_a_document_are_dropped():
    controls = "".join(map(chr, [*range(9), *range(14, 28), 127]))
    shown = source(a_citation(excerpt=f"25{controls} days"), URL)
    assert shown == f"*[1]* <{URL}|leave.pdf>, p. 12\n> 25 days"


@pytest.mark.parametrize("outcome", [Outcome.DECLINED, Outcome.FAILED])
def test_sources_are_not_listed_under_what_is_no_answer(outcome: Outcome):
    (message,) = render(an_answer("Nothing in these documents answers that.", outcome=outcome), LINKS)
    assert [block["type"] for block in message] == ["markdown"]


def test_excerpts_are_titled_as_excerpts():
    (message,) = render(an_answer(outcome=Outcome.EXCERPTS), LINKS)
    assert message[0]["type"] == "header"
    assert "not a written answer" in message[0]["text"]["text"]


def test_a_cautious_answer_says_so_before_its_sources():
    (message,) = render(an_answer(outcome=Outcome.CAUTIOUS), LINKS)
    assert [block["type"] for block in message] == ["markdown", "context", "section"]
    assert "caution" in message[1]["elements"][0]["text"]


def test_notices_are_shown_and_do_nothing():
    answer = replace(an_answer(), notices=(Notice("llm", "The model <!here> failed: https://evil.example/k"),))
    (block,) = [block for message in footer(answer, LINKS) for block in message if block["type"] == "context"]
    assert block["elements"][0]["text"] == (f"The model &lt;{ZERO_WIDTH}!here&gt; failed: `https://evil.example/k`")


def test_what_is_too_long_for_one_message_goes_on_in_the_next_with_the_sources_last():
    messages = render(an_answer("\n\n".join(["word " * 100] * 60), citations=3), LINKS)
    assert len(messages) == 3
    assert [block["type"] for block in messages[-1]] == ["markdown", "section"]
    assert all(block["type"] == "markdown" for message in messages[:-1] for block in message)


@pytest.mark.parametrize("outcome", [Outcome.CAUTIOUS, Outcome.EXCERPTS])
@pytest.mark.parametrize("pages", [1, 300])
@pytest.mark.parametrize("citations", [1, 60, 300])
@pytest.mark.parametrize("length", [1, 11_000, 40_000])
def test_every_message_is_within_slacks_limits(length: int, citations: int, pages: int, outcome: Outcome):
    sources = [
        a_citation(n + 1, excerpt=f"{n} " + "& <" * 500, uri=f"{'&' * 400}.pdf", page=n % pages + 1)
        for n in range(citations)
    ]
    answer = Answer("a & b <c> `d` " * (length // 14 + 1), outcome, sources)
    messages = render(answer, LINKS)
    for message in messages:
        assert len(message) <= BLOCKS
        assert sum(map(len, _texts(message))) <= BUDGET
        assert all(len(block["text"]["text"]) <= SECTION_CHARS for block in message if block["type"] == "section")
    lines = [line for message in messages for text in _texts(message) for line in text.split("\n")]
    assert sum(line.startswith("*[") for line in lines) == citations


def test_a_link_too_long_for_a_section_is_given_up():
    shown = source(a_citation(), f"https://h.example/{'a' * 3000}")
    assert shown == "*[1]* leave.pdf, p. 12"


def test_the_summary_is_short_and_never_cuts_into_code():
    shown = summary("See `https://a.example/" + "x" * 300 + "` for more.")
    assert len(shown) <= 150
    assert shown.count("`") == 2
    assert summary("") == "Footnote"
