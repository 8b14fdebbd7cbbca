"""Text layers that are not what is printed on the page."""

from __future__ import annotations

import random
import string
from pathlib import Path

import pymupdf
import pytest

from indexer.extraction.base import ExtractionContext
from indexer.extraction.formats.pdf.extractor import PdfExtractor
from indexer.extraction.formats.pdf.text_quality import is_unmapped, lacks_words, looks_garbled, odd_words
from rag.types.documents import Page
from tests.indexer.extraction.scans import LINES, TEXT, picture, printed, scanned, write

PROSE = {
    "English": "Employees may carry over up to five days of unused leave into the next calendar year, "
    "provided that the head of their department has agreed in writing before the end of "
    "November.",
    "German": "Nicht genommene Urlaubstage können bis zum 31. März des Folgejahres übertragen werden, "
    "sofern dringende betriebliche Gründe vorlagen und die Abteilungsleitung schriftlich "
    "zugestimmt hat.",
    "Polish": "Niewykorzystany urlop można przenieść na kolejny rok kalendarzowy, jeżeli kierownik "
    "działu wyraził na to pisemną zgodę przed końcem listopada bieżącego roku.",
    "Finnish": "Pitämättä jääneet lomapäivät voidaan siirtää seuraavalle kalenterivuodelle, jos osaston "
    "esimies on antanut siihen kirjallisen suostumuksen ennen marraskuun loppua.",
    "Vietnamese": "Nhân viên được chuyển tối đa năm ngày phép chưa sử dụng sang năm tiếp theo, với điều "
    "kiện trưởng phòng đã đồng ý bằng văn bản trước cuối tháng mười một.",
    "Russian": "Неиспользованные дни отпуска можно перенести на следующий календарный год с письменного "
    "согласия руководителя отдела, полученного до конца ноября.",
    "Greek": "Οι εργαζόμενοι μπορούν να μεταφέρουν έως πέντε ημέρες άδειας στο επόμενο ημερολογιακό "
    "έτος, εφόσον συμφωνεί εγγράφως ο προϊστάμενος του τμήματος.",
    "Arabic": "يجوز للموظفين ترحيل ما يصل إلى خمسة أيام من الإجازة غير المستخدمة إلى السنة التالية "
    "بموافقة خطية من رئيس القسم قبل نهاية نوفمبر.",
    "Chinese": "未休完的年假最多可以结转五天到下一个日历年度,但须在十一月底之前取得部门负责人的书面同意"
    "。结转的天数必须在次年三月三十一日之前使用,逾期不再补休,也不折算为工资。新入职的员工按照"
    "实际在职的月数计算年假。",
    "Japanese": "未使用の年次有給休暇は、部門長が十一月末までに書面で承認した場合に限り、五日を上限として"
    "翌年度に繰り越すことができる。繰り越した休暇は翌年三月三十一日までに取得しなければならず"
    "、期限を過ぎた日数は消滅する。入社した年の日数は在籍する月数に応じて定める。",
    "parts": "AX-4711/B Bracket, steel M8x40 DIN 933 Flange NW80 PN16 EPDM Gasket SKU 88-1020-C QTY "
    "12 Valve 3/4 in. BSP brass Hose HD-20 L=1500 mm Nut M8 DIN 934 Washer 8.4 Filter "
    "element FE-220 10 um",
    "code": "def carry_over(days: int, *, limit: int = 5) -> int:\n    return min(days, limit)\nfor "
    "row in table.rows:\n    print(row.cells[0].text, carry_over(row.days))\nif __name__ == "
    "'__main__':\n    main(sys.argv[1:])",
}


def ciphered(text: str) -> str:
    letters = list(string.ascii_lowercase)
    random.Random(7).shuffle(letters)  # noqa: S311  # no secret is kept by it
    mixed = "".join(letters)
    return text.translate(str.maketrans(string.ascii_letters, mixed + mixed.upper()))


def shifted(text: str) -> str:
    """As many a subset font is numbered: "Summa" becomes "6XPPD"."""
    return "".join(chr(ord(character) - 29) if "$" <= character <= "z" else character for character in text)


@pytest.mark.parametrize("text", PROSE.values(), ids=PROSE.keys())
def test_what_people_write_is_no_garbage(text: str):
    assert not looks_garbled(text)
    assert odd_words(text) < 0.25


@pytest.mark.parametrize("language", ["English", "German", "Polish", "Finnish"])
@pytest.mark.parametrize("garble", [ciphered, shifted])
def test_exchanged_letters_are_garbage(language: str, garble: type[str]):
    assert looks_garbled(garble(PROSE[language]))


