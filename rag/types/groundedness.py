"""Whether the passages that a sentence cites bear it out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Support(StrEnum):
    """Whether the passages that a sentence cites bear it out."""

    SUPPORTED = "supported"
    CORRECTED = "corrected"
    """One number stands otherwise in its sources, and only one can be meant; the text is left as it was shown."""
    UNSUPPORTED = "unsupported"
    UNCITED = "uncited"
    """It states something and names no source."""
    NOT_CHECKED = "not_checked"
    """It states nothing, or is in another language than its sources."""


class Lack(StrEnum):
    """What a sentence says that its sources do not."""

    NUMBER = "number"
    UNIT = "unit"
    """The number stands there, but counts something else."""
    DATE = "date"
    CODE = "code"
    NEGATION = "negation"
    """One of the two denies what the other says."""
    WORDS = "words"
    """Too little of what it says is found there."""


@dataclass(frozen=True, slots=True)
class Missing:
    """One thing that was looked for in vain."""

    lack: Lack
    text: str = ""
    """As the answer writes it; empty where it is no single thing."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What the only source that can be meant says instead."""

    said: str
    source: str
    """The number with its unit, as the passage writes it: a document's words, to be escaped like all of them."""
    citation: int


@dataclass(frozen=True, slots=True)
class SentenceSupport:
    """One sentence of an answer held against the passages that it cites: text[start:end], in characters."""

    start: int
    end: int
    verdict: Support
    citations: tuple[int, ...] = ()
    """The numbers of the passages that it was held against."""
    missing: tuple[Missing, ...] = ()
    correction: Correction | None = None
    borne_out_by: tuple[int, ...] = ()
    """Other sources of the answer that bear out a sentence which its own do not, or which names none: each, or if none
    does by itself, all together."""
