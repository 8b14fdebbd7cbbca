"""A PDF page as lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageLine:
    """A run of text on one baseline, in points from the top left corner of the page."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    """Of most of its characters."""
    upright: bool
    """Set from left to right (or right to left), not turned and not from top to bottom."""
    monospaced: bool
    order: int = 0
    """Its place in the file."""
    table: int = 0
    """The table of the page that it is a row of, counted from 1; 0 for none."""

    @property
    def height(self) -> float:
        """Never nothing, so that it can divide."""
        return max(self.y1 - self.y0, 1.0)

    @property
    def middle(self) -> tuple[float, float]:
        """X and y of its centre."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def beside(self, other: PageLine) -> bool:
        """Whether the two stand in one row."""
        overlap = min(self.y1, other.y1) - max(self.y0, other.y0)
        return self.upright and other.upright and overlap > 0.5 * min(self.height, other.height)

    def shares_width(self, other: PageLine) -> bool:
        """Whether one stands above the other."""
        return min(self.x1, other.x1) > max(self.x0, other.x0)


@dataclass(frozen=True, slots=True)
class PageLines:
    """The lines of a page, in the order in which they are read, and the page's own box."""

    lines: Sequence[PageLine]
    box: tuple[float, float, float, float]
    """x0, y0, x1, y1 in points; the page is turned so that most of its text is level."""
