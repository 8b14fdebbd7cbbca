"""One line of a model's Markdown made harmless: no links, no pings, no bare URLs; nothing else is changed.

What Slack makes of Markdown is not specified to the letter, so the result is built to read the same under every rule:
back-ticks come singly and in pairs on their line, and whatever could be read as markup is broken by a zero-width space.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

ZERO_WIDTH: Final = "\u200b"
CONTROLS: Final = dict.fromkeys([*range(9), *range(11, 32), 127])
"""For `str.translate`: control characters, which a PDF can be full of, are dropped before a line is read."""

# A construct longer than this is no construct: so little is held back, whatever a model writes.
_CODE_CHARS: Final = 1000
_LINK_CHARS: Final = 1000
_LABEL_CHARS: Final = 300
_WORD_CHARS: Final = 4000

_TICKS: Final = re.compile(r"`+")
_SPACE: Final = re.compile(r"\s+")
# A word ends where another kind of token begins. Scripts that write without spaces flow on, character by character,
# unless they continue a URL.
_WORD: Final = re.compile(
    r"""(?:["-Z\\^_a-~]|!(?!\[))*?(?:://|www\.)[^\s`\[\]]*
      | (?:["-Z\\^_a-~]|!(?!\[))+
      | [^\x00-\x7f]+""",
    re.VERBOSE,
)
_DESTINATION: Final = re.compile(
    r"""\(\s*+
        (?: <[^<>]*> | (?!<)[^\s()]*(?:\([^\s()]*\)[^\s()]*)* )
        \s*+(?: "[^"]*" | '[^']*' | \([^()]*\) )?\s*+
        \)""",
    re.VERBOSE,
)
_NUMBER: Final = re.compile(r"\d{1,3}")

_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_AFTER_URL: Final = ".,;:!?*_~'"
# Besides what carries a scheme: hosts with a path, hosts with a sub-domain (both can carry a secret out when looked
# up), and names under the endings that a chat turns into links most often.
_URL: Final = re.compile(
    r"""(?: [a-z][a-z0-9+.-]{1,20}:// | (?<![a-z0-9])www\. | mailto: )[^\s`<>"|，。、；：！？）】》」』“”]+
      | (?<![a-z0-9@./-])(?:[a-z0-9-]+\.)+[a-z]{2,24}(?::\d+)?[/?#][^\s`<>"|，。、；：！？）】》」』“”]*
      | (?<![a-z0-9@./-])(?:[a-z0-9-]+\.){2,}[a-z]{2,24}(?![a-z0-9-])
      | (?<![a-z0-9@./-])[a-z0-9-]+\.(?:com|net|org|io|app|dev|ai|co|info|biz|me|xyz)(?![a-z0-9-])""",
    re.VERBOSE | re.IGNORECASE,
)

_BROADCAST: Final = re.compile(r"@(?=(?:channel|here|everyone)(?![a-z0-9]))", re.IGNORECASE)
_ANGLE: Final = re.compile(r"<(?=[!@#/A-Za-z])")
_LINKING: Final = re.compile(r"\](?=[(:])")
# In code an opening angle bracket is an everyday thing: only what Slack itself resolves is broken.
_ANGLE_IN_CODE: Final = re.compile(r"(<|&lt;|&#0*60;|&#x0*3c;)(?=[!@#]|[a-z][a-z0-9+.-]*:(?!:))", re.IGNORECASE)

# After these nothing grows together, and a piece that is nothing else begins nothing.
_KEEPS_APART: Final = frozenset(" \t*_~\"'(),;]\u00a0" + ZERO_WIDTH)
_BEGINS_NOTHING: Final = re.compile(r"[\s*_~\"'(),;\].!?][\s.!?]*|[\s*_~\"'(),;].*", re.DOTALL)


def broken_broadcasts(text: str) -> str:
    """The text with `@channel`, `@here` and `@everyone` made words like others."""
    return _BROADCAST.sub(f"@{ZERO_WIDTH}", text)


def safe_code(text: str) -> str:
    """Code that names nobody; what it shows is not changed."""
    return broken_broadcasts(_ANGLE_IN_CODE.sub(rf"\1{ZERO_WIDTH}", text))


def safe_line(text: str) -> str:
    """A whole line made harmless; white space is drawn together, control characters are dropped."""
    return InlineState().take(" ".join(text.split()).translate(CONTROLS), complete=True)[0]


@dataclass(frozen=True, slots=True)
class _Token:
    """A piece of a line that nothing to come can change."""

    end: int
    pieces: tuple[str, ...]
    stripped: bool = False
    """It was a link: its text must not grow together with what stands beside it."""


class InlineState:
    """The state of one line of prose on its way through."""

    def __init__(self) -> None:
        self._last = ""
        self._apart = False

    def take(self, text: str, *, complete: bool) -> tuple[str, int]:
        """The safe form of the longest beginning of `text` that is settled, and how many characters that is.

        The next call gets the rest, and more; with `complete` the line ends with `text` and everything is settled.
        """
        shown: list[str] = []
        position = 0
        while position < len(text):
            token = _token(text, position, complete=complete)
            if token is None:
                break
            self._apart |= token.stripped
            shown.extend(self._joined(piece) for piece in token.pieces if piece)
            self._apart = token.stripped
            position = token.end
        return "".join(shown), position

    def _joined(self, piece: str) -> str:
        last, first = self._last, piece[0]
        self._last = piece[-1]
        apart, self._apart = self._apart, False
        grows_together = (
            (first == "`" and last in {"`", "\\"})
            or (first in "(:" and last == "]")
            or (last == "<" and _ANGLE.match(last + first))
            or (apart and last not in _KEEPS_APART and not _BEGINS_NOTHING.fullmatch(piece))
        )
        return ZERO_WIDTH + piece if last and grows_together else piece


def _token(text: str, start: int, *, complete: bool) -> _Token | None:
    """The token that begins at `start`; None while what is still to come may change it."""
    match text[start]:
        case "`":
            return _code(text, start, complete=complete)
        case "[":
            return _link(text, start, start, complete=complete)
        case "!" if text.startswith("![", start):
            return _link(text, start, start + 1, complete=complete)
        case "]":
            return _Token(start + 1, ("]",))
        case _:
            return _space(text, start) or _text(text, start, complete=complete)


def _space(text: str, start: int) -> _Token | None:
    space = _SPACE.match(text, start)
    return space and _Token(space.end(), (space.group(),))


def _text(text: str, start: int, *, complete: bool) -> _Token | None:
    window = text[start : start + _WORD_CHARS]
    word = _WORD.match(window)
    if word is None:
        raise AssertionError(f"no token begins with {text[start]!r}")
    flows = not word.group()[0].isascii()
    if word.end() == len(window) and not (complete or flows or len(window) == _WORD_CHARS):
        return None
    return _Token(start + word.end(), tuple(_word(word.group())))


def _code(text: str, start: int, *, complete: bool) -> _Token | None:
    ticks = _TICKS.match(text, start)
    if ticks is None or (ticks.end() == len(text) and not complete):
        return None
    window = text[ticks.end() : ticks.end() + _CODE_CHARS]
    settled = complete or len(window) == _CODE_CHARS
    for closing in _TICKS.finditer(window):
        if closing.end() == len(window) and not settled:
            return None
        if len(closing.group()) == len(ticks.group()):
            code = safe_code(window[: closing.start()].replace("`", "'"))
            return _Token(ticks.end() + closing.end(), (f"`{code}`",))
    return _Token(ticks.end(), ("'" * len(ticks.group()),)) if settled else None


def _link(text: str, start: int, bracket: int, *, complete: bool) -> _Token | None:
    """`[text](url)` or `![text](url)` as its text, or the first character where it is no link."""
    window = text[bracket : bracket + _LINK_CHARS]
    settled = complete or len(window) == _LINK_CHARS
    literal = _Token(start + 1, (text[start],))
    closing = _closing_bracket(window)
    if closing is None:
        return literal if settled or len(window) >= _LABEL_CHARS else None
    if closing + 1 == len(window):
        return literal if settled else None
    if window[closing + 1] != "(":
        return literal
    destination = _DESTINATION.match(window, closing + 1)
    if destination is None:
        return literal if settled else None
    label = window[1:closing]
    # "[1](…)" is a citation whose note the model wrote as a link: the number stays one.
    shown = f"[{label}]" if _NUMBER.fullmatch(label) else InlineState().take(label, complete=True)[0]
    return _Token(bracket + destination.end(), (shown,), stripped=True)


def _closing_bracket(window: str) -> int | None:
    depth = 0
    for position, character in enumerate(window[:_LABEL_CHARS]):
        depth += (character == "[") - (character == "]")
        if depth == 0:
            return position
    return None


def _word(raw: str) -> Iterator[str]:
    """A word in pieces: its URLs as code, the rest with its markup broken."""
    yield from _pieces(_ENTITY.sub(_decoded, raw))


def _pieces(text: str) -> Iterator[str]:
    position = 0
    for url in _URL.finditer(text):
        end = _end_of_url(text, url.start(), url.end())
        # Cut off from what followed it, the text before may end in a host that was none.
        yield from _pieces(text[position : url.start()])
        yield f"`{safe_code(text[url.start() : end])}`"
        position = end
    yield _plain(text[position:])


def _decoded(entity: re.Match[str]) -> str:
    """The character that an entity stands for: decoded here, it cannot become markup further on."""
    return html.unescape(entity.group()).replace("`", "'").replace("\n", " ").replace("\r", " ")


def _end_of_url(text: str, start: int, end: int) -> int:
    """Where the URL ends for a reader: punctuation behind it belongs to the sentence."""
    while end > start + 1:
        last = text[end - 1]
        closes_nothing = last == ")" and text.count("(", start, end) < text.count(")", start, end)
        if last not in _AFTER_URL and not closes_nothing:
            break
        end -= 1
    return end


def _plain(text: str) -> str:
    text = _ANGLE.sub(f"<{ZERO_WIDTH}", text)
    text = _LINKING.sub(f"]{ZERO_WIDTH}", text).replace("://", f":{ZERO_WIDTH}//")
    return broken_broadcasts(text)
