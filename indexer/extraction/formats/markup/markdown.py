"""Markdown: front matter out, everything else as it is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.characters.encoding import decoded, losses
from indexer.extraction.characters.normalization import cleaned, tidied
from indexer.extraction.container.source import read_bytes
from indexer.extraction.markdown.title import shown_title
from rag.types.documents import Page

_FRONT_MATTER: Final = re.compile(
    r"\A\s*(?P<fence>-{3}|\+{3})[ \t]*\n(?P<fields>.*?)^(?P=fence)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_TITLE_FIELD: Final = re.compile(
    r"""^title[ \t]*[:=][ \t]*(?P<quote>["']?)(?P<title>.*?)(?P=quote)[ \t]*$""", re.MULTILINE | re.IGNORECASE
)
_FIELD: Final = re.compile(r"^(?:[\w.-]+[ \t]*[:=]|[ \t]|#|-|\[|\]|\}|$)")
_FIRST_HEADING: Final = re.compile(
    r"^(?:#[ \t]+(?P<heading>.{1,300}?)[ \t#]{0,20}|(?P<underlined>[^\s|>#*+-][^\n|]{0,200})\n=+[ \t]*)$", re.MULTILINE
)
_ANCHOR: Final = re.compile(r"[ \t]*\{[#:.][^}\n]*\}[ \t]*$")


_FENCE: Final = re.compile(r"^[ ]{0,3}(?P<fence>`{3,}|~{3,}).*?(?:^[ ]{0,3}(?P=fence)|\Z)", re.DOTALL | re.MULTILINE)


class MarkdownExtractor:
    """Gives one page."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:  # noqa: ARG002  # needs none
        """The text below its front matter, titled by it or by the first heading. Raises ExtractionError."""
        title, text = without_front_matter(cleaned(decoded(read_bytes(path))))
        text = without_remarks(text).strip("\n")
        return Extraction(
            title=title or first_heading(text),
            paged=False,
            pages=iter([Page(number=1, text=text)]),
            warnings=list(losses(text)),
        )


def without_front_matter(text: str) -> tuple[str, str]:
    """The title that the front matter names, if any, and the text that follows it."""
    found = _FRONT_MATTER.match(text)
    if found is None or not all(_FIELD.match(line) for line in found["fields"].splitlines()):
        return "", text  # a rule at the top, or front matter that never ends: nothing may be lost
    named = _TITLE_FIELD.search(found["fields"])
    return shown_title(named["title"]) if named else "", text[found.end() :]


def without_remarks(text: str) -> str:
    """The text without HTML comments, which no reader sees; code that holds one keeps it."""
    kept: list[str] = []
    place = 0
    fence = _FENCE.search(text)
    while (start := text.find("<!--", place)) >= 0:
        while fence is not None and fence.start() < place:
            fence = _FENCE.search(text, place)
        if fence is not None and fence.start() < start:
            kept.append(text[place : fence.end()])
            place = fence.end()
            continue
        end = text.find("-->", start + 4)
        if end < 0:
            break
        kept.append(text[place:start])
        place = end + 3
    return tidied("".join([*kept, text[place:]])) if kept else text


def first_heading(text: str) -> str:
    """The heading that names the whole: it opens the text, or is the only one of the first level. No anchor."""
    text = _FENCE.sub("", text)
    first = _FIRST_HEADING.search(text)
    if first is None:
        return ""
    opens = not text[: first.start()].strip()
    if not opens and _FIRST_HEADING.search(text, first.end()) is not None:
        return ""
    return shown_title(_ANCHOR.sub("", first["heading"] or first["underlined"]))
