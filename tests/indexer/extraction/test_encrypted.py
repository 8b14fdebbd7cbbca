"""Files under a password."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import docx
import pytest
from msoffcrypto.format.ooxml import OOXMLFile
from pymupdf import mupdf

from indexer.extraction.base import ExtractionContext
from indexer.extraction.container.encryption import unlocked
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.dispatch import extract_inner
from rag.errors import ExtractionError
from rag.types.documents import Failure
from tests.indexer.extraction.scans import TEXT, printed


def text_of(path: Path, *passwords: str) -> str:
    context = ExtractionContext(passwords=passwords, inner=extract_inner)
    return " ".join(" ".join(page.text for page in extract_inner(path, context).pages).split())


def failure_of(path: Path, *passwords: str) -> Failure:
    with pytest.raises(ExtractionError) as raised:
        text_of(path, *passwords)
    return raised.value.failure


def a_pdf(folder: Path, *, user: str = "", method: int = mupdf.PDF_ENCRYPT_AES_256) -> Path:
    path = folder / "report.pdf"
    with printed() as document:
        document.save(path, encryption=method, user_pw=user, owner_pw="owner", permissions=mupdf.PDF_PERM_PRINT)
    return path


def a_docx(folder: Path, password: str) -> Path:
    document = docx.Document()
    document.add_paragraph(TEXT)
    plain = io.BytesIO()
    document.save(plain)
    path = folder / "report.docx"
    with path.open("wb") as file:
        OOXMLFile(plain).encrypt(password, file)
    return path


@pytest.mark.parametrize(
    "method",
    [mupdf.PDF_ENCRYPT_RC4_40, mupdf.PDF_ENCRYPT_RC4_128, mupdf.PDF_ENCRYPT_AES_128, mupdf.PDF_ENCRYPT_AES_256],
)
def test_a_pdf_opens_with_one_of_the_passwords(tmp_path: Path, method: int):
    assert text_of(a_pdf(tmp_path, user="Grüße", method=method), "wrong", "Grüße") == TEXT


def test_a_pdf_that_only_forbids_copying_opens_without(tmp_path: Path):
    assert text_of(a_pdf(tmp_path)) == TEXT


def test_a_password_is_also_tried_in_the_spelling_that_the_standard_asks_for(tmp_path: Path):
    assert text_of(a_pdf(tmp_path, user="fi 2"), "ﬁ\xad ²") == TEXT


def test_without_a_password_the_remedy_names_the_setting(tmp_path: Path):
    failure = failure_of(a_pdf(tmp_path, user="secret"))
    assert failure.code == "encrypted" and "FOOTNOTE_PASSWORDS" in failure.remedy


def test_a_wrong_password_is_told_from_a_missing_one_and_never_shown(tmp_path: Path):
    failure = failure_of(a_pdf(tmp_path, user="secret"), "hunter2")
    assert failure.code == "encrypted" and "none of those" in failure.message
    assert "hunter2" not in f"{failure.message} {failure.remedy}"


def test_an_office_file_opens_with_one_of_the_passwords(tmp_path: Path):
    path = a_docx(tmp_path, "secret")
    assert kind_of(path) == "protected-office"
    assert text_of(path, "wrong", "secret") == TEXT


def test_an_office_file_that_only_forbids_changes_opens_without(tmp_path: Path):
    assert text_of(a_docx(tmp_path, "VelvetSweatshop")) == TEXT


@pytest.mark.parametrize("passwords", [(), ("wrong",)])
def test_an_office_file_that_stays_shut_is_encrypted(tmp_path: Path, passwords: Sequence[str]):
    failure = failure_of(a_docx(tmp_path, "secret"), *passwords)
    assert failure.code == "encrypted"
    assert "FOOTNOTE_PASSWORDS" in f"{failure.message} {failure.remedy}"


def test_nothing_decrypted_is_left_behind(tmp_path: Path):
    with unlocked(a_docx(tmp_path, "secret"), ["secret"]) as plain:
        assert kind_of(plain) == "docx"
    assert not plain.exists()


def test_a_file_that_is_not_encrypted_is_given_back(tmp_path: Path):
    path = tmp_path / "report.doc"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    with unlocked(path, ["secret"]) as plain:
        assert plain == path
