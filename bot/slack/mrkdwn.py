"""Text from models, documents, file names and errors made safe for Slack. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from bot.slack.inline import CONTROLS, ZERO_WIDTH, InlineState, broken_broadcasts, safe_code

FENCE: Final = "```"

_BIDI_OVERRIDES: Final = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
_OURS: Final = re.compile(r"https?://[^\s]+")
_IN_URL: Final = str.maketrans(
    {"|": "%7C", "(": "%28", ")": "%29", " ": "%20", "<": "%3C", ">": "%3E", '"': "%22", "`": "%60"}
)

_MAYBE_OPENING: Final = re.compile(r"[ \t]*(?:`{0,2}|~{0,2})")
_ENTERING: Final = re.compile(r"[ \t]*(?:`{3}|~{3})")
_OPENING: Final = re.compile(r"([ \t]*)(?:(`{3,})([^`]*)|(~{3,})(.*))")
_LANGUAGE: Final = re.compile(r"[A-Za-z0-9+#._-]{0,20}")
_CODE_TOKEN: Final = re.compile(r"\s+|`+|[^\s`]{1,4000}")
_CODE_TOKEN_CHARS: Final = 4000


def escape(text: str) -> str:
    """Text for a mrkdwn field in which nothing is markup: `<!channel>` and its like are read, not obeyed."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return broken_broadcasts(escaped)


def link(url: str, label: str) -> str:
    """A link of ours in mrkdwn; the label alone where `url` is empty or no web address.

    Only for URLs that this program made itself: no URL that a model or a document wrote may come here.
    """
    shown = " ".join(label.translate(CONTROLS | _BIDI_OVERRIDES).split()).replace("|", "¦").replace("`", "'")
    target = url.strip().translate(_IN_URL)
    return f"<{target.replace('&', '&amp;')}|{escape(shown)}>" if _OURS.fullmatch(target) else escape(shown)


def safe_markdown(text: str) -> str:
    """Markdown written by a model, for a `markdown` block or a stream.

    Links keep their text only, images their alternative text, bare URLs become code, mentions become words. Code
    fences stay, written with three back-ticks at the margin.
    """
    stream = SafeStream()
    return stream.feed(text) + stream.close()


@dataclass(frozen=True, slots=True)
class _Fence:
    """A code fence that is open."""

    closing: re.Pattern[str]
    maybe_closing: re.Pattern[str]
    indent: int
    """Its own indentation, taken away from every line inside: at the margin a fence is a fence for every reader."""

    @classmethod
    def opened_by(cls, line: re.Match[str]) -> _Fence:
        marks = line.group(2) or line.group(4)
        mark = re.escape(marks[0])
        return cls(
            closing=re.compile(rf"[ \t]*{mark}{{{len(marks)},}}[ \t]*"),
            maybe_closing=re.compile(rf"[ \t]*{mark}*[ \t]*"),
            indent=len(line.group(1)),
        )


class SafeStream:
    """`safe_markdown` for text that is still being written: what has been shown is never taken back.

    However the text is cut into pieces, the pieces that come out make up the same safe text.
    """

    def __init__(self) -> None:
        self._held = ""
        self._fence: _Fence | None = None
        self._inline = InlineState()
        self._at_margin = True

    def feed(self, piece: str) -> str:
        """What can be shown now. Held back is what later text may still change: at most the last construct."""
        self._held += piece.translate(CONTROLS)
        return self._drained(complete=False)

    def close(self) -> str:
        """The rest, when nothing more will come; an open fence is closed."""
        rest = self._drained(complete=True)
        if self._fence is None:
            return rest
        self._fence = None
        return rest + (FENCE if self._at_margin else f"\n{FENCE}")

    def _drained(self, *, complete: bool) -> str:
        shown: list[str] = []
        while "\n" in self._held:
            line, self._held = self._held.split("\n", 1)
            shown += [self._taken(line, complete=True)[0], "\n"]
            self._inline = InlineState()
            self._at_margin = True
        if self._held:
            text, used = self._taken(self._held, complete=complete)
            shown.append(text)
            self._held = self._held[used:]
        return "".join(shown)

    def _taken(self, text: str, *, complete: bool) -> tuple[str, int]:
        """The safe form of the beginning of a line's rest, and how many characters of it that is."""
        if self._at_margin:
            begun = self._begun(text, complete=complete)
            if begun is not None:
                return begun
        dropped = self._indent_of(text)
        self._at_margin = False
        take = self._inline.take if self._fence is None else _take_code
        shown, used = take(text[dropped:], complete=complete)
        return shown, dropped + used

    def _begun(self, text: str, *, complete: bool) -> tuple[str, int] | None:
        """What stands at the margin if it is a fence, or nothing yet if it may become one; None for other lines."""
        undecided = "", 0
        if self._fence is not None:
            if not self._fence.maybe_closing.fullmatch(text):
                return None
            if not complete:
                return undecided
            return self._closed(text) if self._fence.closing.fullmatch(text) else None
        if not complete:
            return undecided if _MAYBE_OPENING.fullmatch(text) or _ENTERING.match(text) else None
        opening = _OPENING.fullmatch(text)
        return None if opening is None else self._opened(opening)

    def _opened(self, line: re.Match[str]) -> tuple[str, int]:
        self._fence = _Fence.opened_by(line)
        self._at_margin = False
        written = _LANGUAGE.match((line.group(3) or line.group(5) or "").strip())
        return FENCE + (written.group() if written else ""), line.end()

    def _closed(self, line: str) -> tuple[str, int]:
        self._fence = None
        self._at_margin = False
        return FENCE, len(line)

    def _indent_of(self, text: str) -> int:
        """How many characters of indentation to drop: inside an indented fence, at the beginning of a line."""
        if self._fence is None or not self._at_margin:
            return 0
        return min(self._fence.indent, len(text) - len(text.lstrip(" \t")))


def _take_code(text: str, *, complete: bool) -> tuple[str, int]:
    """The safe form of the settled beginning of a line of code, and its length."""
    shown: list[str] = []
    used = 0
    for token in _CODE_TOKEN.finditer(text):
        may_grow = token.end() == len(text) and (text[used] == "`" or len(token.group()) < _CODE_TOKEN_CHARS)
        if may_grow and not complete:
            break
        shown.append(_safe_code_token(token.group()))
        used = token.end()
    return "".join(shown), used


def _safe_code_token(token: str) -> str:
    if token.startswith(FENCE):
        return ZERO_WIDTH.join(token)
    return safe_code(token)
