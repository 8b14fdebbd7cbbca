"""Fonts whose faults would cost the text."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.extraction.formats.pdf.to_unicode import in_byte_order
from tests.indexer.extraction.printed import raw, text_of

KANA = "あいうえお"


def composite(encoding: str) -> str:
    return (
        f"<</Type/Font/Subtype/Type0/BaseFont/Ryumin/Encoding/{encoding}/DescendantFonts[<</Type/Font"
        f"/Subtype/CIDFontType0/BaseFont/Ryumin/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 1>>>>]>>"
    )


@pytest.mark.parametrize(
    ("encoding", "code"),
    [("90ms-RKSJ-H", "cp932"), ("EUC-H", "euc_jp"), ("UniJIS-UCS2-H", "utf-16-be"), ("90ms-RKSJ-V", "cp932")],
)
def test_a_font_neither_embedded_nor_described_is_read_by_its_encoding(tmp_path: Path, encoding: str, code: str):
    content = f"BT /F1 24 Tf 50 250 Td <{KANA.encode(code).hex()}> Tj ET"
    assert text_of(tmp_path, raw(content, composite(encoding))) == KANA


def test_letters_that_a_map_turns_into_control_characters_are_letters(tmp_path: Path):
    table = "1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <63> <63> <000d> endbfrange"
    stream = f"<</Length {len(table)}>>stream\n{table}\nendstream"
    font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>"
    assert text_of(tmp_path, raw("BT /F1 24 Tf 50 150 Td (approach) Tj ET", font, stream)) == "approach"


@pytest.mark.parametrize("text", ["Carry-over", "Pay"])
def test_letters_that_a_map_writes_with_the_lower_byte_first_are_letters(tmp_path: Path, text: str):
    codes = {character: at for at, character in enumerate(sorted({*text, *"Leave"}), 1)}
    pairs = "".join(f"<{at:04x}\r> <{ord(character):02X}00>\n" for character, at in codes.items())
    table = f"1 begincodespacerange <0000> <ffff> endcodespacerange {len(codes)} beginbfchar {pairs}endbfchar"
    stream = f"<</Length {len(table)}>>stream\n{table}\nendstream"
    font = composite("Identity-H").replace("/Type0", "/Type0/ToUnicode 6 0 R", 1)
    written = "".join(f"{codes[character]:04x}" for character in text)
    assert text_of(tmp_path, raw(f"BT /F1 24 Tf 50 150 Td <{written}> Tj ET", font, stream)) == text


def test_chinese_characters_that_a_map_names_rightly_are_kept():
    table = b"4 beginbfchar <0001> <4e00> <0002> <4e03> <0003> <5200> <0004> <6700> endbfchar"
    assert in_byte_order(table) == table


def test_a_font_whose_parts_are_missing_costs_no_page(tmp_path: Path):
    font = "<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts 99 0 R/ToUnicode 98 0 R>>"
    assert text_of(tmp_path, raw("BT /F1 24 Tf 50 150 Td (approach) Tj ET", font)) == "approach"
