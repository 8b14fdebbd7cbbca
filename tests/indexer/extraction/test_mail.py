"""Messages with what is attached to them."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.dispatch import extract_inner
from indexer.extraction.formats.mail.body import MailBody
from indexer.extraction.formats.mail.eml import EmlExtractor, MboxExtractor
from indexer.extraction.formats.mail.message import safe_name
from rag.errors import ExtractionError
from rag.types.documents import Page

AIDS = ExtractionContext(inner=extract_inner)


def message(subject: str = "Days of leave", body: str = "You have five days.\n") -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = "Ann Lee <ann@example.org>"
    mail["To"] = "Bob <bob@example.org>"
    mail["Date"] = "Mon, 05 Jan 2026 09:00:00 +0000"
    mail["Subject"] = subject
    mail["Message-ID"] = "<1@example.org>"
    mail.set_content(body)
    return mail


def read(folder: Path, mail: EmailMessage | bytes) -> tuple[Extraction, list[Page]]:
    path = folder / "note.eml"
    path.write_bytes(mail if isinstance(mail, bytes) else mail.as_bytes())
    assert kind_of(path) == "eml"
    extraction = EmlExtractor().extract(path, AIDS)
    return extraction, list(extraction.pages)


def test_headers_come_first_and_the_subject_is_the_title(tmp_path: Path):
    extraction, [page] = read(tmp_path, message())
    assert (extraction.title, extraction.paged) == ("Days of leave", False)
    assert page.text == (
        "From: Ann Lee <ann@example.org>\nTo: Bob <bob@example.org>\nDate: Mon, 05 Jan 2026 09:00:00 +0000\n"
        "Subject: Days of leave\n\nYou have five days."
    )


@pytest.mark.parametrize("encoding", ["base64", "quoted-printable", "8bit"])
def test_bodies_and_headers_are_decoded(tmp_path: Path, encoding: str):
    mail = message("Änderung der Urlaubsregelung für alle Mitarbeiterinnen und Mitarbeiter des Hauses – 稟議書")
    mail.set_content("Größe und Maß\n", charset="utf-8", cte=encoding)
    extraction, [page] = read(tmp_path, mail)
    assert extraction.title.endswith("des Hauses – 稟議書") and page.text.endswith("Größe und Maß")


@pytest.mark.parametrize(
    "raw",
    [
        b"Subject: Gr\xfc\xdfe\r\nFrom: a@example.org\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nSch\xf6n",
        (
            b"Subject: =?x-unknown?Q?Gr=FC=DFe?=\nFrom: a@example.org\n"
            b"Content-Type: text/plain; charset=nonsense\n\nSch\xf6n"
        ),
        b"Subject: =?utf-8?B?R3LDvMOfZQ==?=\nFrom: a@example.org\n\nSch\xc3\xb6n",
    ],
)
def test_charsets_that_are_missing_or_wrong_are_made_up_for(tmp_path: Path, raw: bytes):
    extraction, [page] = read(tmp_path, raw)
    assert extraction.title == "Grüße" and page.text.endswith("Schön")


def test_the_plain_body_is_preferred_unless_it_says_nothing(tmp_path: Path):
    mail = message()
    mail.add_alternative("<p>You have <b>five</b> days.</p>", subtype="html")
    assert read(tmp_path, mail)[1][0].text.endswith("\n\nYou have five days.")
    mail = message(body="This message has HTML.\n")
    mail.add_alternative(
        f"<p>{'You have five days of leave in this year. ' * 9}</p><ul><li>A</li></ul>", subtype="html"
    )
    assert read(tmp_path, mail)[1][0].text.endswith("in this year.\n\n- A")


def mime(kind: str, *parts: str) -> str:
    """A multipart of this kind, or a text."""
    if not kind.startswith("multipart/"):
        return f"Content-Type: {kind}; charset=utf-8\n\n{parts[0]}\n"
    mark = f"mark{sum(map(len, parts))}"
    inside = "".join(f"--{mark}\n{part}\n" for part in parts)
    return f'Content-Type: {kind}; boundary="{mark}"\n\n{inside}--{mark}--\n'


def body_of(folder: Path, content: str) -> str:
    raw = f"From: a@example.org\nTo: b@example.org\nSubject: leave\nMIME-Version: 1.0\n{content}".encode()
    _, [page] = read(folder, raw)
    return page.text.partition("\n\n")[2]


LONG = "<p>" + "You have five days of leave. " * 9 + "</p>"
FOOTER = mime("text/plain", "To leave the list, write to Bob.")


def test_a_footer_of_a_list_does_not_replace_the_message(tmp_path: Path):
    text = body_of(tmp_path, mime("multipart/mixed", mime("text/html", LONG), FOOTER))
    assert text.startswith("You have five days") and text.endswith("\n\nTo leave the list, write to Bob.")


def test_texts_that_are_no_forms_of_each_other_are_all_read_in_order(tmp_path: Path):
    parts = [mime("text/plain", "First, plain words."), mime("text/html", "<p>Then a page.</p>"), FOOTER]
    assert body_of(tmp_path, mime("multipart/mixed", *parts)) == (
        "First, plain words.\n\nThen a page.\n\nTo leave the list, write to Bob."
    )


def test_a_message_in_two_forms_keeps_the_footer_beside_them(tmp_path: Path):
    forms = mime("multipart/alternative", mime("text/plain", "See the HTML."), mime("text/html", LONG))
    text = body_of(tmp_path, mime("multipart/mixed", forms, FOOTER))
    assert "See the HTML" not in text and "five days" in text and text.endswith("write to Bob.")


def test_the_same_text_sent_twice_is_read_once(tmp_path: Path):
    parts = [mime("text/plain", "You have five days."), mime("text/html", "<p>You have <b>five</b> days.</p>")]
    assert body_of(tmp_path, mime("multipart/mixed", *parts)) == "You have five days."


def test_of_a_page_with_what_belongs_to_it_the_page_is_read(tmp_path: Path):
    frame = mime("text/html", "<p>An advertisement.</p>").replace("\n\n", "\nContent-ID: <frame>\n\n", 1)
    page = mime("text/html", "<p>The page.</p>").replace("\n\n", "\nContent-ID: <page>\n\n", 1)
    for kind, parts in [
        ("multipart/related", (page, frame, FOOTER)),
        ('multipart/related; start="<page>"', (frame, page, FOOTER)),
    ]:
        assert body_of(tmp_path, mime(kind, *parts)) == "The page.\n\nTo leave the list, write to Bob."


def test_parts_nested_a_hundred_deep_are_read(tmp_path: Path):
    content = FOOTER
    for _ in range(100):
        content = mime("multipart/mixed", content)
    assert body_of(tmp_path, content) == "To leave the list, write to Bob."


def failing(error: type[Exception]) -> ExtractionContext:
    """A context whose reader of "bad" files has a mistake in it."""

    def inner(path: Path, context: ExtractionContext) -> Extraction:
        if "bad" in path.name:
            raise error("words of the document")
        return extract_inner(path, context)

    return ExtractionContext(inner=inner)


def mailbox(folder: Path) -> Path:
    first = message("First")
    for name in ("bad.txt", "good.txt"):
        first.add_attachment(f"inside {name}\n", filename=name)
    path = folder / "archive"
    path.write_bytes(
        b"".join(b"From a@example.org Mon Jan  5 09:00:00 2026\n" + m.as_bytes() + b"\n" for m in (first, message("2")))
    )
    return path


def test_an_attachment_that_fails_unforeseen_costs_nothing_behind_it(tmp_path: Path):
    extraction = MboxExtractor().extract(mailbox(tmp_path), failing(ZeroDivisionError))
    pages = list(extraction.pages)
    assert [page.headings for page in pages] == [(), ("Attachment: good.txt",), ()]
    [warning] = extraction.warnings
    assert warning.startswith(
        "Attachment: bad.txt: not read. Reading the file failed: ZeroDivisionError in test_mail.py:"
    )
    assert "words of the document" not in warning


def test_a_message_that_fails_unforeseen_costs_nothing_behind_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = mailbox(tmp_path)
    given = MailBody.markdown
    texts = iter([KeyError("x"), None])

    def markdown(body: MailBody) -> str:
        if (error := next(texts)) is not None:
            raise error
        return given(body)

    monkeypatch.setattr(MailBody, "markdown", markdown)
    extraction = MboxExtractor().extract(path, AIDS)
    assert ["Subject: 2" in page.text for page in extraction.pages] == [True]
    assert extraction.warnings[0].startswith("Message 1 was not read. Reading the file failed: KeyError in")


def test_memory_that_has_run_out_ends_the_file(tmp_path: Path):
    with pytest.raises(MemoryError):
        list(MboxExtractor().extract(mailbox(tmp_path), failing(MemoryError)).pages)


def test_html_in_another_encoding_than_it_names_is_read_right(tmp_path: Path):
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "a@example.org", "Grüße"
    mail.set_content("<meta charset='iso-8859-1'><p>Größe</p>", subtype="html", charset="utf-8")
    assert read(tmp_path, mail)[1][0].text.endswith("Größe")


def test_attachments_are_pages_behind_the_message(tmp_path: Path):
    mail = message()
    mail.add_attachment(
        b"Name;Days;From\nAnn;5;May\nBob;6;June\n", maintype="text", subtype="csv", filename="../days.csv"
    )
    mail.add_attachment(b"\x00\x01\x02" * 99, maintype="application", subtype="octet-stream", filename="blob.bin")
    extraction, pages = read(tmp_path, mail)
    assert [page.number for page in pages] == [1, 2]
    assert "Attachments: ../days.csv, blob.bin" in pages[0].text
    assert pages[1].headings == ("Attachment: ../days.csv",)
    assert pages[1].text.startswith("# Attachment: ../days.csv\n\n| Name | Days | From |")
    [warning] = extraction.warnings
    assert warning.startswith("Attachment: blob.bin: not read.")
    assert [path.name for path in tmp_path.iterdir()] == ["note.eml"]


def test_a_forwarded_message_is_read_with_its_own_attachments(tmp_path: Path):
    inner = message("The first word", "Told long ago.\n")
    inner.add_attachment("deep inside\n", filename="deep.txt")
    outer = message()
    outer.add_attachment(inner)
    _, pages = read(tmp_path, outer)
    assert [page.headings for page in pages] == [
        (),
        ("Attachment: The first word",),
        ("Attachment: The first word", "Attachment: deep.txt"),
    ]
    assert "Told long ago." in pages[1].text and "deep inside" in pages[2].text


def test_messages_without_end_inside_each_other_end(tmp_path: Path):
    mail = message("level 0")
    for level in range(1, 9):
        outer = message(f"level {level}")
        outer.add_attachment(mail)
        mail = outer
    extraction, pages = read(tmp_path, mail)
    assert len(pages) == 6
    [warning] = extraction.warnings
    assert warning.endswith(
        ": level 2: not read. This message lies inside more than 5 others, and so does what is attached to it."
    )


def test_parts_nested_a_thousand_deep_do_no_harm(tmp_path: Path):
    raw = b"From: a@example.org\nSubject: deep\n" + b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(1_000)
    )
    with pytest.raises(ExtractionError) as raised:
        read(tmp_path, raw)
    assert raised.value.failure.code == "damaged"


def test_pictures_of_the_layout_and_signatures_are_left_out(tmp_path: Path):
    mail = message()
    mail.add_alternative("<p>You have five days.</p><img src='cid:logo'>", subtype="html")
    page = mail.get_body(("html",))
    assert isinstance(page, EmailMessage)
    page.add_related(b"\x89PNG", maintype="image", subtype="png", cid="<logo>")
    mail.add_attachment(b"sig", maintype="application", subtype="pgp-signature", filename="signature.asc")
    extraction, pages = read(tmp_path, mail)
    assert len(pages) == 1 and not extraction.warnings


def test_winmail_is_warned_of(tmp_path: Path):
    mail = message()
    mail.add_attachment(b"x", maintype="application", subtype="ms-tnef", filename="winmail.dat")
    assert "winmail.dat" in read(tmp_path, mail)[0].warnings[0]


@pytest.mark.parametrize(
    "kind", ["multipart/encrypted; boundary=x", "application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m"]
)
def test_an_encrypted_message_is_called_so(tmp_path: Path, kind: str):
    raw = f"From: a@example.org\nSubject: secret\nContent-Type: {kind}\n\n--x\n\n--x--\n".encode()
    with pytest.raises(ExtractionError) as raised:
        read(tmp_path, raw)
    assert raised.value.failure.code == "encrypted"


def test_a_page_that_was_saved_whole_is_read_as_a_page(tmp_path: Path):
    raw = (
        b'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"; type="text/html"\n\n--b\n'
        b"Content-Type: text/html; charset=utf-8\nContent-Location: https://example.org/\n\n"
        b"<html><title>Leave policy</title><body><h1>Leave</h1><p>Five days.</p></body></html>\n--b--\n"
    )
    path = tmp_path / "page.mht"
    path.write_bytes(raw)
    assert kind_of(path) == "eml"
    extraction = EmlExtractor().extract(path, AIDS)
    assert extraction.title == "Leave policy"
    assert [page.text for page in extraction.pages] == ["# Leave\n\nFive days."]


def test_a_mailbox_gives_a_page_a_message(tmp_path: Path):
    second = message("Second", "Line one.\n\nFrom here on nothing new.\n")
    second.add_attachment("inside\n", filename="a.txt")
    messages = [message("First"), second, message("Third")]
    path = tmp_path / "archive"
    path.write_bytes(
        b"".join(b"From a@example.org Mon Jan  5 09:00:00 2026\n" + mail.as_bytes() + b"\n" for mail in messages)
    )
    assert kind_of(path) == "mbox"
    pages = list(MboxExtractor().extract(path, AIDS).pages)
    assert [page.number for page in pages] == [1, 2, 3, 4]
    assert "From here on nothing new." in pages[1].text and "Subject: Third" in pages[3].text


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../etc/passwd", "1-passwd"),
        ("C:\\x\\days.csv", "1-days.csv"),
        ("", "1-attachment"),
        ("...", "1-attachment"),
        (".pdf", "1-pdf"),
        ("a\x00b\n.txt", "1-a_b_.txt"),
    ],
)
def test_names_of_attachments_cannot_lead_elsewhere(name: str, safe: str):
    assert safe_name(name, 1) == safe
    assert len(safe_name("稟" * 500 + ".pdf", 1).encode()) < 255
