"""Word documents that are one XML file."""

from __future__ import annotations

import base64
import zipfile
from pathlib import Path

import docx
import pytest

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.dispatch import extract_inner
from indexer.extraction.formats.docx.wordxml import WordXmlExtractor
from rag.errors import ExtractionError

W2003 = (
    'xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml" '
    'xmlns:wx="http://schemas.microsoft.com/office/word/2003/auxHint" '
    'xmlns:aml="http://schemas.microsoft.com/aml/2001/core" xmlns:o="urn:schemas-microsoft-com:office:office"'
)


def read(path: Path) -> tuple[Extraction, str]:
    assert kind_of(path) == "wordxml"
    extraction = WordXmlExtractor().extract(path, ExtractionContext(inner=extract_inner))
    [page] = extraction.pages
    return extraction, page.text


def test_a_flat_package_reads_like_the_package(tmp_path: Path):
    document = docx.Document()
    document.core_properties.title = "Harbour rates"
    document.add_heading("Rates", 1)
    document.add_paragraph("Nine coins a day.", style="List Bullet")
    document.save(str(tmp_path / "a.docx"))
    flat = ['<?xml version="1.0"?><pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage">']
    with zipfile.ZipFile(tmp_path / "a.docx") as archive:
        for name in archive.namelist():
            raw = archive.read(name)
            if name.endswith((".xml", ".rels")):
                inside = f"<pkg:xmlData>{raw.decode().split('?>', 1)[-1]}</pkg:xmlData>"
            else:
                inside = f"<pkg:binaryData>{base64.b64encode(raw).decode()}</pkg:binaryData>"
            flat.append(f'<pkg:part pkg:name="/{name}">{inside}</pkg:part>')
    path = tmp_path / "a.xml"
    path.write_text("".join([*flat, "</pkg:package>"]), encoding="utf-8")
    extraction, text = read(path)
    assert (extraction.title, text) == ("Harbour rates", "# Rates\n\n- Nine coins a day.")


def test_word_2003_is_read_without_what_was_deleted(tmp_path: Path):
    def change(kind: str, text: str) -> str:
        return f'<aml:annotation w:type="Word.{kind}"><aml:content><w:r>{text}</w:r></aml:content></aml:annotation>'

    changes = change("Deletion", "<w:delText>two</w:delText><w:t>two</w:t>") + change("Insertion", "<w:t>nine</w:t>")
    path = tmp_path / "a.xml"
    path.write_text(
        f'<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument {W2003}>'
        "<o:DocumentProperties><o:Title>Harbour rates</o:Title></o:DocumentProperties>"
        '<w:styles><w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style></w:styles>'
        '<w:body><wx:sect><wx:sub-section><w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr><w:r><w:t>Rates</w:t></w:r></w:p>'
        f"<w:p><w:r><w:t>It is </w:t></w:r>{changes}<w:r><w:t> coins.</w:t></w:r></w:p></wx:sub-section></wx:sect>"
        "</w:body></w:wordDocument>",
        encoding="utf-8",
    )
    extraction, text = read(path)
    assert (extraction.title, text) == ("Harbour rates", "# Rates\n\nIt is nine coins.")


@pytest.mark.parametrize("rest", ["", "<w:body>", "</w:wordDocument>"])
def test_a_broken_file_is_damaged(tmp_path: Path, rest: str):
    path = tmp_path / "a.xml"
    path.write_text(f"<w:wordDocument {W2003}>{rest}", encoding="utf-8")
    with pytest.raises(ExtractionError) as raised:
        read(path)
    assert raised.value.failure.code == "damaged"
