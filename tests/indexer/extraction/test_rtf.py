"""Rich Text Format, as its readers see it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.formats.rtf.extractor import RtfExtractor
from indexer.extraction.formats.rtf.reader import RtfReader
from indexer.extraction.formats.rtf.tokens import tokens
from rag.errors import ExtractionError

STYLES = r"{\stylesheet{\s0 Normal;}{\s1 heading 1;}{\s2 heading 2;}{\s9 toc 1;}{\*\cs10 heading 3;}}"


def read(folder: Path, body: str | bytes) -> tuple[Extraction, str]:
    raw = body if isinstance(body, bytes) else body.encode("ascii")
    path = folder / "report.rtf"
    path.write_bytes(rb"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fnil\fcharset0 Arial;}}" + raw + b"}")
    extraction = RtfExtractor().extract(path, ExtractionContext())
    [page] = extraction.pages
    return extraction, page.text


def text_of(folder: Path, body: str | bytes) -> str:
    return read(folder, body)[1]


def test_headings_paragraphs_and_titles(tmp_path: Path):
    body = (
        STYLES
        + r"{\info{\title Harbour rules}{\author Ada}}\pard\s1 Speed\par\pard\s2 By night\par\pard Five knots.\par"
    )
    extraction, text = read(tmp_path, body)
    assert extraction.title == "Harbour rules" and not extraction.paged
    assert text == "# Speed\n\n## By night\n\nFive knots."


def test_lines_of_the_table_of_contents_are_left_out(tmp_path: Path):
    assert text_of(tmp_path, STYLES + r"\pard\s9 Speed\tab 4\par\pard Five knots.\par") == "Five knots."


@pytest.mark.parametrize(
    ("fonts", "raw", "text"),
    [
        ("", rb"caf\'e9 \'93quoted\'94", "café “quoted”"),
        (r"{\f1\fcharset204 X;}", rb"\f1 \'cf\'f0\'e8", "При"),
        (r"{\f1\fcharset128 X;}", rb"\f1 \'93\'8c\'8b\'9e \'83e", "東京 テ"),
        (r"{\f1\fcharset238 X;}", rb"\f1 \'9aesti\'9c", "šestiś"),
        (r"{\f1\fcharset161 X;}", rb"{\f1 \'e1}\'e1", "αá"),
        (r"{\f1\fcharset2 Symbol;}", rb"\f1\'b7", "•"),
        ("", rb"\u26481\'3f\u20140 ?", "東京"),
        ("", rb"\uc2\u26481\'8c\'9e!\uc0\u20140!", "東!京!"),
        ("", rb"\u-10179?\u-8704?", "😀"),
        ("", rb"\u-10179? alone", "\ufffd alone"),
        ("", rb"a\emdash b\~c\_d\line e\tab f \{g\}\\", "a—b c-d\ne\tf {g}\\"),
        ("", rb"opt\-ional", "optional"),
        ("", rb"{\upr{caf\'65}{\*\ud{caf\u233?}}}", "café"),
    ],
)
def test_letters_of_every_code_page(tmp_path: Path, fonts: str, raw: bytes, text: str):
    table = rf"{{\fonttbl{{\f0\fcharset0 A;}}{fonts}}}".encode()
    assert text_of(tmp_path, table + rb"\pard " + raw + rb"\par") == text


def test_the_code_page_of_the_document_stands_in_for_fonts_that_name_none(tmp_path: Path):
    assert text_of(tmp_path, rb"\ansicpg1251\pard \'cf\'f0\'e8\par") == "При"


def test_western_letters_of_a_japanese_document_stay_western(tmp_path: Path):
    assert text_of(tmp_path, rb"\ansicpg932\pard caf\'e9\par") == "café"


def test_hidden_deleted_and_technical_text_is_left_out(tmp_path: Path):
    body = (
        r"{\*\generator Press 1;}{\pict\pngblip 89504e47}{\*\unknown secret}{\xe index}{\*\bkmkstart b}"
        r"\pard The fee is {\deleted two }{\v nothing }nine\v  or\v0  coins"
        r"{\field{\*\fldinst HYPERLINK x}{\fldrslt , see here}}.\par"
    )
    assert text_of(tmp_path, body) == "The fee is nine coins, see here."


def test_binary_data_is_passed_over_whatever_it_looks_like(tmp_path: Path):
    assert text_of(tmp_path, rb"\pard a{\pict\bin6 }}\par}b\par") == "ab"


def test_tables_have_rows_and_cells(tmp_path: Path):
    def row(*cells: str) -> str:
        return r"\trowd" + "".join(rf"\pard\intbl {cell}\cell" for cell in cells) + r"\row"

    body = row("Berth", "Depth") + row("A|1", r"9 m\par at ebb") + row("", "") + r"\pard After.\par" + row("x", "y")
    assert text_of(tmp_path, body).split("\n\n") == [
        "| Berth | Depth |\n| --- | --- |\n| A\\|1 | 9 m at ebb |",
        "After.",
        "| x | y |\n| --- | --- |",
    ]


def test_tables_in_cells_become_a_line(tmp_path: Path):
    inner = r"\pard\intbl\itap2 a\nestcell b\nestcell{\*\nesttableprops\trowd\nestrow}{\nonesttables\par}"
    body = rf"\trowd\pard\intbl left\cell {inner}\pard\intbl\cell\row\trowd\intbl c\cell d\cell\row\pard"
    assert text_of(tmp_path, body) == "| left | a · b · ; |\n| --- | --- |\n| c | d |"


def test_list_labels_are_taken_as_they_were_shown(tmp_path: Path):
    body = (
        r"\pard{\listtext\f0 1.\tab}one\par\pard\ilvl1{\listtext a)\tab}inner\par"
        r"\pard{\pntext\'b7\tab}dot\par\pard{\listtext\u9632?\tab}square\par\pard plain\par"
    )
    assert text_of(tmp_path, body) == "1. one\n  a) inner\n- dot\n- square\n\nplain"


def test_notes_comments_and_text_boxes_follow_their_paragraph(tmp_path: Path):
    body = (
        r"\pard Depth{\footnote\pard\chftn  At ebb.} is nine"
        r"{\*\atnid AM}{\*\atnauthor Ada Moss}{\*\annotation{\*\atnref 1}Really?} metres"
        r"{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt\pard in the box\par}}{\shprslt old picture}}.\par\pard Next.\par"
    )
    assert text_of(tmp_path, body).split("\n\n") == [
        "Depth is nine metres.",
        "[^1]: At ebb.",
        "[Comment by Ada Moss: Really?]",
        "in the box",
        "Next.",
    ]


def test_headers_and_footers_come_once_at_the_end(tmp_path: Path):
    body = r"{\header\pard Form 17\par}{\footerl\pard\chpgn\par}{\headerf\pard Form 17\par}\pard Body.\par"
    assert text_of(tmp_path, body) == "Body.\n\nForm 17"


def test_a_file_that_is_cut_off_keeps_what_it_has(tmp_path: Path):
    path = tmp_path / "report.rtf"
    path.write_bytes(rb"{\rtf1\ansi{\b The depth is nine")
    extraction = RtfExtractor().extract(path, ExtractionContext())
    assert [page.text for page in extraction.pages] == ["The depth is nine"] and len(extraction.warnings) == 1


def test_a_file_that_is_cut_off_before_its_text_is_damaged(tmp_path: Path):
    path = tmp_path / "report.rtf"
    path.write_bytes(rb"{\rtf1\ansi{\fonttbl{\f0 Ari")
    with pytest.raises(ExtractionError) as raised:
        RtfExtractor().extract(path, ExtractionContext())
    assert raised.value.failure.code == "damaged"


def test_groups_without_end_are_read_all_the_same(tmp_path: Path):
    assert text_of(tmp_path, "{" * 20_000 + "deep" + "}" * 20_000) == "deep"


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.one_of(
            st.sampled_from([
                b"{", b"}", rb"\par", rb"\cell", rb"\row", rb"\intbl", rb"\u55296", rb"\u-1", rb"\uc9", rb"\'e9",
                rb"\*", rb"\footnote", rb"\shptxt", rb"\upr", rb"\ud", rb"\fonttbl", rb"\stylesheet", rb"\info",
                rb"\title", rb"\f99999", rb"\fcharset128", rb"\ansicpg99", rb"\bin9", rb"\bin-9", rb"\s1", rb"\v",
                rb"\listtext",
            ]),
            st.binary(max_size=8),
        )
    )
)  # fmt: skip
def test_no_sequence_of_words_breaks_the_reader(words: list[bytes]):
    reader = RtfReader()
    reader.read(tokens(b" ".join(words)))
    assert all(isinstance(block, str) for block in reader.text.finished())


def test_notes_in_notes_without_end_are_read_in_time(tmp_path: Path):
    nested = r"{\footnote a" * 5_000 + "deep " * 20_000 + "}" * 5_000
    assert "deep" in text_of(tmp_path, r"\pard Text" + nested + r"\par")


def test_a_list_without_end_is_read_in_time(tmp_path: Path):
    text = text_of(tmp_path, r"\pard{\listtext 1.\tab}berth\par" * 5_000)
    assert text.count("1. berth\n") == 4_999


def test_cells_beyond_the_widest_table_that_is_read_are_counted(tmp_path: Path):
    row = r"\trowd " + r"\intbl x\cell " * 203 + r"\cell\row\pard "
    extraction, text = read(tmp_path, row * 2 + r"Five knots.\par")
    assert text.splitlines()[0].count("x") == 200 and text.endswith("Five knots.")
    assert extraction.warnings == ["Of wide tables, only the first 200 columns were read, 6 cells were left out."]
