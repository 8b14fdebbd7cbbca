"""Plain text and Markdown, in any encoding."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.characters.encoding import decoded
from indexer.extraction.container.source import read_bytes
from indexer.extraction.formats.markup.markdown import MarkdownExtractor
from indexer.extraction.formats.text import TextExtractor
from rag.errors import ExtractionError

GERMAN = "Die Kündigungsfrist beträgt drei Monate. Größe: 5 µm."
SAMPLES = {
    "cp1252": "Lunch is paid up to €30 a day, in a café or the “canteen”; receipts go to the office – within a week.",
    "latin-1": "Größe: 5 µm, Café, naïve, £20",
    "cp1250": "Wszyscy ludzie rodzą się wolni i równi w swojej godności i prawach. Są oni obdarzeni rozumem.",
    "cp1251": "Все люди рождаются свободными и равными в своем достоинстве и правах.",
    "koi8-r": "Все люди рождаются свободными и равными в своем достоинстве и правах.",
    "cp866": "Однажды, в студеную зимнюю пору, я из лесу вышел; был сильный мороз.",
    "shift_jis": "稟議書の決裁は部長が行う。",
    "gb18030": "报销单必须在三十日内提交。",
    "big5": "人人生而自由，在尊嚴和權利上一律平等。",
    "euc-kr": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
    "euc-jp": "稟議書の決裁は部長が行う。カタカナも使います。",
    "iso2022_jp": "稟議書の決裁は部長が行う。",
    "iso8859-2": "Pracownicy muszą złożyć wnioski do końca marca. Żółta łódź płynęła źle.",
    "mac-roman": "Die Mitarbeiter müssen ihre Anträge bis Ende März einreichen. Größere Änderungen sind möglich.",
    "cp1253": "Οι εργαζόμενοι πρέπει να υποβάλουν τις αιτήσεις τους μέχρι το τέλος Μαρτίου.",
    "cp1255": "על העובדים להגיש את בקשותיהם עד סוף חודש מרץ.",
    "iso2022_kr": "휴가 신청서는 3일 전까지 제출해야 합니다.",
    "utf-8": GERMAN,
    "utf-16": GERMAN,
    "utf-32": GERMAN,
}


def text_of(folder: Path, content: bytes) -> str:
    path = folder / "notes.txt"
    path.write_bytes(content)
    [page] = TextExtractor().extract(path, ExtractionContext()).pages
    return page.text


def markdown_of(folder: Path, content: str) -> tuple[Extraction, str]:
    path = folder / "notes.md"
    path.write_text(content, encoding="utf-8")
    extraction = MarkdownExtractor().extract(path, ExtractionContext())
    [page] = extraction.pages
    return extraction, page.text


@pytest.mark.parametrize("encoding", SAMPLES)
def test_encodings_are_recognised(tmp_path: Path, encoding: str):
    assert text_of(tmp_path, SAMPLES[encoding].encode(encoding)) == SAMPLES[encoding]


@pytest.mark.parametrize(
    "text",
    [
        "The request must be filed three days ahead. It’s “urgent” – don’t wait… £5, 20 °C.",
        "“Don’t ask,” she said – “it’s €5.”",
    ],
)
def test_dense_quotation_marks_stay_western(text: str):
    assert decoded(text.encode("cp1252")) == text


@pytest.mark.parametrize("encoding", ["cp1250", "iso8859-2"])
def test_central_european_code_pages_are_told_apart(encoding: str):
    text = "Žádost je nutné podat tři dny předem. Příliš žluťoučký kůň úpěl ďábelské ódy."
    assert decoded(text.encode(encoding)) == text


WIDE = {
    "German": GERMAN,
    "Russian": "Сотрудники должны подать заявления до конца марта.\nОтпуск оплачивается.",
    "Japanese": "従業員は三月末までに申請書を提出しなければなりません。\n大きな変更には部長の承認が必要です。",
    "Chinese": "员工必须在三月底之前提交申请。\n较大的变更需要部门经理的批准。",
    "Korean": "직원들은 삼월 말까지 신청서를 제출해야 합니다.\n큰 변경에는 부장의 승인이 필요합니다.",
    "a table": "1;2;3\r\n4;5;6\r\n",
}


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("language", WIDE)
def test_wide_characters_need_no_mark(encoding: str, language: str):
    assert decoded(WIDE[language].encode(encoding)) == WIDE[language]


def test_a_nul_here_and_there_makes_no_wide_characters():
    text = "Part number\x00 AX-4711/B is approved.\x00\n"
    assert decoded(text.encode()) == text


def test_what_is_declared_latin_1_is_read_as_browsers_do():
    assert decoded(b"\x93windows\x94", declared="iso-8859-1") == "“windows”"


def test_what_was_converted_to_utf_8_keeps_an_old_declaration():
    assert decoded("Größe".encode(), declared="iso-8859-1") == "Größe"


def test_text_that_goes_over_into_data_is_none(tmp_path: Path):
    (tmp_path / "a.txt").write_bytes(b"#!/bin/sh\n" * 5_000 + bytes(range(256)) * 400)
    with pytest.raises(ExtractionError) as raised:
        TextExtractor().extract(tmp_path / "a.txt", ExtractionContext())
    assert raised.value.failure.code == "not_text"


def test_marks_vanish(tmp_path: Path):
    assert text_of(tmp_path, codecs.BOM_UTF8 + b"Text.") == "Text."


def test_accents_far_down_are_found(tmp_path: Path):
    text = "Plain words.\n" * 20_000 + "Все люди рождаются свободными и равными в своем достоинстве."
    assert text_of(tmp_path, text.encode("cp1251")).endswith("равными в своем достоинстве.")


def test_one_broken_byte_does_not_change_the_encoding(tmp_path: Path):
    content = f"{GERMAN * 40}\n".encode() + b"\xff broken\n" + "Schluß.".encode()
    text = text_of(tmp_path, content)
    assert text.startswith(GERMAN) and text.endswith("Schluß.")
    [warning] = TextExtractor().extract(tmp_path / "notes.txt", ExtractionContext()).warnings
    assert warning.startswith("1 character was not readable")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("one\r\ntwo\rthree\n", "one\ntwo\nthree"),
        ("one\x0ctwo\u2028three", "one\ntwo\nthree"),
        ("Ku\u0308ndigung", "Kündigung"),
        ("part\x00 number\x07", "part number"),
        ("ﬂag and ﬃx", "flag and ffix"),
        ("ﺍﻧﻮﺍﻉ", "انواع"),
        ("Poli\xadtik", "Politik"),
        ("Poli\n\xad\ntik", "Politik"),
        ("01\xad2301\xadXXX", "01-2301-XXX"),
        ("un\u200bseen\u202e\U000e0041", "unseen"),
        ("50\xa0km", "50 km"),
        ("\uf0b7 item", "• item"),
        ("👩\u200d👧", "👩\u200d👧"),
    ],
)
def test_the_same_text_is_always_spelled_the_same(tmp_path: Path, written: str, read: str):
    assert text_of(tmp_path, written.encode("utf-8")) == read


def test_comments_of_a_script_are_no_headings(tmp_path: Path):
    assert text_of(tmp_path, b"# stop the pump\nrm x\n```\n") == "    # stop the pump\nrm x\n    ```"


def test_long_blanks_are_no_trouble(tmp_path: Path):
    blanks = " " * 300_000
    assert text_of(tmp_path, f"one{blanks}two{blanks}\nPo\xadlitik{blanks}".encode()) == f"one{blanks}two\nPolitik"


def test_files_beyond_the_limit_are_refused(tmp_path: Path):
    path = tmp_path / "log.txt"
    path.write_bytes(b"x" * 101)
    with pytest.raises(ExtractionError) as raised:
        read_bytes(path, limit=100)
    assert raised.value.failure.code == "too_large"


def test_front_matter_gives_the_title_and_leaves(tmp_path: Path):
    extraction, text = markdown_of(
        tmp_path, '---\ntitle: "Travel: policy"\ntags:\n  - hr\n---\n\n# Rules\n\nBook economy class.\n\n---\n\nMore.\n'
    )
    assert extraction.title == "Travel: policy" and not extraction.paged
    assert text == "# Rules\n\nBook economy class.\n\n---\n\nMore."


@pytest.mark.parametrize(
    "content",
    ["---\ntitle: never closed\n\n# Heading\n\nText.", "---\n\nA rule above and below, and words.\n\n---\n\nText."],
)
def test_what_is_no_front_matter_stays(tmp_path: Path, content: str):
    assert markdown_of(tmp_path, content)[1] == content


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("# Leave <em>types</em> {#sec1}\n\nText.\n\n# Other\n", "Leave types"),
        ("Preface.\n\n# Leave types\n\nText.\n", "Leave types"),
        ("Preface.\n\n# Leave\n\nText.\n\n# Travel\n", ""),
        ("No heading at all.", ""),
        ("---\ntitle: untitled\n---\n# Leave types\n", "Leave types"),
    ],
)
def test_the_heading_that_names_the_whole_is_the_title(tmp_path: Path, content: str, title: str):
    assert markdown_of(tmp_path, content)[0].title == title


def test_code_stays_as_it_is(tmp_path: Path):
    content = "```python\ndef f():\n    return {  'a' : 1 }\n\n\n# end\n```"
    assert markdown_of(tmp_path, content)[1] == content
