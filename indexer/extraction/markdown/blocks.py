"""Blocks of Markdown, as they come."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Blocks:
    """Paragraphs, tables and lists; items that follow each other are lines of one list."""

    _blocks: list[list[str]] = field(default_factory=list[list[str]])
    _in_list: bool = False

    def add(self, text: str, *, is_item: bool = False) -> None:
        """The next block or item; nothing is added for blanks."""
        if not text.strip():
            return
        if is_item and self._in_list:
            self._blocks[-1].append(text)
        else:
            self._blocks.append([text])
        self._in_list = is_item

    def extend(self, texts: list[str]) -> None:
        """The next blocks; a list does not go on behind them."""
        for text in texts:
            self.add(text)

    def texts(self) -> list[str]:
        """One text a block."""
        return ["\n".join(lines) for lines in self._blocks]
