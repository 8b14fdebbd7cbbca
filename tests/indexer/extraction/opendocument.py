"""OpenDocument files for tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.indexer.extraction.packages import package

_NAMES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in {
        "office": "office", "text": "text", "table": "table", "draw": "drawing", "style": "style",
        "presentation": "presentation", "svg": "svg-compatible", "meta": "meta", "chart": "chart", "fo": "fo",
    }.items()
)  # fmt: skip
NAMES = f'{_NAMES} xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"'


def opendocument(
    path: Path,
    body: str,
    *,
    kind: str = "text",
    automatic: str = "",
    styles: str = "",
    title: str = "",
    parts: Mapping[str, str] | None = None,
) -> Path:
    """A file with this body, these automatic styles, and this styles part."""
    content = (
        f"<office:document-content {NAMES}><office:automatic-styles>{automatic}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    )
    meta = (
        f"<office:document-meta {NAMES}><office:meta><dc:title>{title}</dc:title></office:meta></office:document-meta>"
    )
    return package(
        path,
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": content,
            "styles.xml": f"<office:document-styles {NAMES}>{styles}</office:document-styles>",
            "meta.xml": meta,
            **(parts or {}),
        },
    )


def chart(title: str, rows: list[list[str]]) -> str:
    """A chart as a part of its own."""
    cells = "".join(
        f"<table:table-row>{''.join(f'<table:table-cell><text:p>{cell}</text:p></table:table-cell>' for cell in row)}"
        "</table:table-row>"
        for row in rows
    )
    return (
        f"<office:document-content {NAMES}><office:body><office:chart><chart:chart>"
        f"<chart:title><text:p>{title}</text:p></chart:title><table:table>{cells}</table:table>"
        "</chart:chart></office:chart></office:body></office:document-content>"
    )
