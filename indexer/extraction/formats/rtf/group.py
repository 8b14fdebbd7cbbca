"""What holds between two braces of a Rich Text Format file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from indexer.extraction.formats.rtf.story import Story

TEXT: Final = ""
SILENT: Final = frozenset({"skip", "info", "upr", "fonttbl"})
"""Places whose words go nowhere."""
_DEEPEST_LEVEL: Final = 8


@dataclass(slots=True)
class Group:
    """A group inherits from the one around it, and leaves nothing behind."""

    story: Story
    place: str = TEXT
    """Where its words go: into the text, to a table of names, or nowhere."""
    font: int | None = None
    after_unicode: int = 1
    """Characters for old programs that follow each one of Unicode."""
    is_hidden: bool = False
    is_deleted: bool = False
    style: int = 0
    outline: int | None = None
    depth: int = 0
    in_table: bool = False

    @property
    def is_shown(self) -> bool:
        """Whether a reader sees its words."""
        return self.place not in SILENT and not self.is_hidden and not self.is_deleted

    def begin(self, story: Story) -> None:
        """From here on it is a text of its own."""
        self.story, self.place, self.style, self.outline, self.depth, self.in_table = story, TEXT, 0, None, 0, False

    def set_characters(self, name: str, number: int | None) -> None:
        """A control word about the letters that follow; others are left alone."""
        match name:
            case "f":
                self.font = number
            case "uc":
                self.after_unicode = max(number or 0, 0)
            case "v" | "htmlrtf":
                self.is_hidden = number != 0
            case "deleted":
                self.is_deleted = number != 0
            case "plain":
                self.font, self.is_hidden, self.is_deleted = None, False, False
            case _:
                pass

    def set_paragraph(self, name: str, number: int | None) -> None:
        """A control word about the paragraph; others are left alone."""
        match name:
            case "pard":
                self.style, self.outline, self.depth, self.in_table = 0, None, 0, False
            case "s":
                self.style = number or 0
            case "cs" | "ds" | "ts" if self.place == "stylesheet":  # styles of other things than paragraphs
                self.place = "skip"
            case "outlinelevel":
                self.outline = number
            case "ilvl":
                self.depth = min(max(number or 0, 0), _DEEPEST_LEVEL)
            case "intbl":
                self.in_table = number != 0
            case _:
                pass
