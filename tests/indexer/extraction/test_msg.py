"""Messages that Outlook saved."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.dispatch import extract_inner
from indexer.extraction.formats.mail.msg import MsgExtractor
from rag.errors import ExtractionError
from rag.types.documents import Page
from tests.indexer.extraction.compound import Tree, compound_file

SENT = (1767603600 + 11644473600) * 10_000_000  # 5 January 2026, 09:00 UTC, in steps of 100 ns since 1601


def properties(header_bytes: int, **fixed: int) -> Tree:
    """The stream of the properties of fixed size, by their ids in hexadecimal: p0039 is a time, others numbers."""
    entries = b"".join(
        struct.pack("<HHIQ", 0x40 if name == "p0039" else 3, int(name[1:], 16), 6, value)
        for name, value in fixed.items()
    )
    return {"__properties_version1.0": bytes(header_bytes) + entries}


def text(number: int, value: str) -> Tree:
    return {f"__substg1.0_{number:04X}001F": value.encode("utf-16-le")}


def binary(number: int, value: bytes) -> Tree:
    return {f"__substg1.0_{number:04X}0102": value}


def message(*parts: Tree, subject: str = "Days of leave") -> Tree:
    tree: dict[str, bytes | Tree] = {}
    for part in (text(0x0037, subject), text(0x0C1A, "Ann Lee"), text(0x5D01, "ann@example.org"), *parts):
        tree |= part
    tree.setdefault("__properties_version1.0", bytes(32))
    return tree


def read(folder: Path, tree: Tree) -> tuple[Extraction, list[Page]]:
    path = folder / "note.msg"
    path.write_bytes(compound_file(tree))
    assert kind_of(path) == "msg"
    extraction = MsgExtractor().extract(path, ExtractionContext(inner=extract_inner))
    return extraction, list(extraction.pages)


def test_headers_come_first_and_the_subject_is_the_title(tmp_path: Path):
    bob: Tree = {**text(0x3001, "Bob"), **text(0x39FE, "bob@example.org"), **properties(8, p0C15=1)}
    cid: Tree = {**text(0x3001, "Cid"), **text(0x3003, "/o=house/cn=cid"), **properties(8, p0C15=2)}
    tree = message(
        properties(32, p0039=SENT),
        text(0x1000, "You have five days.\r\nGröße – 稟議書"),
        {"__recip_version1.0_#00000000": bob, "__recip_version1.0_#00000001": cid},
    )
    extraction, [page] = read(tmp_path, tree)
    assert (extraction.title, extraction.paged) == ("Days of leave", False)
    assert page.text == (
        "From: Ann Lee <ann@example.org>\nTo: Bob <bob@example.org>\nCc: Cid\n"
        "Date: Mon, 05 Jan 2026 09:00:00 +0000\nSubject: Days of leave\n\nYou have five days.\nGröße – 稟議書"
    )


def test_texts_of_before_unicode_are_read_in_their_code_page(tmp_path: Path):
    tree = message(properties(32, p3FFD=1251), {"__substg1.0_1000001E": "Пять дней отпуска".encode("cp1251")})
    assert read(tmp_path, tree)[1][0].text.endswith("Пять дней отпуска")


def test_a_formatted_body_is_read_where_there_is_no_plain_one(tmp_path: Path):
    tree = message(properties(32, p3FDE=1252), binary(0x1013, "<p>Größe</p><ul><li>A</li></ul>".encode("cp1252")))
    assert read(tmp_path, tree)[1][0].text.endswith("Größe\n\n- A")


def test_attachments_and_messages_inside_are_pages(tmp_path: Path):
    inner = message(text(0x1000, "Told long ago."), properties(24), subject="The first word")
    tree = message(
        text(0x1000, "See below."),
        {
            "__attach_version1.0_#00000000": {**text(0x3707, "days.txt"), **binary(0x3701, b"five days " * 900)},
            "__attach_version1.0_#00000001": {**text(0x3001, "The first word"), "__substg1.0_3701000D": inner},
            "__attach_version1.0_#00000002": {
                **text(0x3707, "logo.png"), **text(0x3712, "logo@x"), **binary(0x3701, b"\x89PNG")
            },
        },
    )  # fmt: skip
    _, pages = read(tmp_path, tree)
    assert [page.headings for page in pages] == [(), ("Attachment: days.txt",), ("Attachment: The first word",)]
    assert "five days" in pages[1].text and "Told long ago." in pages[2].text


def test_a_body_in_outlooks_own_form_only_is_warned_of(tmp_path: Path):
    extraction, _ = read(tmp_path, message(binary(0x1009, b"LZFu")))
    assert "a form of Outlook's own" in extraction.warnings[0]


def test_a_message_that_is_cut_off_is_damaged(tmp_path: Path):
    whole = compound_file(message(text(0x1000, "long " * 5_000)))
    path = tmp_path / "note.msg"
    for length in range(600, len(whole) - 1024, 2048):
        path.write_bytes(whole[:length])
        with pytest.raises(ExtractionError) as raised:
            list(MsgExtractor().extract(path, ExtractionContext()).pages)
        assert raised.value.failure.code == "damaged"
