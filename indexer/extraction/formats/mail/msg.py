"""Messages that Outlook saved (MS-OXMSG)."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Final

import olefile

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.container.source import size_of
from indexer.extraction.formats.mail.message import mail_pages
from indexer.extraction.formats.mail.msg_mail import mail_of
from indexer.extraction.formats.mail.msg_storage import Storage
from rag.errors import ExtractionError

_MAX_BYTES: Final = 256 * 1024 * 1024
_BROKEN: Final = (OSError, ValueError, IndexError, KeyError, AttributeError, TypeError, struct.error, MemoryError)
"""What olefile raises on damaged containers, beside its own errors, which are OSErrors."""


class MsgExtractor:
    """Gives the message as one page, and behind it the pages of what is attached."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:
        """Headers, body and attachments, titled by the subject. Raises ExtractionError ("damaged", "too_large")."""
        size_of(path, limit=_MAX_BYTES)
        try:
            with olefile.OleFileIO(str(path)) as container:
                mail = mail_of(Storage.root(container))
        except _BROKEN as error:
            raise ExtractionError(
                "damaged", "The message is cut off or damaged.", "Save it again from Outlook."
            ) from error
        warnings: list[str] = []
        return Extraction(mail.title, paged=False, pages=mail_pages(mail, context, warnings), warnings=warnings)
