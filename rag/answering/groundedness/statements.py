"""An answer's Markdown as sentences, each with the sources that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rag.text.sentences import sentence_starts

_MARK: Final = re.compile(r"\[(\d{1,3})\]")
_MARKS: Final = re.compile(r"(?:\s{0,4}\[\d{1,3}\](?!\())++\s*")
"""Marks behind a full stop, which belong to what stands before it."""
_BULLET: Final = re.compile(
    r"[ \t]*(?:>[ \t]?)*(?:(?:[-*+•‣◦–]|\(?\d{1,2}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+)?"
)
_HEADING: Final = re.compile(r"[ \t]*#{1,6}[ \t]|[ \t]*\*\*[^*\n]{1,80}\*\*:?[ \t]*$")
_RULE: Final = re.compile(
    r"[ \t]*+(?:\|[ \t]*+)?:?-{3,}:?[ \t]*+(?:\|[ \t]*+:?-{3,}:?[ \t]*+)*+\|?[ \t]*+|[ \t]*+[*_=-]{3,}[ \t]*+"
)
_FENCE: Final = re.compile(r"[ \t]*(?:```|~~~)")
_LINK: Final = re.compile(r"\[([^\[\]\n]{1,200})\]\([^()\s]{1,500}\)")
_EMPHASIS: Final = re.compile(r"\*+|`+|(?<!\w)_+|_+(?!\w)")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of an answer: a sentence of a paragraph or a bullet, or a row of a table."""

    start: int
    end: int
    """It is text[start:end] of the answer, in characters, marks included."""
    text: str
    """Without Markdown and marks."""
    marks: tuple[int, ...]
    """The sources that it names, in order, each once."""
    lent: tuple[int, ...] = ()
    """Where it names none: those that its paragraph names next, or the line that introduces it."""
    is_heading: bool = False


def statements(answer: str, *, sources: int) -> list[Statement]:
    """The sentences of an answer in order; marks that name no source of `sources` are text."""
    found: list[Statement] = []
    introduced: tuple[int, ...] = ()
    for block in _blocks(answer):
        pieces: list[Statement] = []
        for piece in _pieces(answer, *block, sources):
            before = pieces or found
            if piece.text:
                pieces.append(piece)
            elif before and piece.marks:  # marks alone belong to what stands before them
                before[-1] = replace(before[-1], marks=_once((*before[-1].marks, *piece.marks)), end=piece.end)
        found += _lent(pieces, introduced)
        if pieces:
            is_item = answer[block[0] : block[1]] != answer[block[0] : block[1]].lstrip(" \t-*+•|0123456789.")
            introduced = pieces[-1].marks if pieces[-1].text.endswith((":", "：")) else introduced if is_item else ()
    return found


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a paragraph begin and end, the marks behind each with it."""
    start = 0
    for at in (*sentence_starts(text, 0, len(text)), len(text)):
        marks = _MARKS.match(text, at)
        end = at if marks is None else marks.end()
        if end > start and text[start:end].strip():
            yield start, end
            start = end


def _blocks(answer: str) -> Iterator[tuple[int, int]]:
    """Where paragraphs, bullets and rows stand; code is left out."""
    begun: int | None = None
    fenced = False
    position = 0
    for line in answer.splitlines(keepends=True):
        start, position = position, position + len(line)
        bare = line.rstrip()
        is_fence = bool(_FENCE.match(line))
        alone = bool(_RULE.fullmatch(bare)) or bare.lstrip().startswith("|") or bool(_HEADING.match(bare))
        opens = alone or not bare or is_fence or bool(_BULLET.match(line)[0].strip())  # type: ignore[index]
        if begun is not None and (opens or fenced):
            yield begun, start
            begun = None
        if is_fence:
            fenced = not fenced
        elif fenced or not bare or _RULE.fullmatch(bare):
            continue
        elif alone:
            yield start, position
        elif begun is None:
            begun = start
    if begun is not None:
        yield begun, len(answer)


def _pieces(answer: str, start: int, end: int, sources: int) -> Iterator[Statement]:
    block = answer[start:end]
    is_row = block.lstrip().startswith("|")
    lead = 0 if is_row else len(_BULLET.match(block)[0])  # type: ignore[index]
    spans = [(0, len(block))] if is_row else [(lead + one, lead + two) for one, two in sentence_spans(block[lead:])]
    is_heading = bool(_HEADING.match(block.rstrip()))
    for one, two in spans:
        raw = block[one:two]
        marks = tuple(n for n in map(int, _MARK.findall(raw)) if 1 <= n <= sources)
        text = plain(raw, sources=sources)
        first = one + len(raw) - len(raw.lstrip())
        yield Statement(start + first, start + one + len(raw.rstrip()), text, _once(marks), is_heading=is_heading)


def plain(markdown: str, *, sources: int = 0) -> str:
    """The words of a piece of Markdown, without its marks of sources."""

    def unmarked(mark: re.Match[str]) -> str:
        return "" if 1 <= int(mark[1]) <= sources else mark[0]

    text = _LINK.sub(r"\1", _MARK.sub(unmarked, markdown))
    text = _EMPHASIS.sub("", text.replace("|", " ; "))
    text = " ".join(text.split()).strip(" ;")
    return re.sub(r" +([.,;:!?])", r"\1", text) if any(character.isalnum() for character in text) else ""


def _lent(pieces: Sequence[Statement], introduced: tuple[int, ...]) -> list[Statement]:
    lent: list[Statement] = []
    following = introduced
    for piece in reversed(pieces):
        if piece.marks:
            following = piece.marks
        lent.append(piece if piece.marks else replace(piece, lent=following))
    return lent[::-1]


def _once(marks: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(marks))
