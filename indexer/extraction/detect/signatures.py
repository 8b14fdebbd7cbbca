"""What files of binary formats begin with."""

from __future__ import annotations

from typing import Final

_SIGNATURES: Final = (
    # documents
    (0, b"{\\rtf", "rtf"),
    (0, b"%!PS", "postscript"),
    (0, b"\xc5\xd0\xd3\xc6", "postscript"),
    (0, b"AT&TFORM", "djvu"),
    (0, b"\xffWPC", "wordperfect"),
    (0, b"ITSF", "chm"),
    (60, b"BOOKMOBI", "mobi"),
    (0, b"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3", "onenote"),
    (0, b"\x78\x9f\x3e\x22", "tnef"),
    (0, b"!BDN", "pst"),
    (0, b"AC10", "dwg"),
    # pictures
    (0, b"\x89PNG\r\n\x1a\n", "png"),
    (0, b"\xff\xd8\xff", "jpeg"),
    (0, b"GIF87a", "gif"),
    (0, b"GIF89a", "gif"),
    (0, b"II*\x00", "tiff"),
    (0, b"MM\x00*", "tiff"),
    (0, b"II+\x00", "tiff"),
    (0, b"MM\x00+", "tiff"),
    (0, b"\x00\x00\x01\x00", "ico"),
    (0, b"8BPS", "psd"),
    (0, b"\x00\x00\x00\x0cjP  ", "jpeg2000"),
    (0, b"\xff\x4f\xff\x51", "jpeg2000"),
    (0, b"\x00\x00\x00\x0cJXL ", "jxl"),
    (0, b"\xd7\xcd\xc6\x9a", "wmf"),
    (40, b" EMF", "emf"),
    (0, b"gimp xcf", "xcf"),
    # sound and films
    (0, b"ID3", "mp3"),
    (0, b"\xff\xfb", "mp3"),
    (0, b"OggS", "ogg"),
    (0, b"fLaC", "flac"),
    (0, b"MThd", "midi"),
    (0, b"\x1a\x45\xdf\xa3", "matroska"),
    (0, b"\x00\x00\x01\xba", "mpeg"),
    (0, b"FLV\x01", "flv"),
    (0, b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", "wmv"),
    # archives and images of disks
    (0, b"\x1f\x8b", "gzip"),
    (0, b"BZh", "bzip2"),
    (0, b"\xfd7zXZ\x00", "xz"),
    (0, b"\x28\xb5\x2f\xfd", "zstd"),
    (0, b"7z\xbc\xaf\x27\x1c", "7z"),
    (0, b"Rar!\x1a\x07", "rar"),
    (0, b"MSCF", "cab"),
    (257, b"ustar", "tar"),
    (32769, b"CD001", "iso"),
    # programs, fonts, databases
    (0, b"MZ", "exe"),
    (0, b"\x7fELF", "elf"),
    (0, b"\xcf\xfa\xed\xfe", "macho"),
    (0, b"\xca\xfe\xba\xbe", "class"),
    (0, b"\x00asm", "wasm"),
    (0, b"L\x00\x00\x00\x01\x14\x02\x00", "shortcut"),
    (0, b"\x00\x01\x00\x00\x00", "font"),
    (0, b"OTTO\x00", "font"),
    (0, b"ttcf", "font"),
    (0, b"wOFF", "font"),
    (0, b"wOF2", "font"),
    (0, b"SQLite format 3\x00", "sqlite"),
    (4, b"Standard Jet DB", "access"),
    (4, b"Standard ACE DB", "access"),
    (0, b"PAR1", "parquet"),
    (0, b"bplist00", "plist"),
    (0, b"BM", "bmp"),
)
"""Where, what, and the kind."""
_RIFF: Final = {b"WEBP": "webp", b"WAVE": "wav", b"AVI ": "avi"}
_PICTURE_BRANDS: Final = frozenset({b"heic", b"heix", b"mif1", b"msf1", b"hevc"})
_IN_TEXT: Final = frozenset({"rtf", "postscript"})
"""Formats that are written in ASCII themselves."""
_SURE_BYTES: Final = 4
"""Fewer are a weak sign, as are letters: a text may begin with "MZ" or "AC10". A NUL it hardly has."""


def kind_by_signature(head: bytes) -> str | None:
    """The kind that the first bytes of a file tell; None for text and for what is not listed."""
    if head[:4] == b"RIFF" and head[8:12] in _RIFF:
        return _RIFF[head[8:12]]
    if head[4:8] == b"ftyp":
        brand = head[8:12]
        return "heic" if brand in _PICTURE_BRANDS else "avif" if brand == b"avif" else "mp4"
    for place, signature, kind in _SIGNATURES:
        is_sure = kind in _IN_TEXT or (len(signature) >= _SURE_BYTES and not signature.isalnum())
        if head.startswith(signature, place) and (is_sure or b"\x00" in head):
            return kind
    return None
