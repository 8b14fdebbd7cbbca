"""How much of a sentence its passages say in its own words, and whether they deny it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rag.answering.groundedness.passages import Line, Passage
from rag.text.stop_words import DENIALS

SAME_MATTER: Final = 0.6
"""The share of a sentence's words that a line must hold to be able to contradict it."""
NEAREST: Final = 0.35
"""Lines whose share is less than this below the best speak of the same, too."""

_IMPLIED: Final = frozenset(
    """
    before unless until only except but fewer less under below forbidden prohibited banned excluded refuse
    refused bevor außer erst sofern bis weniger unter verboten untersagt ausgeschlossen avant sauf sinon seulement
    interdit antes salvo solo prohibido fail fails failed lack lacks missing absent avoid avoids stop stops stopped
    ceased refrain unable impossible exempt exempted instead rather hardly rarely deny denies denied prevent
    prevents prevented void invalid free unlike otherwise fehlt fehlen entfällt entfallen statt anstatt kaum
    vermeiden verhindert ungültig befreit sonst frei exempté évite manque faute imposible falta evita exento
    """.split()  # noqa: SIM905  # a list of words reads best as words
)
"""Words that deny something without a denial: where one stands, denials cannot be counted against each other."""
_BOUNDS: Final = frozenset(
    """
    more less later earlier fewer longer shorter only greater higher lower mehr weniger später länger höher nur plus
    moins más menos più meno mais meer minder sooner than until exceed exceeding
    """.split()  # noqa: SIM905  # as above
)
"""A denial right before one of these sets a bound ("no more than five") and denies nothing."""
_LEFT_HANGING: Final = frozenset({"not", "nicht", "pas", "no", "non", "niet"})
"""As the last word of a sentence they deny what is not said: "Tolhuis does not"."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How passages bear on a sentence by their words."""

    together: float
    """The share of its words that stands in the best two neighbouring lines, title and headings; 0 to 1."""
    contradicts: bool
    """Whether all lines that speak of the same contradict the sentence."""


def wording(line: Line, passages: Sequence[Passage]) -> Wording:
    """How the passages bear on the sentence."""
    if not line.content:
        return Wording(1.0, contradicts=False)
    together, alone = 0.0, list[tuple[float, Line]]()
    for passage in passages:
        for place, text in enumerate(passage.lines):
            window = passage.lines[0].held.union(*(near.held for near in passage.lines[place : place + 2]))
            together = max(together, _share(line, window))
            alone.append((_share(line, text.held), text))
    most = max(share for share, _ in alone)
    nearest = [text for share, text in alone if share >= most - NEAREST]
    return Wording(together, contradicts=most >= SAME_MATTER and all(contradict(line, text) for text in nearest))


def _share(line: Line, held: frozenset[str]) -> float:
    """How much of the sentence's words is held: each whole, or the share of its parts."""
    return sum(_degree(terms, held) for _, terms in line.content) / len(line.content)


def _degree(terms: Sequence[str], held: frozenset[str]) -> float:
    whole, *parts = terms
    return 1.0 if whole in held else sum(part in held for part in parts) / max(1, len(parts))


def contradict(line: Line, source: Line) -> bool:
    """Whether one of the two denies what the other says, or says another period: "a week", "a month"."""
    if line.periods and source.periods and line.periods.isdisjoint(source.periods):
        return True
    words = {word.lower for word in (*line.words, *source.words)}
    return _IMPLIED.isdisjoint(words) and _denials(line) % 2 != _denials(source) % 2


def _denials(line: Line) -> int:
    words = [word.lower for word in line.words]
    hangs = bool(words) and words[-1] in _LEFT_HANGING
    return (
        sum(
            (word in DENIALS or word.endswith("n't")) and following not in _BOUNDS
            for word, following in zip(words, [*words[1:], ""], strict=True)
        )
        - hangs
    )
