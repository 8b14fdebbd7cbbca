"""OpenDocument presentations, as their readers see them."""

from __future__ import annotations

from pathlib import Path

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.formats.odf.odp import OdpExtractor
from tests.indexer.extraction.opendocument import opendocument


def read(folder: Path, body: str, automatic: str = "") -> tuple[Extraction, list[str]]:
    path = opendocument(folder / "deck.odp", body, kind="presentation", automatic=automatic)
    assert kind_of(path) == "odp"
    extraction = OdpExtractor().extract(path, ExtractionContext())
    pages = list(extraction.pages)
    assert [page.number for page in pages] == list(range(1, len(pages) + 1))
    return extraction, [page.text for page in pages]


def frame(text: str, kind: str = "", place: tuple[float, float] | None = None) -> str:
    at = f'svg:x="{place[0]}cm" svg:y="{place[1]}cm" svg:width="8cm" svg:height="2cm"' if place else ""
    purpose = f'presentation:class="{kind}"' if kind else ""
    return f"<draw:frame {purpose} {at}><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>"


def page(*shapes: str, attributes: str = "") -> str:
    return f"<draw:page {attributes}>{''.join(shapes)}</draw:page>"


def test_a_slide_is_a_page_with_title_shapes_by_place_and_notes(tmp_path: Path):
    notes = f"<presentation:notes>{frame('Say thanks.', 'notes')}{frame('1', 'page-number')}</presentation:notes>"
    body = page(
        frame("below", place=(1, 9)),
        frame("right", place=(12, 4)),
        frame("left", place=(1, 4)),
        frame("Harbour plan", "title", (1, 1)),
        frame("For internal use", "footer", (1, 18)),
        notes,
    )
    extraction, texts = read(tmp_path, body + page(frame("Costs", "title")))
    assert extraction.paged and extraction.title == "Harbour plan"
    assert texts == ["# Harbour plan\n\nleft\n\nright\n\nbelow\n\n## Notes\n\nSay thanks.", "# Costs"]


def test_hidden_slides_are_marked(tmp_path: Path):
    style = (
        '<style:style style:name="dp2" style:family="drawing-page">'
        '<style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
    )
    hidden = page(frame("Spare", "title"), attributes='draw:style-name="dp2"')
    assert read(tmp_path, page(frame("One", "title")) + hidden, style)[1] == ["# One", "# Spare (hidden slide)"]


def test_groups_tables_drawn_shapes_and_comments_are_read(tmp_path: Path):
    cells = "".join(f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" for text in ("Berth", "Depth"))
    table = f"<draw:frame><table:table><table:table-row>{cells}</table:table-row></table:table></draw:frame>"
    drawn = "<draw:g><draw:g><draw:custom-shape><text:p>in a group</text:p></draw:custom-shape></draw:g></draw:g>"
    comment = "<office:annotation><dc:creator>Ada Moss</dc:creator><text:p>Too long</text:p></office:annotation>"
    assert read(tmp_path, page(table, drawn, comment))[1] == [
        "| Berth | Depth |\n| --- | --- |\n\nin a group\n\n## Comments\n\n[Comment by Ada Moss: Too long]"
    ]


def test_a_presentation_without_slides_has_no_pages(tmp_path: Path):
    assert read(tmp_path, "")[1] == []
