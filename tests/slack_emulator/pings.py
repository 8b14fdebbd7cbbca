"""Who a message pings and which of its links Slack would fetch: what a reader cannot see before it has happened.

Where Slack's behaviour is not documented the stricter reading counts: markup resolves in `markdown` blocks, in streamed
text, inside code, and in the `text` that stands behind blocks. Links are counted when they carry a scheme or begin
with "www."; bare file names with a country's ending are not, nor is what stands in code, which Slack shows as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tests.slack_emulator.payload import Json, string, walk

_USER: Final = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>")
_GROUP: Final = re.compile(r"<!subteam\^(S[A-Z0-9]+)(?:\|[^<>]*)?>")
_BROADCAST: Final = re.compile(r"<!(channel|here|everyone)(?:\|[^<>]*)?>", re.IGNORECASE)
_TYPED_BROADCAST: Final = re.compile(r"(?<![\w<!])@(channel|here|everyone)\b")
_LINK: Final = re.compile(r"(?<=\]\()https?://[^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*|(?:https?://|\bwww\.)[^\s<>|\"]+")
_CODE: Final = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_TRAILING: Final = ".,;:!?*_~'`)]}"


@dataclass(frozen=True, slots=True)
class Pings:
    """Who was notified by name. False when nobody was."""

    users: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    broadcasts: frozenset[str] = frozenset()
    """Of "channel", "here", "everyone"."""

    def __bool__(self) -> bool:
        return bool(self.users or self.groups or self.broadcasts)

    def __or__(self, other: Pings) -> Pings:
        return Pings(self.users | other.users, self.groups | other.groups, self.broadcasts | other.broadcasts)


NOBODY: Final = Pings()


def pings_of(texts: Sequence[str], blocks: object, *, link_names: bool = False) -> Pings:
    """Who is pinged by these texts and blocks; with `link_names` a typed "@channel" counts as well."""
    found = NOBODY
    for text in (*texts, *_markup_of(blocks)):
        found |= _pings_in(text)
        if link_names:
            found |= Pings(broadcasts=frozenset(_TYPED_BROADCAST.findall(text)))
    for element in walk(blocks):
        found |= _pings_of_element(element)
    return found


def links_of(texts: Sequence[str], blocks: object) -> tuple[str, ...]:
    """The links that Slack would look up, in order of first appearance, each once."""
    found = [link for text in (*texts, *_markup_of(blocks)) for link in _links_in(text)]
    found += [string(element.get("url")) for element in walk(blocks) if element.get("type") in {"link", "citation"}]
    return tuple(dict.fromkeys(filter(None, found)))


def _pings_in(text: str) -> Pings:
    return Pings(
        frozenset(_USER.findall(text)),
        frozenset(_GROUP.findall(text)),
        frozenset(name.lower() for name in _BROADCAST.findall(text)),
    )


def _pings_of_element(element: Json) -> Pings:
    match element:
        case {"type": "user", "user_id": str(user)}:
            return Pings(users=frozenset({user}))
        case {"type": "usergroup", "usergroup_id": str(group)}:
            return Pings(groups=frozenset({group}))
        case {"type": "broadcast", "range": str(reach)}:
            return Pings(broadcasts=frozenset({reach}))
        case _:
            return NOBODY


def _markup_of(blocks: object) -> Iterator[str]:
    """The texts inside blocks that Slack reads as markup; plain_text and rich_text's text are none."""
    for element in walk(blocks):
        match element:
            case {"type": "mrkdwn" | "markdown" | "markdown_text", "text": str(text)}:
                yield text
            case _:
                pass


def _links_in(text: str) -> Iterator[str]:
    for match in _LINK.finditer(_CODE.sub(" ", text)):
        link = match.group()
        while link[-1:] in _TRAILING and not (link.endswith(")") and link.count("(") >= link.count(")")):
            link = link[:-1]
        yield link
