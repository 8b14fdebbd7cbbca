"""Files that are not what they are called: a download that failed, a copy of something else, a wrong name."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

_PICTURES: Final = frozenset({"png", "jpeg", "gif", "webp", "tiff", "bmp"})
"""Viewers show each under the names of all."""
_PROTECTED: Final = frozenset({"protected-office"})
_SUFFIXES_OF: Final = (
    (".pdf", frozenset({"pdf"})),
    (".docx .docm .dotx .dotm", _PROTECTED | {"docx"}),
    (".xlsx .xlsm .xltx .xltm", _PROTECTED | {"xlsx"}),
    (".xlsb", _PROTECTED | {"xlsb"}),
    (".pptx .pptm .ppsx .ppsm .potx .potm", _PROTECTED | {"pptx"}),
    # Programs give what Office opens the names that it opens: reports of web pages, tables and messages among them.
    (".doc .dot", _PROTECTED | {"doc", "docx", "wordxml", "rtf", "html", "eml"}),
    (".xls .xlt", _PROTECTED | {"xls", "xlsx", "xlsb", "sheetxml", "csv", "html", "eml"}),
    (".ppt .pps .pot", _PROTECTED | {"ppt", "pptx"}),
    (".odt .ott .fodt", frozenset({"odt", "flat-odf"})),
    (".ods .ots .fods", frozenset({"ods", "flat-odf"})),
    (".odp .otp .fodp", frozenset({"odp", "flat-odf"})),
    (".rtf", frozenset({"rtf"})),
    (".epub", frozenset({"epub"})),
    (".msg", frozenset({"msg"})),
    (".eml", frozenset({"eml", "mbox"})),
    (".png .jpg .jpeg .gif .webp .tif .tiff .bmp", _PICTURES),
)
"""Names of formats that say what is inside; what is called .txt, .md or .log may be many things."""
_KINDS: Final = MappingProxyType({suffix: kinds for suffixes, kinds in _SUFFIXES_OF for suffix in suffixes.split()})
_SPOKEN: Final = MappingProxyType({"text": "a text", "html": "a web page", "csv": "a table of text", "eml": "a mail"})


def contradiction(suffix: str, kind: str) -> str | None:
    """A warning about a file of this kind under a name that ends so (".pdf"); None where the two agree."""
    suffix = suffix.lower()
    kinds = _KINDS.get(suffix)
    if kinds is None or kind in kinds or kind == "empty":
        return None
    content = _SPOKEN.get(kind, f"of the kind {kind}")
    return (
        f"The file is called {suffix}, but is {content}. If it should be what its name says, copy it again from where "
        "it came from."
    )
