"""Spaces of a printed line, told from where its characters stand."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from indexer.extraction.formats.pdf.arabic import in_logical_order
from indexer.extraction.formats.pdf.glyphs import Glyph
from indexer.extraction.formats.pdf.right_to_left import from_right, is_mixed
from indexer.extraction.formats.pdf.spacing import looks_torn, respaced
from tests.indexer.extraction.printed import raw, text_of, write

HELVETICA = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"


def glyphs(text: str, *, letter: float, word: float, size: float = 10, width: float = 5) -> list[Glyph]:
    """Letters of one width; a blank in the text is a wide gap, a bar one that the library took for a space."""
    drawn: list[Glyph] = []
    x = 0.0
    for character in text:
        if character in " |":
            drawn.append(Glyph(" ", x, x, invented=True))
            x += (word if character == " " else letter) * size
        else:
            drawn.append(Glyph(character, x, x + width))
            x += width + letter * size
    return drawn


def test_a_word_that_is_spaced_out_is_one_word():
    assert respaced(glyphs("P|r|o|p|e|r|t|y I|n|s|u|r|a|n|c|e", letter=0.1, word=0.5), 10) == "Property Insurance"


def test_letters_that_stand_each_for_itself_stay_apart():
    assert respaced(glyphs("A|B|C|D|E|F", letter=0.3, word=0.3), 10) == "A B C D E F"


def test_korean_words_are_parted_where_there_is_room():
    assert respaced(glyphs("침하게 흐린 품이", letter=0.0, word=0.5, width=10), 10) == "침하게 흐린 품이"


def test_widths_that_lie_part_no_word():
    places = [("T", 10.0), ("H", 22.0), ("A", 37.0), ("N", 50.0), (" ", 56.0), ("N", 65.0)]
    drawn = [Glyph(character, x, x + 20, invented=character == " ") for character, x in places]
    assert respaced(drawn, 20) == "THANN"


def test_letters_at_a_typewriters_distance_are_one_word_whatever_their_widths():
    drawn: list[Glyph] = []
    for at, character in enumerate("tilting"):
        if character == "i":
            drawn.append(Glyph(" ", 7.0 * at - 2, 7.0 * at, invented=True))
        drawn.append(Glyph(character, 7.0 * at, 7.0 * at + (2 if character in "il" else 6)))
    assert respaced(drawn, 12) == "tilting"


@pytest.mark.parametrize("text", ["Appendix A is open", "vitamin C", "a = b + c · d", "R & D"])
def test_spaces_that_the_file_has_are_kept(text: str):
    drawn = [Glyph(character, 6.0 * at, 6.0 * at + 5) for at, character in enumerate(text)]
    assert respaced(drawn, 10).split() == text.split()


@pytest.mark.parametrize(
    ("text", "is_torn"),
    [
        ("P ro p e rt y", True),
        ("THAN N", True),
        ("The plan is a good one.", False),
        ("침하게흐린품이눈이올듯하더니눈은", True),
    ],
)
def test_only_lines_with_doubtful_spaces_are_looked_at_closely(text: str, *, is_torn: bool):
    assert looks_torn(text) is is_torn


def test_letters_set_apart_by_hand_are_joined_on_a_page(tmp_path: Path):
    content = "BT /F1 20 Tf 4 Tc 40 200 Td [(S)-80(T)-80(O)-80(C)-80(K)-80(S)] TJ ET"
    assert text_of(tmp_path, raw(content, HELVETICA)) == "STOCKS"


def test_type_that_is_scaled_up_by_a_matrix_keeps_its_words_together(tmp_path: Path):
    content = "BT /F1 0.1 Tf 200 0 0 200 40 200 Tm [(quan)-50(tile)] TJ 0.5 0 Td (density) Tj ET"
    assert text_of(tmp_path, raw(content, HELVETICA)).split() == ["quantile", "density"]


def test_the_letters_of_a_ligature_come_in_the_order_in_which_they_are_read():
    drawn = [Glyph("ک", 26, 30), Glyph("ا", 23, 26), Glyph("ا", 23, 23), Glyph("ل", 17, 23), Glyph("ی", 10, 17)]
    assert in_logical_order(drawn) == "کالای"


def test_the_article_stays_as_it_is():
    drawn = [Glyph("ا", 25, 28), Glyph("ل", 20, 25), Glyph("ب", 15, 20)]
    assert in_logical_order(drawn) == "الب"


def test_a_box_that_is_ticked_is_told_from_a_number(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 72), "3", fontname="zadb")
    page.insert_text((90, 72), "Paid")
    assert text_of(tmp_path, document).split() == ["✓", "Paid"]


def test_a_large_initial_belongs_to_its_word(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    write(page, 72, 116, "O", size=40)
    write(page, 106, 95, "nce a year, every employee may", "carry over five days of leave.")
    assert text_of(tmp_path, document).startswith("Once a year, every employee")


@pytest.mark.parametrize(
    ("drawn", "read"),
    [
        ("הנחב 1,250.50 ריחמ", "מחיר 1,250.50 בחנה"),
        ("ביבא לתב )Main Street( תונח", "חנות (Main Street) בתל אביב"),
        (")2026 - 2024( םינשב", "בשנים (2024 - 2026)"),
        ("הריכמPython תפש", "שפת Python מכירה"),
        ("25% החנה", "הנחה 25%"),
    ],
)
def test_a_line_from_the_right_is_read_by_where_its_characters_stand(drawn: str, read: str):
    glyphs = [Glyph(character, 6.0 * at, 6.0 * at + 6) for at, character in enumerate(drawn)]
    assert "".join(glyph.character for glyph in from_right(glyphs[::-1])) == read


@pytest.mark.parametrize(
    ("text", "expected"),
    [("מחיר 25", True), ("חנות (קטנה)", True), ("שלום עולם", False), ("Shalom means שלום", False), ("Price 25", False)],
)
def test_only_lines_from_the_right_with_something_else_in_them_are_put_in_order(text: str, *, expected: bool):
    assert is_mixed(text) is expected
