"""A message and what is attached to it, as pages."""

from __future__ import annotations

import re
import tempfile
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from indexer.extraction.base import ExtractionContext
from indexer.extraction.characters.normalization import cleaned, tidied
from indexer.extraction.formats.mail.body import MailBody
from indexer.extraction.markdown.literal import literal
from indexer.extraction.markdown.title import shown_title
from indexer.extraction.unforeseen import of_one_file
from rag.errors import ExtractionError
from rag.types.documents import Page

MAX_DEPTH: Final = 5
"""Messages inside messages: one that was forwarded again and again."""
MAX_ATTACHMENTS: Final = 200
"""Of one message."""
_MAX_NAME_CHARS: Final = 100
_UNSAFE: Final = re.compile(r"[^\w.()\[\] -]+")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with a message."""

    name: str
    content: bytes = b""
    mail: Mail | None = None
    """Instead of bytes, where it is a message itself."""
    is_too_deep: bool = False
    """A message inside of more messages than are opened."""


@dataclass(frozen=True, slots=True)
class Mail:
    """A message, from whatever program."""

    headers: Sequence[tuple[str, str]]
    """In the order in which they are shown; blank ones are left out."""
    body: MailBody
    attachments: Sequence[Attachment] = ()
    warnings: Sequence[str] = field(default=())

    @property
    def title(self) -> str:
        """The subject, if it is fit to show."""
        return shown_title(dict(self.headers).get("Subject"))

    @property
    def text(self) -> str:
        """Headers and body."""
        names = ", ".join(attachment.name for attachment in self.attachments)
        lines = [f"{name}: {' '.join(text.split())}" for name, text in self.headers if text.strip()]
        lines += [f"Attachments: {names}"] if names else []
        return tidied(literal(cleaned("\n".join(lines))) + "\n\n" + self.body.markdown())


def mail_pages(mail: Mail, context: ExtractionContext, warnings: list[str], *, first: int = 1) -> Iterator[Page]:
    """The message, and behind it the pages of its attachments; one that cannot be read is a warning."""
    warnings += mail.warnings
    yield Page(number=first, text=mail.text)
    number = first + 1
    if len(mail.attachments) > MAX_ATTACHMENTS:
        left_out = len(mail.attachments) - MAX_ATTACHMENTS
        warnings.append(f"Only the first {MAX_ATTACHMENTS} attachments were read, {left_out} were left out.")
    for place, attachment in enumerate(mail.attachments[:MAX_ATTACHMENTS], start=1):
        for page in _attached(attachment, place, context, warnings):
            yield replace(page, number=number)
            number += 1


def _attached(attachment: Attachment, place: int, context: ExtractionContext, warnings: list[str]) -> Iterator[Page]:
    heading = f"Attachment: {_shown_name(attachment.name)}"
    own: list[str] = []
    try:
        for count, page in enumerate(_pages_of(attachment, place, context, own)):
            text = f"# {heading}\n\n{page.text}" if count == 0 else page.text
            yield replace(page, text=text, headings=(heading, *page.headings))
    except Exception as error:  # noqa: BLE001  # what no parser foresaw costs one attachment, none behind it
        own.append(f"not read. {of_one_file(error).failure.message}")
    warnings += [f"{heading}: {warning}" for warning in own]


def _pages_of(attachment: Attachment, place: int, context: ExtractionContext, warnings: list[str]) -> Iterator[Page]:
    if attachment.mail is not None:
        yield from mail_pages(attachment.mail, context, warnings)
    elif attachment.is_too_deep:
        raise ExtractionError(
            "nested",
            f"This message lies inside more than {MAX_DEPTH} others, and so does what is attached to it.",
            "Save it by itself, and index that.",
        )
    elif not attachment.content:
        warnings.append("there is nothing in it.")
    else:
        with tempfile.TemporaryDirectory(prefix="footnote-") as folder:
            path = Path(folder, safe_name(attachment.name, place))
            path.write_bytes(attachment.content)
            extraction = context.inner(path, context)
            yield from extraction.pages
            warnings += extraction.warnings


def safe_name(name: str, place: int) -> str:
    """A name for a temporary file: no folders, no surprises, the ending kept, for it may tell the format."""
    base = unicodedata.normalize("NFC", name.replace("\\", "/").rpartition("/")[2])
    stem, dot, suffix = _UNSAFE.sub("_", base).rpartition(".")
    short = f"{(stem or suffix)[:_MAX_NAME_CHARS]}{dot if stem else ''}{suffix[:10] if stem else ''}".strip(". ")
    while len(short.encode()) > 2 * _MAX_NAME_CHARS:
        short = short[1:]
    return f"{place}-{short or 'attachment'}"


def _shown_name(name: str) -> str:
    return " ".join(cleaned(name).split())[:_MAX_NAME_CHARS] or "without a name"
