"""Settings of other programs that may stand in the same environment; made by `python -m deploy.settings`."""

from __future__ import annotations

from typing import Final

FOREIGN_SETTINGS: Final = frozenset(
    {
        "FOOTNOTE_CHUNKER",
        "FOOTNOTE_CHUNK_OVERLAP",
        "FOOTNOTE_CHUNK_SIZE",
        "FOOTNOTE_DRIVES_FILE",
        "FOOTNOTE_DRIVE_SECRETS",
        "FOOTNOTE_EXTRACTORS",
        "FOOTNOTE_FETCH_MB",
        "FOOTNOTE_FILE_MEMORY_MB",
        "FOOTNOTE_FILE_SECONDS",
        "FOOTNOTE_LIBREOFFICE",
        "FOOTNOTE_OCR_LANGUAGES",
        "FOOTNOTE_PASSWORDS",
        "FOOTNOTE_SETTLE_SECONDS",
        "FOOTNOTE_SUMMARIES",
        "FOOTNOTE_WATCH_SECONDS",
    }
)
