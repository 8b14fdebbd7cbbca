"""The characters of a PDF page one by one, for lines that need a closer look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points."""

_TURNS: Final = {(0, -1): 90, (-1, 0): 180, (0, 1): 270}
"""By the direction in which text runs, across and down."""
_SLANT: Final = 0.1


@dataclass(frozen=True, slots=True)
class Glyph:
    """A character as it is drawn."""

    character: str
    x0: float
    x1: float
    invented: bool = False
    """A space that the library put in by a guess of its own."""


def glyphs_of(raw: Any, turn: int) -> list[Glyph]:
    """The characters of one line of the library's raw dictionary, on a page that is turned by so many degrees."""
    return list(_glyphs(raw, turn))


def _glyphs(raw: Any, turn: int) -> Iterator[Glyph]:
    for span in raw["spans"]:
        for mark in span["chars"]:
            x0, _, x1, _ = turned(mark["bbox"], turn)
            yield Glyph(mark["c"], x0, x1, mark.get("synthetic", False))


def turned(box: Box, turn: int) -> Box:
    """The box on a page that was turned clockwise by 0, 90, 180 or 270 degrees round its corner."""
    x0, y0, x1, y1 = box
    match turn:
        case 90:
            return -y1, x0, -y0, x1
        case 180:
            return -x1, -y1, -x0, -y0
        case 270:
            return y0, -x1, y1, -x0
        case _:
            return box


def turn_of(blocks: Sequence[Any]) -> int:
    """The degrees by which a page is to be turned clockwise so that most of its text is level."""
    chars: dict[int, int] = {}
    for block in blocks:
        for raw in block.get("lines", ()):
            turn = 0 if raw["wmode"] else turn_of_direction(raw["dir"])
            chars[turn] = chars.get(turn, 0) + sum(len(span["text"]) for span in raw["spans"])
    return max(chars, key=lambda turn: chars[turn], default=0)


def turn_of_direction(direction: tuple[float, float]) -> int:
    """Likewise for one line, by the way it runs across and down; 0 for one that is at a slant."""
    across, down = direction
    if across > 1 - _SLANT:
        return 0
    if min(abs(across), abs(down)) > _SLANT:
        return 0
    return _TURNS.get((round(across), round(down)), 0)
