"""Which format a container holds: the zip archives of new Office files and books, the OLE files of old ones."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Collection
from pathlib import Path
from typing import Final

import olefile

from rag.errors import ExtractionError

ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_ZIP_MEMBERS: Final = (
    ("word/document.xml", "docx"),
    ("xl/workbook.xml", "xlsx"),
    ("xl/workbook.bin", "xlsb"),
    ("ppt/presentation.xml", "pptx"),
    ("visio/document.xml", "vsdx"),
    ("fixeddocseq.fdseq", "xps"),
    ("index/document.iwa", "iwork"),
    ("index.zip", "iwork"),
    ("meta-inf/manifest.mf", "jar"),
)
_MAIN_PARTS: Final = (
    (b"wordprocessingml.document.main+xml", "docx"),
    (b"wordprocessingml.template.main+xml", "docx"),
    (b"ms-word.document.macroEnabled.main+xml", "docx"),
    (b"spreadsheetml.sheet.main+xml", "xlsx"),
    (b"spreadsheetml.template.main+xml", "xlsx"),
    (b"ms-excel.sheet.macroEnabled.main+xml", "xlsx"),
    (b"presentationml.presentation.main+xml", "pptx"),
    (b"presentationml.slideshow.main+xml", "pptx"),
    (b"ms-powerpoint.presentation.macroEnabled.main+xml", "pptx"),
)
"""Content types of main parts that have another name than usual (ECMA-376, part 2, section 10.1.2)."""
_CONTENT_TYPES: Final = "[content_types].xml"
_CONTENT_TYPES_BYTES: Final = 1_000_000
_ZIP_MIMETYPES: Final = {
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.text-template": "odt",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.oasis.opendocument.spreadsheet-template": "ods",
    "application/vnd.oasis.opendocument.presentation": "odp",
    "application/vnd.oasis.opendocument.presentation-template": "odp",
    "application/epub+zip": "epub",
}
_MIMETYPE_BYTES: Final = 100
_OLE_STREAMS: Final = (
    ("worddocument", "doc"),
    ("workbook", "xls"),
    ("book", "xls"),
    ("powerpoint document", "ppt"),
    ("pp97_dualstorage", "ppt"),
    ("__properties_version1.0", "msg"),
    ("visiodocument", "vsd"),
    ("fileheader", "hwp"),
    ("quill", "publisher"),
)
_BROKEN_ZIP: Final = (
    zipfile.BadZipFile,
    OSError,
    NotImplementedError,
    RuntimeError,
    EOFError,
    ValueError,
    zlib.error,
    struct.error,
)


def kind_of_zip(path: Path) -> str:
    """The kind of what the archive holds; "zip" for an archive of files. Raises ExtractionError ("damaged")."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = {name.replace("\\", "/").lower(): name for name in archive.namelist()}
            if "mimetype" in members:
                mimetype = archive.open(members["mimetype"]).read(_MIMETYPE_BYTES).decode("ascii", "replace").strip()
                if mimetype in _ZIP_MIMETYPES:
                    return _ZIP_MIMETYPES[mimetype]
            for member, kind in _ZIP_MEMBERS:
                if member in members:
                    return kind
            types = b""
            if _CONTENT_TYPES in members:
                types = archive.open(members[_CONTENT_TYPES]).read(_CONTENT_TYPES_BYTES)
    except _BROKEN_ZIP as error:
        raise ExtractionError(
            "damaged",
            "The file is cut off or damaged: it begins like an Office file or archive, but has no end.",
            "Copy it again from where it came from.",
        ) from error
    return next((kind for main, kind in _MAIN_PARTS if main in types), "zip")


def kind_of_ole(path: Path) -> str | None:
    """The kind of an old Office file, told by its streams; None for other programs' files.

    Raises ExtractionError ("damaged").
    """
    names = _ole_names(path)
    if "encryptedpackage" in names:
        return "protected-office"
    return next((kind for stream, kind in _OLE_STREAMS if stream in names), None)


def _ole_names(path: Path) -> Collection[str]:
    """Streams and storages at the top, in lower case."""
    try:
        with olefile.OleFileIO(str(path)) as container:
            return {entry[0].lower() for entry in container.listdir(streams=True, storages=True)}
    except (OSError, ValueError, IndexError, KeyError, AttributeError, TypeError, struct.error, MemoryError) as error:
        raise ExtractionError(
            "damaged",
            "The file is cut off or damaged: it begins like an old Office file, but its list of contents is broken.",
            "Copy it again from where it came from.",
        ) from error
