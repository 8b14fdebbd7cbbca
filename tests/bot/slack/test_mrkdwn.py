from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.slack.inline import ZERO_WIDTH as Z
from bot.slack.mrkdwn import SafeStream, escape, link, safe_markdown

# What attacks are made of, so that random joins of it hit on what nobody thought of.
_FRAGMENTS = st.sampled_from(
    [
        *"[]()<>!@#|`~\\*_:/.& \n\t\"'x1,-",
        "``",
        "```",
        "~~~",
        "````",
        "\n```python\n",
        "\n```\n",
        "  ```\n",
        "https://",
        "https://evil.example/?q=secret",
        "http",
        "://",
        "www.",
        "evil.com",
        "evil.com/",
        "secret.evil.example",
        "mailto:",
        "@channel",
        "@",
        "channel",
        "here",
        "<!channel>",
        "<!here|here>",
        "<@U0123ABC>",
        "<#C1|general>",
        "<!subteam^S1>",
        "subteam^S1",
        "](",
        "![",
        "[text](https://evil.example/a)",
        "![alt](https://evil.example/b.png)",
        "[1]",
        "[ref]: ",
        "&lt;",
        "&#96;",
        "&#91;",
        "&amp;",
        "&commat;",
        "&colon;",
        "词",
        "。",
        "é",
        "\r",
        "\u2028",
        "a word",
    ]
)
_HOSTILE = st.lists(_FRAGMENTS, max_size=14).map("".join)


def _streamed(text: str, cuts: list[int]) -> str:
    stream = SafeStream()
    edges = [0, *sorted(cut % (len(text) + 1) for cut in cuts), len(text)]
    shown = [stream.feed(text[start:end]) for start, end in itertools.pairwise(edges)]
    return "".join(shown) + stream.close()


def _without_code(markdown: str) -> str:
    """What a reader of Markdown takes for prose; an independent, simple reading of fences and code spans."""
    prose: list[str] = []
    fenced = False
    for line in markdown.split("\n"):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            parts = line.split("`")
            assert len(parts) % 2 == 1, f"a back-tick without its partner: {line!r}"
            prose.append("\u0000".join(parts[::2]))
    assert not fenced, "a fence stays open"
    return "\n".join(prose)


@given(_HOSTILE, st.lists(st.integers(min_value=0), max_size=8))
def test_a_stream_says_the_same_however_it_is_cut(text: str, cuts: list[int]):
    assert _streamed(text, cuts) == safe_markdown(text)


@given(_HOSTILE)
def test_a_stream_says_the_same_character_by_character(text: str):
    assert _streamed(text, list(range(len(text)))) == safe_markdown(text)


@given(_HOSTILE)
def test_no_markup_of_slack_survives_anywhere(text: str):
    shown = safe_markdown(text)
    assert not re.search(r"<[!@#]", shown)
    assert not re.search(r"@(channel|here|everyone)(?![A-Za-z0-9])", shown, re.IGNORECASE)


@given(_HOSTILE)
def test_no_link_survives_outside_of_code(text: str):
    prose = _without_code(safe_markdown(text))
    assert "](" not in prose
    assert "]:" not in prose
    assert not re.search(r"[a-z]://[^\s<>|\"`]|(?<![a-z0-9])www\.[a-z]|<[a-z/]", prose, re.IGNORECASE)
    assert not re.search(r"(?<![A-Za-z0-9@./-])(evil\.com|secret\.evil\.example)(?![A-Za-z0-9-])", prose)


