"""OCR has its time, a file's and a picture's, and says so when it is over."""

from __future__ import annotations

import io
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import docx
import pytest
from PIL import Image

from indexer.extraction import base
from indexer.extraction.base import ExtractionContext
from indexer.extraction.ocr import tesseract
from indexer.extraction.ocr.orientation import read_sheet
from indexer.extraction.ocr.tesseract import OcrText, Picture, Recogniser
from indexer.extraction.sandbox.extract_job import ExtractedText, ExtractJob, extract
from tests.indexer.extraction.scans import TEXT, picture, printed, scanned

BEGIN = 1000.0
CUT_OFF = OcrText(words=(), confidence=0.0, tilt=0.0, is_sideways=False, dpi=200, is_cut_off=True)


@pytest.fixture
def _a_picture_takes_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that stands still while nothing is recognised."""
    now = BEGIN
    recognise = Recogniser.read

    def slow(self: Recogniser, picture: Picture) -> OcrText:
        nonlocal now
        reading = recognise(self, picture)
        now += 60
        return reading

    monkeypatch.setattr(base, "monotonic", lambda: now)
    monkeypatch.setattr(Recogniser, "read", slow)


def text_of(path: Path, *, ocr_seconds: float = 180) -> ExtractedText:
    outcome = extract(ExtractJob(path, "", ExtractionContext(ocr_seconds=ocr_seconds)))
    assert isinstance(outcome, ExtractedText)
    return outcome


def mail(folder: Path, *attachments: tuple[str, bytes]) -> Path:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "ann@example.org", "bob@example.org", "Leave"
    message.set_content("The rules are attached.\n")
    for name, raw in attachments:
        message.add_attachment(raw, maintype="application", subtype="octet-stream", filename=name)
    path = folder / "leave.eml"
    path.write_bytes(message.as_bytes())
    return path


def as_pdf(image: Image.Image) -> bytes:
    with scanned(image) as document:
        return document.tobytes()


def as_png(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "png")
    return buffer.getvalue()


def as_docx(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    document = docx.Document()
    document.add_picture(io.BytesIO(as_png(image)))
    document.save(buffer)
    return buffer.getvalue()


@pytest.mark.usefixtures("_a_picture_takes_a_minute")
@pytest.mark.parametrize(("written", "suffix"), [(as_pdf, "pdf"), (as_png, "png"), (as_docx, "docx")])
def test_the_attachments_of_a_mail_share_its_time(
    tmp_path: Path, written: Callable[[Image.Image], bytes], suffix: str
) -> None:
    raw = written(picture(printed()))
    outcome = text_of(mail(tmp_path, *((f"{at}.{suffix}", raw) for at in range(3))), ocr_seconds=90)
    assert "The rules are attached." in outcome.pages[0].text
    assert [TEXT in " ".join(page.text.split()) for page in outcome.pages[1:]] == [True, True, False]
    late = [warning for warning in outcome.warnings if "used its time" in warning]
    assert len(late) == 1 and late[0].startswith(f"Attachment: 2.{suffix}: ")


@pytest.mark.usefixtures("_a_picture_takes_a_minute")
def test_pages_behind_the_time_of_a_file_are_named(tmp_path: Path) -> None:
    sheet = picture(printed())
    with scanned(sheet, sheet, sheet) as document:
        document.save(tmp_path / "scan.pdf")
    outcome = text_of(tmp_path / "scan.pdf", ocr_seconds=90)
    assert [bool(page.text) for page in outcome.pages] == [True, True, False]
    assert outcome.warnings == (
        "Pages 1–2: scanned; read by OCR.",
        "Page 3: not read by OCR, which has used its time: raise FOOTNOTE_FILE_SECONDS, or split the file.",
    )


@pytest.mark.parametrize(("written", "suffix"), [(as_pdf, "pdf"), (as_png, "png"), (as_docx, "docx")])
def test_a_picture_that_takes_too_long_is_given_up_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: Callable[[Image.Image], bytes], suffix: str
) -> None:
    monkeypatch.setattr(tesseract, "PICTURE_SECONDS", 0.001)
    path = tmp_path / f"sheet.{suffix}"
    path.write_bytes(written(picture(printed())))
    outcome = text_of(path)
    [warning] = outcome.warnings
    assert outcome.pages[0].text == ""
    assert "given up by OCR" in warning and "scan it again" in warning and "no letters" not in warning


def test_a_picture_has_no_more_time_than_its_file() -> None:
    sheet = picture(printed()).convert("L")
    drawn = Picture(sheet.tobytes(), sheet.width, sheet.height, sheet.width, 150)
    with Recogniser(ExtractionContext(ocr_until=0)) as recogniser:
        assert recogniser.read(drawn).is_cut_off
    with Recogniser(ExtractionContext()) as recogniser:
        assert not recogniser.read(drawn).is_cut_off


def test_what_is_given_up_is_not_drawn_and_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would only take the same time once more."""
    monkeypatch.setattr(Recogniser, "read", lambda _self, _picture: CUT_OFF)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    turns: list[float] = []
    sheet = picture(printed(), turn=5).convert("L")

    def draw(turn: float) -> Picture:
        turns.append(turn)
        return Picture(sheet.tobytes(), sheet.width, sheet.height, sheet.width, 150)

    with Recogniser(ExtractionContext()) as recogniser:
        assert read_sheet(recogniser, draw).is_cut_off
    assert turns == [0.0]
