"""What a message says: texts one after the other, some of which come in several forms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from indexer.extraction.characters.normalization import cleaned
from indexer.extraction.formats.markup.html import as_markdown, parsed_text
from indexer.extraction.markdown.literal import literal

_TELLS_LITTLE: Final = 0.2
"""A plain text with less than this share of the formatted one's words only says that there is a formatted one."""
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class BodyText:
    """One text, as it was sent."""

    raw: str
    is_html: bool = False


@dataclass(slots=True)
class MailBody:
    """Texts in their order."""

    inside: list[BodyText | MailBody] = field(default_factory=list["BodyText | MailBody"])
    is_choice: bool = False
    """Whether they are the same in several forms, of which a reader wants one."""

    def texts(self) -> Iterator[BodyText]:
        """All of them, in all forms."""
        for part in self.inside:
            if isinstance(part, BodyText):
                yield part
            else:
                yield from part.texts()

    def markdown(self) -> str:
        """What a reader wants of it: the plain form, unless it only says that there is a formatted one."""
        return _shown(self).markdown


@dataclass(frozen=True, slots=True)
class _Shown:
    markdown: str
    is_formatted: bool


_Pieces: TypeAlias = Sequence[_Shown]


def _shown(part: BodyText | MailBody) -> _Shown:
    if isinstance(part, BodyText):
        if part.is_html:
            return _Shown(as_markdown(parsed_text(part.raw), of_site=False), is_formatted=True)
        return _Shown(literal(cleaned(part.raw)).strip(), is_formatted=False)
    pieces = [_shown(inner) for inner in part.inside]
    if not part.is_choice:
        return _Shown(_joined(pieces), any(piece.is_formatted for piece in pieces))
    plain = _joined([piece for piece in pieces if not piece.is_formatted])
    formatted = _joined([piece for piece in pieces if piece.is_formatted])
    is_formatted = not plain or len(plain.split()) < _TELLS_LITTLE * len(formatted.split())
    return _Shown(formatted if is_formatted else plain, is_formatted)


def _joined(pieces: _Pieces) -> str:
    """One after the other; some programs send the same in two forms without saying so."""
    found: dict[tuple[str, ...], str] = {}
    for piece in pieces:
        found.setdefault(tuple(_WORD.findall(piece.markdown)) or (piece.markdown,), piece.markdown)
    return "\n\n".join(filter(None, found.values()))
