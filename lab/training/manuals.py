"""HTML and POD as sections with headings. Made for the sources alone: a drive's files are read by the indexer."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bs4 import BeautifulSoup, XMLParsedAsHTMLWarning
from bs4.element import NavigableString, Tag

_FURNITURE: Final = "script, style, nav, .headerlink, .navheader, .navfooter, .related, .sphinxsidebar, .toc, .contents"
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS: Final = frozenset({"p", "li", "dd", "pre", "div", "tr", "table", "blockquote", "br", "ul", "ol"})
_NUMBERED: Final = re.compile(r"^(?:[A-Z]?\d+(?:\.\d+)*\.?:?\)?|Q\d+:?)\s+")
_POD_STYLED: Final = re.compile(r"[A-Z]<{2,} (.*?) >{2,}|[BCIFSXZL]<([^<>]*)>")
_NESTED: Final = 3  # styles within styles
_DEEPEST: Final = 5


@dataclass(frozen=True, slots=True)
class ManualSection:
    """A heading and what stands below it, up to the next heading of any level."""

    level: int
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Manual:
    """One file."""

    title: str
    sections: tuple[ManualSection, ...]


def read_manual(path: Path) -> Manual:
    """A file by its suffix. Raises OSError."""
    return _pod(path) if path.suffix == ".pod" else _html(path)


def _html(path: Path) -> Manual:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)  # some manuals are XHTML
        soup = BeautifulSoup(path.read_bytes(), "lxml")
    for furniture in soup.select(_FURNITURE):
        furniture.decompose()
    title = _line(soup.title.get_text()).split(" — ")[0] if soup.title else path.stem
    sections: list[tuple[int, str, list[str]]] = [(0, title, [])]
    for piece in _pieces(soup.body or soup):
        if isinstance(piece, str):
            sections[-1][2].append(piece)
        else:
            sections.append((*piece, []))
    return Manual(
        title, tuple(ManualSection(level, heading, _tidy("".join(text))) for level, heading, text in sections)
    )


def _pieces(node: Tag) -> Iterator[str | tuple[int, str]]:
    """Text, and headings as level and words, in reading order."""
    for child in node.children:
        if isinstance(child, Tag):
            heading = _heading(child)
            if heading is not None:
                yield heading
                continue
            around = "\n" if child.name in _BLOCKS else ""
            yield around
            yield from _pieces(child)
            yield around
        elif type(child) is NavigableString:  # not a comment, which is one as well
            yield str(child)


def _heading(tag: Tag) -> tuple[int, str] | None:
    words = _line(tag.get_text(" ")) if tag.name in _HEADINGS or tag.name == "dt" else ""
    if tag.name in _HEADINGS:
        return int(tag.name[1]), _NUMBERED.sub("", words)
    return (_DEEPEST, _NUMBERED.sub("", words)) if "?" in words else None


def _pod(path: Path) -> Manual:
    sections: list[tuple[int, str, list[str]]] = [(0, path.stem, [])]
    for paragraph in re.split(r"\n\s*\n", path.read_text(encoding="utf-8", errors="replace")):
        if heading := re.match(r"=head(\d)\s+(.*)", paragraph, re.DOTALL):
            sections.append((int(heading[1]), _line(_unstyled(heading[2])), []))
        elif item := re.match(r"=item\s+(.*)", paragraph, re.DOTALL):
            sections[-1][2].append(f"- {_unstyled(item[1])}")
        elif not paragraph.startswith("="):
            sections[-1][2].append(_unstyled(paragraph))
    named = (_line(" ".join(text)) for _, heading, text in sections if heading == "NAME")
    title = next(named, path.stem)
    return Manual(title, tuple(ManualSection(level, heading, "\n\n".join(text)) for level, heading, text in sections))


def _unstyled(text: str) -> str:
    for _ in range(_NESTED):
        text = _POD_STYLED.sub(lambda style: (style[1] or style[2] or "").split("|")[0], text)
    return text.replace("E<gt>", ">").replace("E<lt>", "<")


def _line(text: str) -> str:
    return " ".join(text.split())


def _tidy(text: str) -> str:
    return re.sub(r"\n\s*\n+", "\n\n", re.sub(r"[ \t\u00a0]+", " ", text)).strip()
