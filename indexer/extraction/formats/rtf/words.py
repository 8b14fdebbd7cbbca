"""What the words of Rich Text Format mean (Rich Text Format Specification 1.9.1)."""

from __future__ import annotations

from typing import Final

CHARACTERS: Final = {
    "tab": "\t",
    "line": "\n",
    "softline": "\n",
    "lbr": "\n",
    "emdash": "—",
    "endash": "–",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
    "bullet": "•",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
}
SYMBOLS: Final = {"~": " ", "-": "\xad", "_": "-", "{": "{", "}": "}", "\\": "\\"}
ENDS_OF_PARAGRAPHS: Final = frozenset({"par", "sect", "page", "column"})

PASSED_THROUGH: Final = frozenset(
    {"shpinst", "shp", "shpgrp", "field", "fldrslt", "result", "object", "moMath", "moMathPara", "do", "atrfstart"}
    | {"mmath", "rtf", "nesttableprops"}
)
"""Groups whose text, if they have any, belongs to what stands around them, even where an old program may skip them."""
STORIES: Final = {
    "footnote": "note",
    "annotation": "comment",
    "shptxt": "box",
    "dptxbxtext": "box",
    **dict.fromkeys(("header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"), "margin"),
}
"""Groups that hold a text of their own."""
LABELS: Final = frozenset({"listtext", "pntext"})
SKIPPED: Final = frozenset(
    {"fldinst", "pict", "colortbl", "objdata", "objclass", "objname", "objalias", "listtable", "listoverridetable"}
    | {"revtbl", "rsidtbl", "generator", "xmlnstbl", "themedata", "colorschememapping", "latentstyles", "datastore"}
    | {"sn", "sv", "shprslt", "nonshppict", "shppict", "pn", "pnseclvl", "pgptbl", "filetbl", "bkmkstart", "bkmkend"}
    | {"nonesttables", "tc", "xe", "rxe", "txe", "atnid", "atnref", "atntime", "atndate", "atnicn", "atnparent"}
    | {"ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "template", "password", "private", "background"}
    | {"docvar", "mailmerge", "falt", "panose", "fname", "datafield", "formfield", "nextfile", "keycode", "fontemb"}
    | {"wgrffmtfilter", "userprops", "xform", "protusertbl", "passwordhash", "writereservhash", "fontfile", "mctrlPr"}
    | {"htmltag", "mhtmltag", "oldcprops", "oldpprops", "oldtprops", "oldsprops", "pgp", "gridtbl", "atrfend"}
)
INFO: Final = "info"
UNICODE_TWIN: Final = "upr"
"""Holds the same text twice: for old programs, and under `\\ud` for all others."""

PAGES: Final = {"mac": 10000, "pc": 437, "pca": 850}
"""The code pages of documents that name none by number."""
_CODECS: Final = {
    **{page: f"cp{page}" for page in (437, 720, 850, 852, 860, 862, 863, 864, 865, 866, 874, 932, 949, 950)},
    **{page: f"cp{page}" for page in range(1250, 1259)},
    708: "iso8859_6",
    819: "latin-1",
    936: "gb18030",
    1361: "johab",
    10000: "mac_roman",
    10006: "mac_greek",
    10007: "mac_cyrillic",
    10029: "mac_latin2",
    10081: "mac_turkish",
    65001: "utf-8",
}
_DOUBLE_BYTE: Final = frozenset({932, 936, 949, 950, 1361})
_CHARSETS: Final = {
    77: "mac_roman",
    78: "cp932",
    79: "cp949",
    80: "gb18030",
    81: "cp950",
    83: "cp1255",
    84: "cp1256",
    85: "mac_greek",
    86: "mac_turkish",
    89: "mac_cyrillic",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gb18030",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
_WESTERN: Final = "cp1252"
SYMBOL: Final = "symbol"
"""Bytes of a font of shapes, which are no letters."""
_SYMBOL_CHARSET: Final = 2


def codec_of(charset: int | None, document: int) -> str:
    """The codec of a font by its character set, in a document of this code page.

    Programs that know one language write the set 0 for its letters; Word means Western by it, which shows where the
    code page of the document is one of two bytes a character.
    """
    if charset == _SYMBOL_CHARSET:
        return SYMBOL
    if charset is None or charset not in _CHARSETS:
        return _WESTERN if charset == 0 and document in _DOUBLE_BYTE else _CODECS.get(document, _WESTERN)
    return _CHARSETS[charset]
