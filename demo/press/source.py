"""A text as its author wrote it: a few facts about the document, then its pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from demo.press.blocks import Block, parse

RULE: Final = "\n---\n"
"""Ends the facts at the head of a text."""
PAGE_BREAK: Final = "\n<!-- page -->\n"


@dataclass(frozen=True, slots=True)
class Source:
    """A document to be printed."""

    title: str
    number: str
    """Its number in the company's register ("SM-D350-03")."""
    date: str
    """ISO 8601."""
    issuer: str
    """The role or department that answers for it."""
    subtitle: str
    bound: bool
    """Whether it has a cover and a table of contents."""
    front_pages: int
    """How many of its pages stand before the table of contents. Those, the cover and the contents then carry roman
    numbers, and the text begins at 1; without any, all pages are counted alike."""
    pages: tuple[tuple[Block, ...], ...]


def read_source(text: str) -> Source:
    """The document in a text. Raises KeyError where a fact is missing, ValueError where the head is malformed."""
    head, rule, body = text.partition(RULE)
    if not rule:
        raise ValueError(f"No line of three dashes ends the head: {text[:60]!r}")
    facts = dict(_fact(line) for line in head.splitlines())
    return Source(
        title=facts["title"],
        number=facts["number"],
        date=facts["date"],
        issuer=facts["issuer"],
        subtitle=facts.get("subtitle", ""),
        bound=facts.get("bound") == "yes",
        front_pages=int(facts.get("front pages", "0")),
        pages=tuple(parse(page) for page in body.split(PAGE_BREAK)),
    )


def _fact(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(": ")
    if not colon:
        raise ValueError(f"Not a fact of the form 'name: value': {line!r}")
    return name, value.strip()
