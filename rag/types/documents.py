"""Files of a drive: what is known of them, their pages, and what became of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType

DocumentId = NewType("DocumentId", str)


@dataclass(frozen=True, slots=True)
class Document:
    """One file of a drive at one version."""

    id: DocumentId
    """A UUID made of corpus and uri: it stays when the file changes."""
    corpus: str
    """The name of the drive that the file stands on."""
    uri: str
    """The path relative to the drive, with forward slashes."""
    title: str
    kind: str
    """The format by content: "pdf", "markdown", "text", "html", "docx" …"""
    paged: bool
    """Whether its pages are real ones, that a link can open; a format without pages has one, number 1."""
    modified_at: datetime
    fingerprint: str
    """The recipe that indexed it (8 digits, a dash) and sha256 of its bytes: it changes when either does."""
    labels: frozenset[str]
    """The corpus and each folder above the file ("drive", "drive/HR", "drive/HR/Leave"); matched against a Scope."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page as a person reads it, as Markdown where the format has structure. Formats without pages have one."""

    number: int
    """The physical page, counted from 1."""
    text: str
    label: str = ""
    """The number printed on the page ("iv", "12"); empty where the document prints none."""
    headings: tuple[str, ...] = ()
    """The path of headings in force where the page begins, outermost first (of a PDF: its outline)."""
    ocr: bool = False


class DocumentState(StrEnum):
    """What became of a file."""

    READY = "ready"
    EMPTY = "empty"
    """Read without error, but there is no text in it."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a file could not be read, and what its owner can do."""

    code: str
    message: str
    remedy: str


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """The ledger's line on one file. Written last, it is the commit of that file."""

    document: Document
    state: DocumentState
    size: int
    """Bytes."""
    mtime_ns: int
    pages: int = 0
    pages_without_text: int = 0
    pages_by_ocr: int = 0
    chunks: int = 0
    warnings: tuple[str, ...] = ()
    failure: Failure | None = None
