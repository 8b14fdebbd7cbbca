"""What makes the same bytes give the same chunks: named, so that a change of it is seen without reading a file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from indexer.extraction.base import ExtractionContext, Format
from rag.types.documents import DocumentRecord

FORMAT: Final = 1
"""Raised when the way from pages to chunks changes in this program itself."""
_SALT: Final = b"footnote/passwords"
_COST: Final = 2**12  # of scrypt, 4 MB and some milliseconds: the digest stands in the index


@dataclass(frozen=True, slots=True)
class Recipes:
    """The recipe of each kind of file."""

    formats: Sequence[Format]
    chunker: str
    embedder: str
    context: ExtractionContext = field(default_factory=ExtractionContext)
    limits: str = ""
    """What one file may take: more of it may be enough for a file that was given up."""
    _mends: Mapping[str, str] = field(init=False, repr=False)
    """By the code of a failure: the setting that mends it, as it stands."""

    def __post_init__(self) -> None:
        """Digest the passwords once; it takes a while on purpose."""
        mends = {
            "encrypted": _digest(self.context.passwords),
            "needs_libreoffice": str(self.context.libreoffice is not None),
            "too_slow": self.limits,
            "too_much_memory": self.limits,
        }
        object.__setattr__(self, "_mends", mends)

    def prefix(self, kind: str, *, failure: str = "") -> str:
        """The beginning of the fingerprint of each document of this kind: 8 digits and a dash.

        Files of a kind that nothing reads yet share one that changes when any kind is added. With the code of a
        `failure` that a setting can mend, it changes with that setting too.
        """
        version = self._version(kind)
        whole = f"{FORMAT}|{version}|{self.chunker}|{self.embedder}"
        if failure in self._mends:
            whole += f"|{failure}|{self._mends[failure]}"
        return hashlib.sha256(whole.encode()).hexdigest()[:8] + "-"

    def of(self, record: DocumentRecord) -> str:
        """The beginning that the fingerprint of this record has, if it was made by these recipes."""
        return self.prefix(record.document.kind, failure="" if record.failure is None else record.failure.code)

    def _version(self, kind: str) -> str:
        """What the text of a file of this kind depends on."""
        read_as = next((each for each in self.formats if kind in each.kinds), None)
        if read_as is None:
            return ",".join(sorted(known for each in self.formats for known in each.kinds))
        version = f"{kind}/{read_as.version}"
        has_pandoc = self.context.pandoc is not None
        if read_as.uses_extractors:
            others = [each for each in self.formats if has_pandoc or not each.uses_pandoc]  # without it they are texts
            version = ",".join([version, *(f"{'+'.join(sorted(each.kinds))}/{each.version}" for each in others)])
        if read_as.uses_pandoc and has_pandoc:
            version += "|pandoc"
        if read_as.uses_ocr or read_as.uses_extractors:
            version += f"|{'+'.join(self.context.ocr_languages)}"
        if read_as.holds_files:
            version += f"|{self._mends['encrypted']}|{self._mends['needs_libreoffice']}"
        return version


def bytes_of(fingerprint: str) -> str:
    """The sha256 in a fingerprint; empty where the bytes were never read."""
    return fingerprint.partition("-")[2]


def _digest(passwords: Sequence[str]) -> str:
    """Tells whether the passwords are others than before, and nothing else of them."""
    if not passwords:
        return ""
    return hashlib.scrypt("\0".join(passwords).encode(), salt=_SALT, n=_COST, r=8, p=1, dklen=16).hex()
