"""The originals, served through signed links: one file a link, as it lies on the drive."""

from __future__ import annotations

import asyncio
import logging
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from aiohttp import hdrs, web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.helpers import content_disposition_header

from bot.links import FILES, SignedLinks
from rag.errors import FootnoteError
from rag.store.base import VectorStore
from rag.types.documents import DocumentRecord
from rag.uris import path_of

log = logging.getLogger(__name__)

_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "private, no-store",
}
_INERT: Final = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""A document is no program: its scripts, forms and foreign pictures stay dead."""
_TYPES: Final[Mapping[str, str]] = {
    "pdf": "application/pdf",
    "text": "text/plain",
    "markdown": "text/plain",
    "html": "text/html",
}
"""What a browser may show; everything else is downloaded."""
_SNIFFED: Final = 4096  # bytes


class Files:
    """The handler of the links that `SignedLinks` makes."""

    def __init__(self, store: VectorStore, links: SignedLinks, roots: Mapping[str, Path]) -> None:
        """`roots`: where corpora lie on this machine, if not where the indexer read them."""
        self._store = store
        self._links = links
        self._roots = dict(roots)

    def routes(self) -> list[web.RouteDef]:
        """What to mount."""
        return [web.get(f"{FILES}/{{token}}/{{name}}", self.serve)]

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """The file, or the same answer for whatever is wrong with a link."""
        opened = self._links.opened(request.match_info["token"])
        if opened is None:
            raise web.HTTPForbidden(text="This link is not valid, or no longer. Ask again to get a new one.\n")
        corpus, document = opened
        try:
            record = await self._store.document(document)
            location = str(self._roots.get(corpus) or (await self._store.manifest()).corpora[corpus].root)
        except (FootnoteError, KeyError):
            record, location = None, ""
        if record is None or record.document.corpus != corpus:
            raise web.HTTPNotFound(text="This file is no longer in the index.\n")
        if "://" in location:
            raise web.HTTPNotFound(text="This file lies on a server. Open it there, or ask for a link template.\n")
        path = await asyncio.to_thread(_inside, Path(location), record.document.uri)
        if path is None:
            log.warning("an indexed file is not on the drive", extra={"uri": record.document.uri})
            raise web.HTTPNotFound(text="This file is no longer on the drive.\n")
        return _ThisFile(path, headers=await asyncio.to_thread(_headers, path, record))


class _ThisFile(web.FileResponse):
    """The very file: aiohttp would send `NAME.gz` or `NAME.br` in its place, which may be quite another document."""

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        """As if the browser had not said that it takes compressed files."""
        headers = request.headers.copy()
        headers.popall(hdrs.ACCEPT_ENCODING, None)
        return await super().prepare(request.clone(headers=headers))


def _inside(root: Path, uri: str) -> Path | None:
    """The regular file at `uri` below `root`; None when it is none, or when a link stands on the way."""
    try:
        base = root.resolve()
        named = path_of(base, uri)
        path = named.resolve(strict=True)
        regular = stat.S_ISREG(path.lstat().st_mode)
    except (OSError, ValueError):
        return None
    return path if regular and path == named else None


def _headers(path: Path, record: DocumentRecord) -> dict[str, str]:
    kind = record.document.kind
    shown = _TYPES.get(kind)
    media_type = shown or "application/octet-stream"
    if media_type.startswith("text/") and _is_utf8(path):
        media_type += "; charset=utf-8"
    headers = {
        **_HEADERS,
        "Content-Type": media_type,
        "Content-Disposition": content_disposition_header(
            "attachment" if shown is None else "inline", filename=Path(record.document.uri).name
        ),
    }
    return headers if kind == "pdf" else {**headers, "Content-Security-Policy": _INERT}


def _is_utf8(path: Path) -> bool:
    """Whether the beginning is UTF-8; a character that the cut goes through does not count."""
    with path.open("rb") as file:
        head = file.read(_SNIFFED)
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start > _SNIFFED - 4
    return True
