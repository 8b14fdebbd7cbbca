"""Messages as mail servers write them (RFC 5322 and MIME), alone or many in one file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Final

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.container.source import read_bytes
from indexer.extraction.formats.mail.body import BodyText
from indexer.extraction.formats.mail.message import mail_pages
from indexer.extraction.formats.mail.parts import MessageParts, mail_of
from indexer.extraction.formats.markup.html import as_markdown, parsed_text
from indexer.extraction.markdown.title import shown_title
from indexer.extraction.unforeseen import of_one_file
from rag.errors import ExtractionError
from rag.types.documents import Page

_MAX_BYTES: Final = 128 * 1024 * 1024
_ENVELOPE: Final = re.compile(rb"^From [^\r\n]*\r?\n(?=[\w-]+:)", re.MULTILINE)
"""What parts the messages of an mbox (RFC 4155)."""


class EmlExtractor:
    """Gives the message as one page, and behind it the pages of what is attached."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:
        """Headers, body and attachments, titled by the subject. Raises ExtractionError ("encrypted", "too_large")."""
        message = _parsed(read_bytes(path, limit=_MAX_BYTES))
        parts = MessageParts.of(message)
        page = next((text for text in parts.body.texts() if text.is_html), None)
        if _is_web_page(message) and page is not None:
            return _web_page(page)
        if parts.is_encrypted and next(parts.body.texts(), None) is None:
            raise _encrypted()
        mail = parts.mail(message)
        warnings: list[str] = []
        return Extraction(mail.title, paged=False, pages=mail_pages(mail, context, warnings), warnings=warnings)


class MboxExtractor:
    """Gives each message of a mailbox as a page, with the pages of its attachments behind it."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:
        """The messages in their order, without a title. Raises ExtractionError ("too_large")."""
        raw = read_bytes(path)
        warnings: list[str] = []
        return Extraction("", paged=False, pages=_mailbox(raw, context, warnings), warnings=warnings)


def _mailbox(raw: bytes, context: ExtractionContext, warnings: list[str]) -> Iterator[Page]:
    envelopes = list(_ENVELOPE.finditer(raw))
    starts = [found.end() for found in envelopes]
    ends = [*(found.start() for found in envelopes[1:]), len(raw)]
    number = 1
    for place, (start, end) in enumerate(zip(starts, ends, strict=True), start=1):
        try:
            for page in mail_pages(mail_of(_parsed(raw[start:end])), context, warnings, first=number):
                yield page
                number = page.number + 1
        except Exception as error:  # noqa: BLE001  # what no parser foresaw costs one message, none behind it
            warnings.append(f"Message {place} was not read. {of_one_file(error).failure.message}")


def _parsed(raw: bytes) -> Message:
    try:
        return message_from_bytes(raw)
    except RecursionError as error:
        raise ExtractionError(
            "damaged", "The message is nested more deeply than any mailer writes.", "Save its parts by themselves."
        ) from error


def _is_web_page(message: Message) -> bool:
    """Whether it is a page that a browser or Word saved as one file (MHTML, RFC 2557) rather than a message."""
    is_sent = any(name in message for name in ("Received", "To", "Message-ID"))
    return "Snapshot-Content-Location" in message or (message.get_content_type() == "multipart/related" and not is_sent)


def _web_page(page: BodyText) -> Extraction:
    soup = parsed_text(page.raw)
    found = soup.find("title")
    title = shown_title(found.get_text(" ")) if found is not None else ""
    return Extraction(title, paged=False, pages=iter([Page(number=1, text=as_markdown(soup))]))


def _encrypted() -> ExtractionError:
    return ExtractionError(
        "encrypted", "The message is encrypted.", "Save it decrypted in your mail program, or leave it out."
    )
