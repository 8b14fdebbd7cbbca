"""Which list a paragraph of a Word document stands in, and on which level."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.indexer.extraction.word import W, paragraph, read, run, with_body, with_part


def level(depth: int, pattern: str, inside: str = "") -> str:
    decimal = f'<w:start w:val="1"/><w:numFmt w:val="decimal"/>{inside}<w:lvlText w:val="{pattern}"/>'
    return f'<w:lvl w:ilvl="{depth}">{decimal}</w:lvl>'


def numbering(*definitions: str) -> bytes:
    """List 1 is of the first definition, list 2 of the second."""
    numbers = range(1, len(definitions) + 1)
    abstract = "".join(
        f'<w:abstractNum w:abstractNumId="{number}">{inside}</w:abstractNum>'
        for number, inside in zip(numbers, definitions, strict=True)
    )
    lists = "".join(f'<w:num w:numId="{number}"><w:abstractNumId w:val="{number}"/></w:num>' for number in numbers)
    return f"<w:numbering {W}>{abstract}{lists}</w:numbering>".encode()


def style(style_id: str, inside: str) -> str:
    return f'<w:style w:type="paragraph" w:styleId="{style_id}"><w:name w:val="{style_id}"/>{inside}</w:style>'


def styled(style_id: str, text: str) -> str:
    return paragraph(f'<w:pPr><w:pStyle w:val="{style_id}"/></w:pPr>' + run(text))


def test_a_list_may_take_its_levels_from_a_list_style(tmp_path: Path):
    own = '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>'
    path = with_body(tmp_path, paragraph(own + run("Berths")), paragraph(own + run("Tides")))
    link, source = '<w:numStyleLink w:val="Legal"/>', '<w:styleLink w:val="Legal"/>' + level(0, "§ %1")
    with_part(path, "word/numbering.xml", numbering(link, source))
    assert read(path)[1] == "§ 1 Berths\n§ 2 Tides"


@pytest.mark.parametrize(
    ("override", "label"),
    [("", "2"), ('<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>', "1")],
    ids=["goes on", "begins anew"],
)
def test_lists_of_one_definition_go_on_counting_unless_one_says_where_it_begins(
    tmp_path: Path, override: str, label: str
):
    def item(list_id: int, text: str) -> str:
        place = f'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="{list_id}"/></w:numPr>'
        return paragraph(f"<w:pPr>{place}</w:pPr>" + run(text))

    path = with_body(tmp_path, item(1, "Berths"), paragraph(run("Between.")), item(2, "Tides"))
    abstract = f'<w:abstractNum w:abstractNumId="7">{level(0, "%1")}</w:abstractNum>'
    of_it = '<w:abstractNumId w:val="7"/>'
    lists = f'<w:num w:numId="1">{of_it}</w:num><w:num w:numId="2">{of_it}{override}</w:num>'
    with_part(path, "word/numbering.xml", f"<w:numbering {W}>{abstract}{lists}</w:numbering>".encode())
    assert read(path)[1].split("\n\n") == ["1 Berths", "Between.", f"{label} Tides"]


def test_a_list_says_which_style_stands_on_which_level(tmp_path: Path):
    number = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'
    path = with_body(tmp_path, styled("Clause", "Berths"), styled("Point", "Length"), styled("Point", "Depth"))
    levels = level(0, "%1", '<w:pStyle w:val="Clause"/>') + level(1, "%1.%2", '<w:pStyle w:val="Point"/>')
    with_part(path, "word/numbering.xml", numbering(levels))
    styles = style("Clause", number) + style("Point", number)
    with_part(path, "word/styles.xml", f"<w:styles {W}>{styles}</w:styles>".encode())
    assert read(path)[1] == "1 Berths\n  1.1 Length\n  1.2 Depth"


def test_a_style_takes_its_list_over_from_the_one_that_it_is_based_on(tmp_path: Path):
    path = with_body(tmp_path, styled("Clause", "Berths"), styled("Point", "Length"))
    with_part(path, "word/numbering.xml", numbering(level(0, "%1") + level(1, "%1.%2")))
    clause = style("Clause", '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>')
    based = '<w:basedOn w:val="Clause"/><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr>'
    with_part(path, "word/styles.xml", f"<w:styles {W}>{clause}{style('Point', based)}</w:styles>".encode())
    assert read(path)[1] == "1 Berths\n  1.1 Length"
