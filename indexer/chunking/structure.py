"""Where headings, paragraphs, tables and code stand in the text of a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

_HEADING: Final = re.compile(r"[ ]{0,3}(?P<marks>#{1,6})(?=[ \t]|$)")
_FENCE: Final = re.compile(r"[ ]{0,12}(?P<fence>`{3,}|~{3,})(?P<info>.*)$")
_UNDERLINE: Final = re.compile(r"[ ]{0,3}(?:={2,}|-{3,})[ \t]*$")
_NOT_UNDERLINED: Final = re.compile(r"\s*(?:[-*+>|#]|\d+[.)]\s)|[ ]{0,3}\t|[ ]{4}")
_INDENTED: Final = re.compile(r"[ ]{0,3}\t|[ ]{4}")
_ITEM: Final = re.compile(r"[ ]{0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_SEPARATOR: Final = frozenset("|-: \t")
_ANCHOR: Final = re.compile(r"[ \t]*\{[#:.][^}]*\}$")
_MARKUP: Final = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|<[^<>]+>|[*`]+|(?<!\w)_+|_+(?!\w)")
_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
_HEAD_LINES: Final = 2
"""Of a table: the names of the columns, and the line below."""
_LONGEST_TITLE_CHARS: Final = 300
"""More of a heading helps nobody, and patterns take their time over it."""
_LONGEST_UNDERLINED_CHARS: Final = 120


class LineKind(IntEnum):
    """What a line is, as far as cutting is concerned."""

    BLANK = 0
    TEXT = 1
    HEADING = 2
    ROW = 3
    """Of a table."""
    CODE = 4


WHOLE: Final = frozenset({LineKind.ROW, LineKind.CODE})
"""Lines that are not cut in the middle."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line with its line break: text[start:end]."""

    start: int
    end: int
    kind: LineKind
    level: int = 0
    """Of a heading, counted from 1."""
    title: str = ""


@dataclass(frozen=True, slots=True)
class HeadedSection:
    """One or more headings in a row, and what stands under them up to the next."""

    start: int
    end: int
    path: tuple[str, ...]
    """The headings in force, outermost first, its own last."""
    lines: Sequence[TextLine]


def sections_of(text: str, above: Sequence[str]) -> list[HeadedSection]:
    """The sections of a page, in order, covering it; `above` are the headings in force where it begins."""
    stack = [(level, title) for level, title in enumerate(above, start=1)]
    sections: list[HeadedSection] = []
    lines: list[TextLine] = []
    has_body = False
    for line in lines_of(text):
        if line.kind is LineKind.HEADING:
            if has_body:
                sections.append(_section(lines, stack))
                lines, has_body = [], False
            while stack and stack[-1][0] >= line.level:
                stack.pop()
            if line.title:
                stack.append((line.level, line.title))
        elif line.kind is not LineKind.BLANK:
            has_body = True
        lines.append(line)
    if lines:
        sections.append(_section(lines, stack))
    return sections


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table whose first row names its columns."""

    start: int
    rows: int
    """Where the second row begins, what is drawn between the two left out."""
    first_end: int
    """Where that row ends."""
    end: int
    columns: str
    """The first row."""


def tables_of(text: str, lines: Sequence[TextLine]) -> Iterator[TextTable]:
    """The tables among the lines, in order."""
    at = 0
    while at < len(lines):
        last = at
        while last < len(lines) and lines[last].kind is LineKind.ROW:
            last += 1
        if last - at > _HEAD_LINES and _is_separator(text, lines[at + 1]):
            first = lines[at + _HEAD_LINES]
            columns = " ".join(text[lines[at].start : lines[at].end].split())
            named = columns if any(map(str.isalnum, columns)) else ""
            yield TextTable(lines[at].start, first.start, first.end, lines[last - 1].end, named)
        at = max(last, at + 1)


def lines_of(text: str) -> Iterator[TextLine]:
    """The lines of a Markdown text. A fence that never ends reaches to the end of the text."""
    fence = ""
    in_list = False
    before = LineKind.BLANK
    held: TextLine | None = None  # a line of text that an underline may turn into a heading
    for found in _LINE.finditer(text):
        raw = found[0].rstrip("\n")
        line, fence = _line(found.start(), found.end(), raw, fence)
        if held is not None and _UNDERLINE.match(raw) and not fence:
            level = 1 if "=" in raw else 2
            yield TextLine(held.start, held.end, LineKind.HEADING, level, plain(text[held.start : held.end]))
            yield TextLine(line.start, line.end, LineKind.BLANK)
            held, before = None, LineKind.BLANK
            continue
        if held is not None:
            yield held
        held = None
        if line.kind is LineKind.TEXT:
            if _INDENTED.match(raw):
                if not in_list and before in {LineKind.BLANK, LineKind.CODE}:
                    line = TextLine(line.start, line.end, LineKind.CODE)
            else:
                in_list = bool(_ITEM.match(raw))
        before = line.kind
        if line.kind is LineKind.TEXT and len(raw) <= _LONGEST_UNDERLINED_CHARS and not _NOT_UNDERLINED.match(raw):
            held = line
        else:
            yield line
    if held is not None:
        yield held


def plain(heading: str) -> str:
    """The words of a heading, without Markdown's marks."""
    return " ".join(_ANCHOR.sub("", _MARKUP.sub(r"\1", heading.strip()[:_LONGEST_TITLE_CHARS])).split())


def _is_separator(text: str, line: TextLine) -> bool:
    row = text[line.start : line.end].strip()
    return "-" in row and _SEPARATOR.issuperset(row)


def _line(start: int, end: int, raw: str, fence: str) -> tuple[TextLine, str]:
    """The line, and the fence that it stands in (with its own marks) or opens; empty outside."""
    found = _FENCE.match(raw)
    if fence:
        closes = found is not None and found["fence"].startswith(fence) and not found["info"].strip()
        return TextLine(start, end, LineKind.CODE), "" if closes else fence
    if found is not None and "`" not in found["info"]:
        return TextLine(start, end, LineKind.CODE), found["fence"]
    if not raw.strip():
        return TextLine(start, end, LineKind.BLANK), ""
    if heading := _HEADING.match(raw):
        return TextLine(start, end, LineKind.HEADING, len(heading["marks"]), _title(raw[heading.end() :])), ""
    kind = LineKind.ROW if _is_table_row(raw.strip()) else LineKind.TEXT
    return TextLine(start, end, kind), ""


def _title(rest: str) -> str:
    """The words of a heading after its opening marks, without the closing ones."""
    words = rest.strip()
    opened = words.rstrip("#")
    return plain(words if opened and not opened[-1].isspace() else opened)


def _is_table_row(row: str) -> bool:
    """A row as Markdown writes it, or cells with tabs between, as the text of a PDF has them."""
    return (len(row) > 1 and row.startswith("|") and row.endswith("|")) or "\t" in row


def _section(lines: list[TextLine], stack: Sequence[tuple[int, str]]) -> HeadedSection:
    return HeadedSection(lines[0].start, lines[-1].end, tuple(title for _, title in stack), tuple(lines))
