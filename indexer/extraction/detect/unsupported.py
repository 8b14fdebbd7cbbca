"""Files that are not read, and what their owner can do."""

from __future__ import annotations

from typing import Final

from rag.errors import ExtractionError

_ARCHIVES: Final = frozenset({"zip", "7z", "rar", "gzip", "bzip2", "xz", "zstd", "tar", "cab", "iso", "jar", "pst"})
_PICTURES: Final = frozenset(
    {"heic", "avif", "svg", "ico", "psd", "jpeg2000", "jxl", "wmf", "emf", "xcf", "djvu", "postscript", "dwg"}
)
_RECORDINGS: Final = frozenset({"mp3", "mp4", "wav", "ogg", "flac", "midi", "avi", "matroska", "mpeg", "flv", "wmv"})
_PROGRAMS: Final = frozenset({"exe", "elf", "macho", "class", "wasm", "shortcut", "font"})
_DATA: Final = frozenset({"sqlite", "access", "parquet", "plist"})
_REMEDIES: Final = (
    (_ARCHIVES, "Unpack it, and put the files that it holds on the drive."),
    (_PICTURES, "Save it as PDF, PNG or JPEG."),
    (_RECORDINGS, "Put a transcript beside it."),
    (_PROGRAMS, "Leave it out: it holds no text for people."),
    (_DATA, "Export what people should find as CSV or PDF."),
)
_OTHERWISE: Final = "Save it as PDF, as a Word document or as plain text."


def unsupported(kind: str) -> ExtractionError:
    """The word about a file of a kind that is told but not read."""
    remedy = next((remedy for kinds, remedy in _REMEDIES if kind in kinds), _OTHERWISE)
    return ExtractionError("unsupported", f"Files of the kind {kind} are not read.", remedy)