def test_cyrillic_taken_for_latin_is_garbage():
    assert looks_garbled(PROSE["Russian"].encode("cp1251").decode("latin-1"))


@pytest.mark.parametrize("language", ["Chinese", "Japanese"])
def test_characters_that_nobody_writes_are_garbage(language: str):
    assert looks_garbled("".join(chr(ord(c) + 37) if "\u4e00" <= c <= "\u9f00" else c for c in PROSE[language]))


def test_a_short_text_is_given_the_benefit_of_the_doubt():
    assert not looks_garbled("XQ-7 KTZ PRW 4711")


def test_bad_ocr_has_odd_words():
    bad = "«POAH «3E*»CM tanntxim. toi n»Bfl. s*r;tiiR» the Aaalg#fitted fc^ugsx Company Calif&rr-.la and Hawaiian"
    assert odd_words(bad) > 0.3


def without_map(lines: tuple[str, ...] = LINES) -> pymupdf.Document:
    """Real text in an embedded font of which the file does not say what its glyphs mean."""
    document = pymupdf.open()
    page = document.new_page(width=420, height=300)
    page.insert_font("F9", fontbuffer=pymupdf.Font("helv").buffer)
    for row, line in enumerate(lines):
        page.insert_text((40, 60 + 24 * row), line, fontname="F9", fontsize=16)
    for font in page.get_fonts():
        document.xref_set_key(font[0], "ToUnicode", "null")
    return document


def under_a_false_layer(lines: tuple[str, ...] = LINES, *, says: str) -> pymupdf.Document:
    """What a person sees is the lines; what the file says, unseen, is something else."""
    document = scanned(picture(printed(lines)))
    document[0].insert_textbox((10, 10, 410, 290), says, fontsize=9, render_mode=3)
    return document


def read(
    folder: Path, document: pymupdf.Document, *, context: ExtractionContext | None = None
) -> tuple[Page, list[str]]:
    path = folder / "report.pdf"
    document.save(path)
    document.close()
    extraction = PdfExtractor().extract(path, context or ExtractionContext())
    [page] = extraction.pages
    return page, extraction.warnings


def test_glyphs_without_characters_are_told_from_those_with():
    with without_map() as document:
        assert is_unmapped(document[0], str(document[0].get_text()))
    with printed() as document:
        assert not is_unmapped(document[0], str(document[0].get_text()))


@pytest.mark.parametrize(
    ("text", "is_doubtful"),
    [('"7+%-', True), ("3KRQH", True), ("Phone", False), ("12.50 %", False), ("日本の休暇", False)],
)
def test_a_short_text_is_doubtful_where_fonts_tell_no_characters_and_it_has_no_word(text: str, *, is_doubtful: bool):
    with without_map() as document:
        assert lacks_words(document[0], text) is is_doubtful
    with printed() as document:
        assert not lacks_words(document[0], text)


def test_glyphs_without_characters_are_read_by_ocr(tmp_path: Path):
    page, warnings = read(tmp_path, without_map())
    assert " ".join(page.text.split()) == TEXT
    assert page.ocr
    assert warnings == ["Page 1: the text layer is garbage; read by OCR."]


def test_without_ocr_garbage_is_kept_and_told(tmp_path: Path):
    page, [warning] = read(tmp_path, without_map(), context=ExtractionContext(ocr_languages=()))
    assert page.text and not page.ocr
    assert warning.startswith("Page 1: the text layer looks like garbage, and OCR is switched off")


def test_a_layer_of_other_letters_than_the_page_shows_is_replaced(tmp_path: Path):
    page, warnings = read(tmp_path, under_a_false_layer(says=ciphered(TEXT)))
    assert " ".join(page.text.split()) == TEXT
    assert warnings == ["Page 1: the text layer is garbage; read by OCR."]


def test_bad_ocr_in_the_file_is_done_again(tmp_path: Path):
    bad = "Eniploy«es rnay c3rry ov*r up t# f#ve d»ys of un^sed Ie4ve int* the n*xt calend@r ye#r."
    page, warnings = read(tmp_path, under_a_false_layer(says=bad))
    assert " ".join(page.text.split()) == TEXT
    assert warnings == ["Page 1: the text layer is garbage; read by OCR."]


def test_an_odd_text_that_stands_so_on_the_page_is_kept(tmp_path: Path):
    rows = tuple(map(shifted, ("bracket gasket", "flange washer", "filter element", "valve housing", "brass hose")))
    document = pymupdf.open()
    write(document.new_page(width=420, height=300), rows)
    page, warnings = read(tmp_path, document)
    assert rows[0] in page.text
    assert (page.ocr, warnings) == (False, [])
