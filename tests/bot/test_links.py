from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from bot.links import FileLinks, SignedLinks, Templates, link_secret
from rag.errors import ConfigurationError
from rag.types.answers import Citation
from tests.documents import a_chunk, a_document


def a_citation(
    uri: str = "HR/Leave (2026) & more/Plan #1.pdf", *, corpus: str = "drive", kind: str = "pdf"
) -> Citation:
    document = a_document(uri, corpus=corpus, kind=kind)
    return Citation(1, a_chunk(document, 0, "text", page=16, label="x/ii"), 0.5, "text", 16, "x/ii")


def signed(*, secret: str = "secret", valid_seconds: float = 60) -> SignedLinks:
    return SignedLinks(base_url="https://bot.example.com/", secret=secret, valid_seconds=valid_seconds)


def token_of(url: str) -> str:
    return urlsplit(url).path.split("/")[2]


def test_a_signed_link_opens_a_pdf_at_its_page_and_is_a_proper_url() -> None:
    url = signed().url(a_citation())
    parts = urlsplit(url)
    assert url.startswith("https://bot.example.com/files/")
    assert parts.fragment == "page=16"
    assert unquote(parts.path).endswith("/Plan #1.pdf")
    assert not set(url) & set(' <>"|()')


def test_only_pdfs_are_opened_at_a_page() -> None:
    assert "#" not in signed().url(a_citation("notes.md", kind="markdown"))


def test_a_genuine_link_names_its_document() -> None:
    citation = a_citation()
    assert signed().opened(token_of(signed().url(citation))) == ("drive", citation.chunk.document.id)


def test_a_link_that_was_changed_or_signed_by_another_or_is_no_link_opens_nothing() -> None:
    token = token_of(signed().url(a_citation()))
    # Not the last character: of its bits base64 leaves some unused.
    flipped = token[:-9] + ("A" if token[-9] != "A" else "B") + token[-8:]
    for wrong in (flipped, token + "x", token[5:], "", "..", "%00", "é"):
        assert signed().opened(wrong) is None, wrong
    assert signed(secret="another").opened(token) is None


def test_a_link_that_has_expired_opens_nothing() -> None:
    token = token_of(signed().url(a_citation()))
    assert signed(valid_seconds=-2).opened(token) is None


def test_a_template_makes_links_to_the_teams_own_share() -> None:
    templates = Templates({"drive": "https://share.example.com/{corpus}/{path}?p={page}&l={label}"}, signed())
    assert templates.url(a_citation()) == (
        "https://share.example.com/drive/HR/Leave%20%282026%29%20%26%20more/Plan%20%231.pdf?p=16&l=x%2Fii"
    )
    assert templates.url(a_citation(corpus="wiki")).startswith("https://bot.example.com/files/")


@pytest.mark.parametrize(
    "template", ["https://x/{pth}", "https://x/{}", "https://x/{path", "javascript:alert({page})", "/just/{path}"]
)
def test_a_template_that_cannot_work_stops_the_program(template: str) -> None:
    with pytest.raises(ConfigurationError, match=r"FOOTNOTE_LINK_TEMPLATES.*drive"):
        Templates({"drive": template}, signed())


def test_in_a_terminal_the_file_itself_is_linked(tmp_path: Path) -> None:
    links = FileLinks({"drive": str(tmp_path)})
    assert links.url(a_citation("a b.pdf")) == f"{(tmp_path / 'a b.pdf').as_uri()}#page=16"
    assert links.url(a_citation(corpus="wiki")) == ""


def test_our_own_secret_is_made_once_and_kept_from_others(tmp_path: Path) -> None:
    first = link_secret(None, tmp_path / "data")
    assert len(first) == 64
    assert link_secret(None, tmp_path / "data") == first
    assert (tmp_path / "data" / "link.key").stat().st_mode & 0o077 == 0
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["link.key"]
    assert link_secret("given", tmp_path / "data") == "given"
