"""Where a long answer is cut into messages. Pure; works on text that `mrkdwn.safe_markdown` has made safe."""

from __future__ import annotations

from typing import Final

from bot.slack.mrkdwn import FENCE

BUDGET: Final = 11_500
"""Characters of Markdown a message: above some 13,000 Slack refuses it, however many blocks they stand in."""

_CLOSING: Final = len(FENCE) + 2
"""What a cut may add: the end of a fence or of a code span."""


def split(text: str, *, room: int = BUDGET, before: str = "") -> tuple[str, str]:
    """Cut `text` so that its head has at most `room` characters, and give head and tail.

    The cut falls between paragraphs, or else lines, or else words. `before` is what already stands in the message: a
    code fence or code span that is open at the cut is closed in the head and opened again in the tail. The head is
    empty where not even a word fits.
    """
    if len(text) <= room:
        return text, ""
    cut = _best_cut(text, max(0, room - _CLOSING), least=(len(before) + room) // 2 - len(before), begun=bool(before))
    head, tail = text[:cut].rstrip(), text[cut:]
    closing, opening = _bridge(before + head)
    return head + closing, opening + _unindented(tail, code=bool(opening))


def pages(text: str, *, room: int = BUDGET) -> list[str]:
    """The text in as many messages as it needs; none when there is no text."""
    parts: list[str] = []
    while text.strip():
        head, text = split(text, room=room)
        parts.append(head)
    return parts


def _best_cut(text: str, room: int, *, least: int, begun: bool) -> int:
    for boundary in ("\n\n", "\n", " "):
        cut = text.rfind(boundary, 0, room)
        if cut > 0 and cut >= least:
            return cut
    return 0 if begun and least <= 0 else room


def _unindented(tail: str, *, code: bool) -> str:
    return tail.removeprefix("\n") if code else tail.lstrip()


def _bridge(shown: str) -> tuple[str, str]:
    """What closes the code that is open at the end of `shown`, and what opens it again on the next page."""
    opened = ""
    line = ""
    for line in shown.split("\n"):
        if line.startswith(FENCE):
            opened = "" if opened else line
    if opened:
        return f"\n{FENCE}", f"{opened}\n"
    open_span = line.count("`") % 2 and not line.startswith(FENCE)
    return ("`", "`") if open_span else ("", "")