@given(_HOSTILE)
def test_what_is_safe_keeps_its_code_when_made_safe_again(text: str):
    once = safe_markdown(text)
    assert _without_code(safe_markdown(once)) is not None


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("see [the handbook](https://evil.example/x).", "see the handbook."),
        ("![a chart](https://evil.example/x.png) shows", "a chart shows"),
        ("[![alt](https://a.example/i.png)](https://b.example)", "alt"),
        ('[titled](https://a.example "Title")', "titled"),
        ("[bracketed](<https://a.example/with space>)", "bracketed"),
        ("[wiki](https://a.example/X_(Y))", "wiki"),
        ("20 days [1](https://evil.example).", "20 days [1]."),
        ("20 days [1][2].", "20 days [1][2]."),
        ("as [1] (see there)", "as [1] (see there)"),
        ("go to https://a.example/x?y=1, then", "go to `https://a.example/x?y=1`, then"),
        ("(https://a.example/X_(Y))", "(`https://a.example/X_(Y)`)"),
        ("**https://a.example**", "**`https://a.example`**"),
        ("www.a.example and evil.com", "`www.a.example` and `evil.com`"),
        ("_www.a.example_, *secret.evil.example*", "_`www.a.example`_, *`secret.evil.example`*"),
        ("evil.io/leak?q=1", "`evil.io/leak?q=1`"),
        ("请看https://a.example/休假。好", "请看`https://a.example/休假`。好"),
        ("`https://a.example`", "`https://a.example`"),
        ("write to ann@corp.example", "write to ann@corp.example"),
        ("README.md, 3.5/4.0, e.g. this and/or that", "README.md, 3.5/4.0, e.g. this and/or that"),
        ("ping @channel now", f"ping @{Z}channel now"),
        ("ping @Here, @everyone", f"ping @{Z}Here, @{Z}everyone"),
        ("<!channel> <@U1>", f"<{Z}!channel> <{Z}@U1>"),
        ("&lt;!channel&gt;", f"<{Z}!channel>"),
        ("R&amp;D & more", "R&D & more"),
        ("a < b and c > d", "a < b and c > d"),
        ("`` a`b ``", "` a'b `"),
        ("a ` alone", "a ' alone"),
        ("> quoted\n\n- **bold** _it_\n1. one", "> quoted\n\n- **bold** _it_\n1. one"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "| a | b |\n|---|---|\n| 1 | 2 |"),
        (
            "```python\nx = a[0](1)  # https://a.example\n```\nend",
            "```python\nx = a[0](1)  # https://a.example\n```\nend",
        ),
        ("1. do\n   ```sh\n   ls\n     -l\n   ```", "1. do\n```sh\nls\n  -l\n```"),
        ("~~~\na\n```\nb\n~~~", f"```\na\n`{Z}`{Z}`\nb\n```"),
        ("```\nnever closed", "```\nnever closed\n```"),
        ("```inline``` code", "`inline` code"),
        ("a\r\nb\x07c", "a\nbc"),
    ],
)
def test_markdown_keeps_what_it_says_and_loses_what_it_does(written: str, shown: str):
    assert safe_markdown(written) == shown


@pytest.mark.parametrize(
    "attack",
    [
        "<[!channel](x)>",
        "@[channel](x)",
        "@![](x)channel",
        "ht[tps](x)://evil.example",
        "evil.[](x)com/leak",
        "[[a](x)](https://evil.example)",
        "a ` b https://evil.example ` c",
        "`a`https://evil.example",
        "\\https://evil.example",
        "\\`<!here>`",
        "&#91;text&#93;(https://evil.example)",
        "https&colon;//evil.example",
        "@&commat;channel",
        "[ref]: https://evil.example",
    ],
)
def test_what_is_taken_out_leaves_nothing_to_put_together(attack: str):
    shown = safe_markdown(attack)
    prose = _without_code(shown)
    assert not re.search(r"<[!@#]|@channel|\w://|\]\(|\]:|evil\.com/", prose)


def test_a_stream_holds_back_no_more_than_the_last_word():
    stream = SafeStream()
    assert stream.feed("Annual leave is twen") == "Annual leave is "
    assert stream.feed("ty days [1") == "twenty days "
    assert stream.feed("] a year") == "[1] a "
    assert stream.close() == "year"


def test_escaped_text_is_read_and_not_obeyed():
    assert escape("<!channel> & <@U1>") == "&lt;!channel&gt; &amp; &lt;@U1&gt;"
    assert escape("@channel") == f"@{Z}channel"


def test_a_link_of_ours_survives_hostile_names():
    assert link("https://h.example/a b(1)|2", "a|b\n<!here>") == (
        "<https://h.example/a%20b%281%29%7C2|a¦b &lt;!here&gt;>"
    )
    assert link("https://h.example/f?id=1&page=2#page=2", "f") == "<https://h.example/f?id=1&amp;page=2#page=2|f>"


def test_no_link_is_made_of_what_is_no_web_address():
    assert link("", "plan.pdf") == "plan.pdf"
    assert link("javascript:alert(1)", "plan.pdf") == "plan.pdf"


def test_a_name_cannot_turn_its_own_ending_round():
    assert link("https://h.example/", "invoice\u202efdp.exe") == "<https://h.example/|invoicefdp.exe>"
