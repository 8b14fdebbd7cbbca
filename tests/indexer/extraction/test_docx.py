"""Word documents, as their readers see them."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import docx
import pytest
from docx.oxml.ns import nsdecls

from indexer.extraction.container import ooxml
from rag.errors import ExtractionError
from tests.indexer.extraction.word import W, paragraph, read, run, saved, with_body, with_part, with_relation


def test_paragraphs_headings_lists_and_tables_come_in_order(tmp_path: Path):
    document = docx.Document()
    document.add_heading("Leave policy", 0)
    document.add_heading("Days", 1)
    document.add_paragraph("sick", style="List Bullet")
    document.add_paragraph("annual", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(
        (cell for row in table.rows for cell in row.cells), ["Grade", "Days", "A|B", "30"], strict=True
    ):
        cell.text = text
    document.add_paragraph("The end.")
    extraction, text = read(saved(tmp_path, document))
    assert extraction.title == "Leave policy" and not extraction.paged
    assert text.split("\n\n") == [
        "# Leave policy",
        "# Days",
        "- sick\n- annual",
        "| Grade | Days |\n| --- | --- |\n| A\\|B | 30 |",
        "The end.",
    ]


def test_list_numbers_are_computed(tmp_path: Path):
    document = docx.Document()
    for text in ("first", "second", "third"):
        document.add_paragraph(text, style="List Number")
    assert read(saved(tmp_path, document))[1] == "1. first\n2. second\n3. third"


def test_insertions_are_shown_and_deletions_are_not(tmp_path: Path):
    path = with_body(
        tmp_path,
        paragraph(
            run("The notice period is ")
            + '<w:del w:id="1" w:author="A"><w:r><w:delText>two</w:delText></w:r></w:del>'
            + f'<w:ins w:id="2" w:author="A">{run("three")}</w:ins>{run(" months")}{run(" secret", "<w:vanish/>")}'
        ),
    )
    assert read(path)[1] == "The notice period is three months"


def test_links_controls_fields_and_odd_characters_keep_their_text(tmp_path: Path):
    path = with_body(
        tmp_path,
        paragraph(f'<w:hyperlink w:anchor="x">{run("the form")}</w:hyperlink><w:r><w:tab/><w:noBreakHyphen/></w:r>'),
        f"<w:sdt {W}><w:sdtPr/><w:sdtContent>{paragraph(run('in a control'))}</w:sdtContent></w:sdt>",
        paragraph(f'<w:fldSimple w:instr="PAGE">{run("7")}</w:fldSimple><w:r><w:instrText>PAGE</w:instrText></w:r>'),
        paragraph(f"<w:sdt><w:sdtContent>{run('op')}</w:sdtContent></w:sdt><w:r><w:softHyphen/></w:r>{run('tional')}"),
    )
    assert read(path)[1].split("\n\n") == ["the form\t-", "in a control", "7", "optional"]


def test_footnotes_follow_their_paragraph(tmp_path: Path):
    mark = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    path = with_body(tmp_path, paragraph(run("Text") + mark + run(" goes on.")))
    with_relation(path, "footnotes", "footnotes.xml")
    refers_to_itself = f'<w:footnote w:id="2">{paragraph(run("The note.") + mark)}</w:footnote>'
    with_part(path, "word/footnotes.xml", f"<w:footnotes {W}>{refers_to_itself}</w:footnotes>".encode())
    assert read(path)[1] == "Text goes on.\n\n[^2]: The note."


def test_headers_and_footers_come_once_at_the_end(tmp_path: Path):
    document = docx.Document()
    document.add_paragraph("Body.")
    for section in (document.sections[0], document.add_section()):
        section.header.is_linked_to_previous = False
        section.header.paragraphs[0].text = "Form HR-17"
        section.footer.paragraphs[0].text = "3"
    assert read(saved(tmp_path, document))[1] == "Body.\n\nForm HR-17"


def comment(text: str, author: str = "Ada Moss") -> str:
    return f'<w:comment w:id="0" w:author="{author}">{paragraph(run(text))}</w:comment>'


def test_comments_follow_their_paragraph_with_their_author(tmp_path: Path):
    path = with_body(tmp_path, paragraph(run("Nine metres") + '<w:r><w:commentReference w:id="0"/></w:r>'))
    with_relation(path, "comments", "comments.xml")
    with_part(path, "word/comments.xml", f"<w:comments {W}>{comment('At ebb?')}</w:comments>".encode())
    assert read(path)[1] == "Nine metres\n\n[Comment by Ada Moss: At ebb?]"


def test_text_that_a_style_hides_is_left_out(tmp_path: Path):
    styled = paragraph(
        run("seen")
        + run(" hidden", '<w:rStyle w:val="H"/>')
        + run(" shown", '<w:rStyle w:val="H"/><w:vanish w:val="0"/>')
    )
    path = with_body(tmp_path, styled, paragraph('<w:pPr><w:pStyle w:val="H"/></w:pPr>' + run("all hidden")))
    with zipfile.ZipFile(path) as archive:
        styles = archive.read("word/styles.xml")
    hiding = b'<w:style w:styleId="H"><w:name w:val="H"/><w:rPr><w:vanish/></w:rPr></w:style></w:styles>'
    assert read(with_part(path, "word/styles.xml", styles.replace(b"</w:styles>", hiding)))[1] == "seen shown"


def test_a_broken_part_beside_the_text_is_a_warning(tmp_path: Path):
    path = with_body(tmp_path, paragraph(run("Body.")))
    extraction, text = read(with_part(path, "word/styles.xml", b"<w:styles><broken"))
    assert text == "Body." and any("styles.xml" in warning for warning in extraction.warnings)


def test_lines_of_the_table_of_contents_are_left_out(tmp_path: Path):
    path = with_body(tmp_path, paragraph(run("Body.")))
    with zipfile.ZipFile(path) as archive:
        styles = archive.read("word/styles.xml")
    toc = b'<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style></w:styles>'
    with_part(path, "word/styles.xml", styles.replace(b"</w:styles>", toc))
    line = paragraph('<w:pPr><w:pStyle w:val="TOC1"/></w:pPr>' + run("Leave ..... 7"))
    with_part(
        path,
        "word/document.xml",
        f"<w:document {W}><w:body>{line}{paragraph(run('Body.'))}</w:body></w:document>".encode(),
    )
    assert read(path)[1] == "Body."


def test_strict_documents_read_alike(tmp_path: Path):
    path = with_body(tmp_path)
    strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    body = f'<w:document xmlns:w="{strict}"><w:body><w:p><w:r><w:t>Some text</w:t></w:r></w:p></w:body></w:document>'
    assert read(with_part(path, "word/document.xml", body.encode()))[1] == "Some text"


def test_html_inside_is_read(tmp_path: Path):
    path = with_body(tmp_path, f'<w:altChunk {W} {nsdecls("r")} r:id="rIdNew"/>')
    with_relation(path, "aFChunk", "chunk.html")
    with_part(path, "word/chunk.html", b"<html><body><h2>Days</h2><p>Thirty.</p></body></html>")
    assert read(path)[1] == "## Days\n\nThirty."


def test_entities_are_never_resolved(tmp_path: Path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret", encoding="utf-8")
    body = (
        f'<!DOCTYPE d [<!ENTITY out SYSTEM "{secret.as_uri()}"><!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]>'
        f"<w:document {W}><w:body><w:p><w:r><w:t>Text &out;&b;</w:t></w:r></w:p></w:body></w:document>"
    )
    text = read(with_part(with_body(tmp_path), "word/document.xml", body.encode()))[1]
    assert "secret" not in text and "lol" not in text


def test_parts_that_unpack_without_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ooxml, "MAX_PART_BYTES", 100_000)
    path = with_part(with_body(tmp_path), "word/document.xml", b" " * 1_000_000)
    with pytest.raises(ExtractionError) as raised:
        read(path)
    assert raised.value.failure.code == "too_large"


@pytest.mark.parametrize("broken", [b"no zip", b"PK\x03\x04"])
def test_broken_containers_are_damaged(tmp_path: Path, broken: bytes):
    path = tmp_path / "report.docx"
    path.write_bytes(broken)
    with pytest.raises(ExtractionError) as raised:
        read(path)
    assert raised.value.failure.code == "damaged"


@pytest.mark.parametrize("content", [b"<w:document", b""])
def test_broken_parts_are_damaged(tmp_path: Path, content: bytes):
    path = with_part(with_body(tmp_path), "word/document.xml", content)
    with pytest.raises(ExtractionError) as raised:
        read(path)
    assert raised.value.failure.code == "damaged"


def test_a_zip_without_a_text_part_is_damaged(tmp_path: Path):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("readme", "nothing")
    path = tmp_path / "report.docx"
    path.write_bytes(buffer.getvalue())
    with pytest.raises(ExtractionError) as raised:
        read(path)
    assert raised.value.failure.code == "damaged"


def test_an_empty_document_has_an_empty_page(tmp_path: Path):
    assert read(saved(tmp_path, docx.Document()))[1] == ""


def test_a_note_is_shown_where_it_is_first_referred_to(tmp_path: Path):
    mark = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    path = with_body(tmp_path, paragraph(run("One") + mark), paragraph(run("Two") + mark))
    with_relation(path, "footnotes", "footnotes.xml")
    note = f'<w:footnote w:id="2">{paragraph(run("The note."))}</w:footnote>'
    with_part(path, "word/footnotes.xml", f"<w:footnotes {W}>{note}</w:footnotes>".encode())
    assert read(path)[1] == "One\n\n[^2]: The note.\n\nTwo"


def test_headings_are_known_by_their_names_when_the_styles_are_lost(tmp_path: Path):
    heading = paragraph('<w:pPr><w:pStyle w:val="Heading2"/></w:pPr>' + run("Rates"))
    path = with_part(with_body(tmp_path, heading), "word/styles.xml", f"<w:styles {W}/>".encode())
    assert read(path)[1] == "## Rates"


def test_a_paragraph_whose_end_was_deleted_goes_on_with_the_next(tmp_path: Path):
    gone = '<w:pPr><w:rPr><w:del w:id="1" w:author="A"/></w:rPr></w:pPr>'
    deleted = '<w:del w:id="2" w:author="A"><w:r><w:delText>Nothing of it.</w:delText></w:r></w:del>'
    path = with_body(
        tmp_path,
        paragraph(gone + run("Nine ")),
        paragraph(gone + deleted),
        paragraph(run("coins.")),
        paragraph(run("Ten.")),
    )
    assert read(path)[1] == "Nine coins.\n\nTen."


def test_raised_numbers_do_not_grow_onto_numbers(tmp_path: Path):
    def raised(text: str) -> str:
        return run(text, '<w:vertAlign w:val="superscript"/>')

    power = paragraph(
        run("10") + raised("-") + raised("1") + raised("2") + run(" m") + raised("2") + run(" on the 3") + raised("rd")
    )
    assert read(with_body(tmp_path, power))[1] == "10^-12 m2 on the 3rd"
