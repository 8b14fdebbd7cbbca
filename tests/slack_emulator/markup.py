"""Text as a member types it, as Slack stores it, and as it reads on the screen."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_MARKUP: Final = re.compile(r"(<(?:@[UW]|#[CG]|![a-z]|https?://|mailto:)[^<>]*>)")
_TYPED_LINK: Final = re.compile(r"https?://[^\s<>|]*[^\s<>|.,;:!?)]")
_SHOWN: Final = re.compile(r"<([^<>|]+)(?:\|([^<>]*))?>")
_MARKDOWN_LINK: Final = re.compile(r"\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\((\S+?)\)")


def escaped(text: str) -> str:
    """`text` with the three characters that Slack reserves written as entities."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def unescaped(text: str) -> str:
    """The opposite of `escaped`."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def typed(text: str) -> str:
    """What Slack stores when a member types `text`: reserved characters escaped, links marked, mentions kept."""
    parts = _MARKUP.split(text)
    return "".join(
        part if index % 2 else _TYPED_LINK.sub(r"<\g<0>>", escaped(part)) for index, part in enumerate(parts)
    )


def shown(text: str, *, name_of: Callable[[str], str]) -> str:
    """mrkdwn as a reader sees it: names for ids, and a link's address behind its label."""

    def readable(match: re.Match[str]) -> str:
        target, label = match.group(1), match.group(2)
        match target[0]:
            case "@":
                return f"@{label or name_of(target[1:])}"
            case "#":
                return f"#{label or name_of(target[1:])}"
            case "!":
                return label or f"@{target[1:]}"
            case _:
                return f"{label} ({target})" if label and label != target else target

    return unescaped(_SHOWN.sub(readable, text))


def shown_markdown(text: str, *, name_of: Callable[[str], str]) -> str:
    """Markdown as a reader sees it; emphasis stays as typed."""
    return shown(_MARKDOWN_LINK.sub(r"\1 (\2)", text), name_of=name_of)
