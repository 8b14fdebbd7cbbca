"""Follows a Rich Text Format file group by group."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from indexer.extraction.formats.rtf.group import SILENT, TEXT, Group
from indexer.extraction.formats.rtf.story import Form, Story
from indexer.extraction.formats.rtf.tokens import Bytes, Close, ControlWord, Open, Symbol, Token
from indexer.extraction.formats.rtf.words import (
    CHARACTERS,
    ENDS_OF_PARAGRAPHS,
    INFO,
    LABELS,
    PAGES,
    PASSED_THROUGH,
    SKIPPED,
    STORIES,
    SYMBOL,
    SYMBOLS,
    UNICODE_TWIN,
    codec_of,
)

_HEADING: Final = re.compile(r"heading (\d)$", re.IGNORECASE)
_CONTENTS: Final = re.compile(r"toc \d$", re.IGNORECASE)
_MAX_HEADING_LEVEL: Final = 6
_DEEPEST_STORY: Final = 8
"""Notes in text boxes in notes: what lies deeper stays with what is around it."""
_MOST_GROUPS: Final = 100_000
_UNICODE_UNITS: Final = 0x10000
_SHAPES_FROM: Final = 0xF000
"""Where Unicode has room for the characters of symbol fonts."""


@dataclass(slots=True)
class RtfReader:
    """Reads tokens; afterwards has the text and the title."""

    text: Story = field(default_factory=lambda: Story("text"))
    margins: dict[str, None] = field(default_factory=dict[str, None])
    """Headers and footers, each once."""
    title: str = ""
    is_cut_off: bool = False
    _groups: list[Group] = field(default_factory=list[Group])
    _pending: bytearray = field(default_factory=bytearray)
    _unread: int = 0
    _is_optional: bool = False
    _document_page: int = 1252
    _charsets: dict[int, int] = field(default_factory=dict[int, int])
    _default_font: int = 0
    _styles: dict[int, str] = field(default_factory=dict[int, str])
    _author: str = ""
    _notes: int = 0

    def read(self, stream: Iterable[Token]) -> None:
        """Everything up to the end of the outermost group, or of the file."""
        self._groups.append(Group(self.text))
        for token in stream:
            match token:
                case Bytes(raw):
                    self._bytes(raw)
                case Open():
                    self._flush()
                    if len(self._groups) > _MOST_GROUPS:
                        break
                    self._groups.append(replace(self._groups[-1]))
                    self._unread, self._is_optional = 0, False
                case Close():
                    self._flush()
                    self._unread = 0
                    if len(self._groups) > 1:
                        self._close()
                case ControlWord(name, number):
                    self._flush()
                    self._word(name, number)
                case Symbol(name):
                    self._flush()
                    self._symbol(name)
        self._flush()
        self.is_cut_off = len(self._groups) > 1
        while len(self._groups) > 1:
            self._close()

    def _close(self) -> None:
        """Ends a group; a text of its own is put where it belongs."""
        ended, outer = self._groups.pop(), self._groups[-1]
        if ended.story is outer.story:
            return
        blocks = ended.story.finished()
        outer.story.cells_left_out += ended.story.cells_left_out
        match ended.story.kind:
            case "margin":
                self.margins.update(dict.fromkeys(blocks))
            case "note":
                self._notes += 1
                outer.story.aside(f"[^{self._notes}]: {' '.join(' '.join(blocks).split())}" if blocks else "")
            case "comment":
                by = f" by {self._author.strip()}" if self._author.strip() else ""
                outer.story.aside(f"[Comment{by}: {' '.join(' '.join(blocks).split())}]" if blocks else "")
                self._author = ""
            case _:
                outer.story.aside("\n\n".join(blocks))

    def _bytes(self, raw: bytes) -> None:
        passed = min(self._unread, len(raw))
        self._unread -= passed
        if self._groups[-1].place not in SILENT:  # a picture is millions of digits
            self._pending += raw[passed:]

    def _flush(self) -> None:
        """Bytes are decoded when they are complete: a character may have several, some of them escaped."""
        if not self._pending:
            return
        raw = bytes(self._pending)
        self._pending.clear()
        font = self._groups[-1].font
        charset = self._charsets.get(self._default_font if font is None else font)
        codec = codec_of(charset, self._document_page)
        if codec == SYMBOL:
            self._write("".join(chr(_SHAPES_FROM + byte) if byte > 0x20 else " " for byte in raw))  # noqa: PLR2004  # a blank
        else:
            self._write(raw.decode(codec, "replace"))

    def _write(self, text: str) -> None:
        group = self._groups[-1]
        match group.place:
            case "title":
                self.title += text
            case "stylesheet":
                self._styles[group.style] = self._styles.get(group.style, "") + text
            case "author":
                self._author += text
            case "label" if group.is_shown:
                group.story.label(text)
            case _ if group.is_shown:
                group.story.write(text)
            case _:
                pass

    def _symbol(self, name: str) -> None:
        if self._unread:
            self._unread -= 1
        elif name == "*":
            self._is_optional = True
        elif name in {"\n", "\r"}:
            self._end_paragraph()
        elif name in SYMBOLS:
            self._write(SYMBOLS[name])

    def _word(self, name: str, number: int | None) -> None:
        group = self._groups[-1]
        optional, self._is_optional = self._is_optional, False
        if self._unread:
            self._unread -= 1
            return
        if name == "ud":
            group.place = next((outer.place for outer in reversed(self._groups) if outer.place not in SILENT), TEXT)
        elif group.place == INFO and name == "title":
            group.place = "title"
        elif group.place in {"skip", INFO, UNICODE_TWIN} or self._begins(group, name, optional=optional):
            return
        elif name == "u" and number is not None:
            self._write(chr(number % _UNICODE_UNITS))
            self._unread = group.after_unicode
        elif name in CHARACTERS:
            self._write(CHARACTERS[name])
        elif name in ENDS_OF_PARAGRAPHS:
            self._end_paragraph()
        else:
            self._form(group, name, number)

    def _begins(self, group: Group, name: str, *, optional: bool) -> bool:
        """Whether the word gives the group a meaning of its own."""
        if name in SKIPPED or name.endswith("Pr"):
            group.place = "skip"
        elif name in {INFO, UNICODE_TWIN, "fonttbl", "stylesheet"}:
            group.place = name
        elif name in STORIES and group.story.depth < _DEEPEST_STORY:
            group.begin(Story(STORIES[name], depth=group.story.depth + 1))
        elif name in LABELS:
            group.place = "label"
        elif name == "atnauthor":
            group.place = "author"
        elif optional and name not in PASSED_THROUGH and group.place != "stylesheet":
            group.place = "skip"
        else:
            return name in PASSED_THROUGH
        return True

    def _form(self, group: Group, name: str, number: int | None) -> None:
        match name:
            case "fcharset" if group.font is not None and group.place == "fonttbl":
                self._charsets[group.font] = number or 0
            case "deff":
                self._default_font = number or 0
            case "ansicpg" | "mac" | "pc" | "pca":
                self._document_page = number or PAGES.get(name, self._document_page)
            case "cell":
                group.story.end_cell(self._shape(group))
            case "row":
                group.story.end_row()
            case "nestcell":
                self._write(" · ")
            case "nestrow":
                self._write("; ")
            case _:
                group.set_characters(name, number)
                group.set_paragraph(name, number)

    def _end_paragraph(self) -> None:
        group = self._groups[-1]
        if group.place not in SILENT and group.place != "stylesheet":
            group.story.end_paragraph(self._shape(group))

    def _shape(self, group: Group) -> Form:
        name = self._styles.get(group.style, "").strip(" ;")
        named = _HEADING.match(name)
        level = int(named[1]) if named is not None else int(name.lower() == "title")
        if group.outline is not None and group.outline < _MAX_HEADING_LEVEL:
            level = level or group.outline + 1
        return Form(group.in_table, min(level, _MAX_HEADING_LEVEL), group.depth, _CONTENTS.match(name) is not None)
