"""The originals behind signed links: the right file, and nothing else on the machine."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest
from aiohttp import web

from bot.files import Files
from bot.links import SignedLinks
from rag.store.base import Recipe
from rag.store.edge import EdgeStore
from rag.types.answers import Citation
from rag.types.documents import Document
from rag.types.index import CorpusInfo
from rag.uris import uri_of
from tests.documents import DIMENSIONS, a_chunk, a_document, a_record, embedded

LINKS = SignedLinks(base_url="http://unused", secret="secret", valid_seconds=60)


class Served:
    """A drive, an index of it, and a server."""

    def __init__(self, drive: Path, store: EdgeStore, url: str) -> None:
        self.drive = drive
        self._store = store
        self._url = url

    async def index(self, *documents: Document, root: str = "") -> None:
        async with self._store.write(Recipe("words", DIMENSIONS, "whole")) as writer:
            for document in documents:
                await writer.put(a_record(document, chunks=1), await embedded(document, "text"))
            now = datetime(2026, 1, 1, tzinfo=UTC)
            await writer.commit([CorpusInfo("drive", root or str(self.drive), len(documents), len(documents), now)])

    async def get(self, document: Document) -> tuple[int, bytes, dict[str, str]]:
        citation = Citation(1, a_chunk(document, 0, "text"), 1.0, "text", 1, "")
        path = urlsplit(LINKS.url(citation)).path
        async with aiohttp.ClientSession() as session, session.get(f"{self._url}{path}") as response:
            return response.status, await response.read(), dict(response.headers)


@pytest.fixture
async def served(tmp_path: Path) -> AsyncGenerator[Served]:
    (tmp_path / "drive").mkdir()
    store = EdgeStore(tmp_path / "index")
    app = web.Application()
    app.add_routes(Files(store, LINKS, {}).routes())
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    yield Served(tmp_path / "drive", store, f"http://{host}:{port}")
    await runner.cleanup()
    await store.aclose()


def write(served: Served, uri: str, content: bytes) -> None:
    path = served.drive / uri
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


async def test_a_pdf_is_shown_as_it_lies_on_the_drive(served: Served) -> None:
    document = a_document("HR/Grüße «1».pdf", kind="pdf")
    write(served, document.uri, b"%PDF-1.7 text")
    await served.index(document)
    status, body, headers = await served.get(document)
    assert (status, body) == (200, b"%PDF-1.7 text")
    assert headers["Content-Type"] == "application/pdf"
    assert headers["Content-Disposition"].startswith("inline")
    assert headers["X-Content-Type-Options"] == "nosniff"


async def test_a_page_of_html_is_shown_without_its_scripts(served: Served) -> None:
    document = a_document("page.html", kind="html")
    write(served, document.uri, b"<script>alert(1)</script>")
    await served.index(document)
    status, _, headers = await served.get(document)
    assert status == 200
    assert "sandbox" in headers["Content-Security-Policy"]
    assert "script" not in headers["Content-Security-Policy"]


async def test_text_says_that_it_is_utf8_only_when_it_is(served: Served) -> None:
    utf8, latin = a_document("utf8.txt", kind="text"), a_document("latin.txt", kind="text")
    write(served, utf8.uri, ("ü" * 3000).encode())
    write(served, latin.uri, "Grüße".encode("latin-1"))
    await served.index(utf8, latin)
    assert (await served.get(utf8))[2]["Content-Type"] == "text/plain; charset=utf-8"
    assert (await served.get(latin))[2]["Content-Type"] == "text/plain"


async def test_what_a_browser_cannot_show_is_downloaded(served: Served) -> None:
    document = a_document("letter.docx", kind="docx")
    write(served, document.uri, b"PK")
    await served.index(document)
    _, _, headers = await served.get(document)
    assert headers["Content-Disposition"].startswith("attachment")


@pytest.mark.parametrize(
    "name", [b"gr\xfc\xdfe.txt", b"gr\\xfc\\xdfe.txt", b"two\nlines.txt", "Ku\u0308che.txt".encode()]
)
async def test_a_name_of_any_bytes_leads_to_its_file(served: Served, name: bytes) -> None:
    path = served.drive / os.fsdecode(name)
    path.write_bytes(b"this one")
    document = a_document(uri_of(path.relative_to(served.drive)), kind="text")
    await served.index(document)
    assert (await served.get(document))[:2] == (200, b"this one")


async def test_a_document_that_is_not_in_the_index_is_not_served_though_its_file_is_there(served: Served) -> None:
    indexed, other = a_document("indexed.md"), a_document("other.md")
    write(served, indexed.uri, b"x")
    write(served, other.uri, b"y")
    await served.index(indexed)
    assert (await served.get(other))[0] == 404


@pytest.mark.parametrize("uri", ["../secret.txt", "a/../../secret.txt", "link.txt", "folder/secret.txt"])
async def test_no_path_and_no_link_leads_out_of_the_drive(served: Served, uri: str) -> None:
    secret = served.drive.parent / "secret.txt"
    secret.write_bytes(b"secret")
    (served.drive / "link.txt").symlink_to(secret)
    (served.drive / "folder").symlink_to(served.drive.parent)
    document = a_document(uri, kind="text")
    await served.index(document)
    status, body, _ = await served.get(document)
    assert status == 404
    assert b"secret" not in body


async def test_a_file_that_has_left_the_drive_is_said_to_have(served: Served) -> None:
    document = a_document("gone.md")
    await served.index(document)
    status, body, _ = await served.get(document)
    assert status == 404
    assert b"no longer on the drive" in body


async def test_a_file_of_a_drive_on_a_server_is_said_to_lie_there(served: Served) -> None:
    document = a_document("a.md")
    await served.index(document, root="sftp://files.example.com/share")
    status, body, _ = await served.get(document)
    assert status == 404
    assert b"lies on a server" in body
