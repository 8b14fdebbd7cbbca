"""PowerPoint presentations, as their readers see them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pptx
import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml
from pptx.presentation import Presentation
from pptx.util import Inches

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.formats.pptx.extractor import PptxExtractor
from rag.errors import ExtractionError
from rag.types.documents import Page
from tests.indexer.extraction.packages import changed, package, part_of, relations

A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
SLIDE = "ppt/slides/slide1.xml"
SLIDE_LINKS = "ppt/slides/_rels/slide1.xml.rels"

TITLE_ONLY, TITLE_AND_BODY, BLANK = 5, 1, 6


def read(path: Path) -> tuple[Extraction, list[Page]]:
    extraction = PptxExtractor().extract(path, ExtractionContext())
    return extraction, list(extraction.pages)


def texts(path: Path) -> list[str]:
    return [page.text for page in read(path)[1]]


def saved(folder: Path, deck: Presentation) -> Path:
    path = folder / "deck.pptx"
    deck.save(str(path))
    return path


def slide(deck: Presentation, layout: int = BLANK, title: str = "") -> Any:
    added = deck.slides.add_slide(deck.slide_layouts[layout])
    if title:
        cast("Any", added.shapes.title).text = title
    return added


def box(on: Any, text: str, left: float, top: float, *, width: float = 2, height: float = 0.5) -> Any:
    added = on.shapes.add_textbox(Inches(left), Inches(top), Inches(width), Inches(height))
    added.text_frame.text = text
    return added


def shape(text: str, *, name: str = "", kind: str = "", inside: str = "") -> str:
    placeholder = f'<p:ph type="{kind}"/>' if kind else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="9" name="shape" {name}/><p:cNvSpPr/><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr>'
        f"<p:spPr/><p:txBody><a:bodyPr/>{inside or f'<a:p><a:r><a:t>{text}</a:t></a:r></a:p>'}</p:txBody></p:sp>"
    )


def deck_of(folder: Path, *shapes: str, parts: dict[str, str] | None = None) -> Path:
    """A presentation of one slide, written by hand and with nothing that can be missed."""
    body = f"<p:sld {A} {P} {R}><p:cSld><p:spTree>{''.join(shapes)}</p:spTree></p:cSld></p:sld>"
    return package(
        folder / "deck.pptx",
        {
            "ppt/presentation.xml": f'<p:presentation {P} {R}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst>'
            "</p:presentation>",
            "ppt/_rels/presentation.xml.rels": relations(("rId1", "slide", "slides/slide1.xml")),
            SLIDE: body,
            **(parts or {}),
        },
    )


def test_a_slide_is_a_page_with_its_title_as_heading(tmp_path: Path):
    deck = pptx.Presentation()
    first = slide(deck, TITLE_AND_BODY, "Harbour plan")
    frame = first.placeholders[1].text_frame
    frame.text = "Dredging"
    below = frame.add_paragraph()
    below.text, below.level = "North basin", 1
    slide(deck, TITLE_ONLY, "Costs")
    extraction, pages = read(saved(tmp_path, deck))
    assert extraction.paged and extraction.title == "Harbour plan"
    assert [(page.number, page.text) for page in pages] == [
        (1, "# Harbour plan\n\n- Dredging\n  - North basin"),
        (2, "# Costs"),
    ]


def test_boxes_are_read_by_their_places_and_not_by_their_age(tmp_path: Path):
    deck = pptx.Presentation()
    on = slide(deck)
    box(on, "right text", 5, 2)
    box(on, "right head", 5, 1.45)
    box(on, "left text", 1, 2)
    box(on, "foot", 1, 6, width=8)
    box(on, "left head", 1, 1.45)
    assert texts(saved(tmp_path, deck)) == ["left head\n\nleft text\n\nright head\n\nright text\n\nfoot"]


def test_placeholders_without_a_place_stand_where_the_layout_has_them(tmp_path: Path):
    deck = pptx.Presentation()
    on = slide(deck, TITLE_AND_BODY, "Plan")
    on.placeholders[1].text_frame.text = "in the layout's place"
    box(on, "above it", 1, 1.0, height=0.3)
    assert texts(saved(tmp_path, deck)) == ["# Plan\n\nabove it\n\n- in the layout's place"]


def test_groups_are_walked_to_any_depth(tmp_path: Path):
    deck = pptx.Presentation()
    group = slide(deck).shapes.add_group_shape()
    for level in range(12):
        inner = group.shapes.add_textbox(Inches(1), Inches(1 + level), Inches(1), Inches(0.5))
        inner.text_frame.text = f"level {level}"
        group = group.shapes.add_group_shape()
    [text] = texts(saved(tmp_path, deck))
    assert sorted(text.split("\n\n")) == sorted(f"level {level}" for level in range(12))


def test_tables_and_charts_become_tables(tmp_path: Path):
    deck = pptx.Presentation()
    on = slide(deck)
    grid = on.shapes.add_table(2, 2, Inches(1), Inches(1), Inches(4), Inches(1)).table
    for at, text in enumerate(["Berth", "Depth", "A|1", "9 m"]):
        grid.cell(at // 2, at % 2).text = text
    data = CategoryChartData()
    data.categories = ["2024", "2025"]
    data.add_series("Ships", (120, 130.5))
    data.add_series("Ferries", (8, 9))
    chart = on.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(3), Inches(4), Inches(3), data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Calls a year"
    [text] = texts(saved(tmp_path, deck))
    assert text.split("\n\n") == [
        "| Berth | Depth |\n| --- | --- |\n| A\\|1 | 9 m |",
        "Calls a year",
        "|  | Ships | Ferries |\n| --- | --- | --- |\n| 2024 | 120 | 8 |\n| 2025 | 130.5 | 9 |",
    ]


def test_notes_stand_under_a_heading_of_their_own(tmp_path: Path):
    deck = pptx.Presentation()
    slide(deck, TITLE_ONLY, "Plan").notes_slide.notes_text_frame.text = "Say thanks to the pilots."
    assert texts(saved(tmp_path, deck)) == ["# Plan\n\n## Notes\n\nSay thanks to the pilots."]


def test_hidden_slides_keep_their_number_and_are_marked(tmp_path: Path):
    deck = pptx.Presentation()
    for title in ("One", "Two", "Three"):
        slide(deck, TITLE_ONLY, title)
    cast("Any", deck.slides[1])._element.set("show", "0")
    assert texts(saved(tmp_path, deck)) == ["# One", "# Two (hidden slide)", "# Three"]


def test_hidden_shapes_and_slide_numbers_are_not_shown(tmp_path: Path):
    number = '<a:p><a:fld type="slidenum"><a:t>1</a:t></a:fld></a:p>'
    path = deck_of(
        tmp_path,
        shape("seen"),
        shape("hidden away", name='hidden="1"'),
        shape("7", kind="sldNum"),
        shape("", inside=number),
    )
    assert texts(path) == ["seen"]


def test_footers_are_said_once(tmp_path: Path):
    deck = pptx.Presentation()
    for title in ("One", "Two"):
        on = slide(deck, TITLE_ONLY, title)
        footer = shape("For internal use", kind="ftr").replace("<p:sp>", f"<p:sp {A} {P}>")
        on.shapes._spTree.append(parse_xml(footer))
    assert texts(saved(tmp_path, deck)) == ["# One\n\nFor internal use", "# Two"]


def test_numbered_items_have_the_numbers_that_people_see(tmp_path: Path):
    def item(text: str, bullet: str, level: int = 0) -> str:
        return f'<a:p><a:pPr lvl="{level}">{bullet}</a:pPr><a:r><a:t>{text}</a:t></a:r></a:p>'

    roman, letter = '<a:buAutoNum type="romanUcPeriod"/>', '<a:buAutoNum type="alphaLcParenBoth" startAt="3"/>'
    items = [item("one", roman), item("c", letter, 1), item("d", letter, 1), item("two", roman)]
    bullets = [item("dot", '<a:buChar char="•"/>'), item("plain", "<a:buNone/>")]
    [text] = texts(deck_of(tmp_path, shape("", inside="".join([*items, *bullets]))))
    assert text == "I. one\n  (c) c\n  (d) d\nII. two\n- dot\n\nplain"


def test_diagrams_are_nested_lists(tmp_path: Path):
    def point(name: str, text: str = "", kind: str = "node") -> str:
        return f'<pt modelId="{name}" type="{kind}"><t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></t></pt>'

    points = point("0", kind="doc") + point("b", "Second") + point("a", "First") + point("c", "Below")
    ties = [("0", "b", 1), ("0", "a", 0), ("a", "c", 0), ("c", "a", 0)]
    lines = "".join(f'<cxn srcId="{above}" destId="{below}" srcOrd="{at}"/>' for above, below, at in ties)
    frame = f'<p:graphicFrame><a:graphic><a:graphicData><d:relIds xmlns:d="urn:d" {R} r:dm="rId7"/></a:graphicData>'
    path = deck_of(
        tmp_path,
        f"{frame}</a:graphic></p:graphicFrame>",
        parts={
            SLIDE_LINKS: relations(("rId7", "diagramData", "../diagrams/data1.xml")),
            "ppt/diagrams/data1.xml": f"<m {A}><ptLst>{points}</ptLst><cxnLst>{lines}</cxnLst></m>",
        },
    )
    assert texts(path) == ["- First\n  - Below\n- Second"]


def test_comments_old_and_new_name_their_authors(tmp_path: Path):
    path = deck_of(
        tmp_path,
        shape("text"),
        parts={
            SLIDE_LINKS: relations(("a", "comments", "../comments/c1.xml"), ("b", "comments", "../comments/c2.xml")),
            "ppt/comments/c1.xml": f'<p:cmLst {P}><p:cm authorId="0"><p:text>Too long</p:text></p:cm></p:cmLst>',
            "ppt/comments/c2.xml": f'<cmLst {A}><cm authorId="{{1}}"><replyLst><reply authorId="0"><txBody><a:p><a:r>'
            "<a:t>Agreed</a:t></a:r></a:p></txBody></reply></replyLst><txBody><a:p><a:r><a:t>Which year?</a:t></a:r>"
            "</a:p></txBody></cm></cmLst>",
            "ppt/commentAuthors.xml": f'<p:cmAuthorLst {P}><p:cmAuthor id="0" name="Ada Moss"/></p:cmAuthorLst>',
            "ppt/authors.xml": '<authorLst><author id="{1}" name="Bo Reed"/></authorLst>',
        },
    )
    assert texts(path) == ["text\n\n## Comments\n\n- Ada Moss: Too long\n- Bo Reed: Which year?\n- Ada Moss: Agreed"]


def test_of_two_ways_to_write_a_shape_one_is_read(tmp_path: Path):
    both = f"<Choice>{shape('formula')}</Choice><Fallback>{shape('picture of it')}</Fallback>"
    unknown = f"<Choice><p14:ink/></Choice><Fallback>{shape('drawn')}</Fallback>"
    path = deck_of(
        tmp_path, f"<AlternateContent>{both}</AlternateContent><AlternateContent>{unknown}</AlternateContent>"
    )
    assert texts(path) == ["formula\n\ndrawn"]


def test_escaped_characters_and_line_breaks_in_titles(tmp_path: Path):
    title = shape(
        "", kind="title", inside="<a:p><a:r><a:t>Two_x000B_lines</a:t></a:r><a:br/><a:r><a:t>x</a:t></a:r></a:p>"
    )
    assert texts(deck_of(tmp_path, title, shape("opt\xadional"))) == ["# Two lines x\n\noptional"]


def test_printed_numbers_start_where_the_presentation_says(tmp_path: Path):
    path = deck_of(tmp_path, shape("text"))
    counted = part_of(path, "ppt/presentation.xml").replace("<p:presentation ", '<p:presentation firstSlideNum="40" ')
    [page] = read(changed(path, {"ppt/presentation.xml": counted}))[1]
    assert (page.number, page.label) == (1, "40")


@pytest.fixture
def three(tmp_path: Path) -> Path:
    deck = pptx.Presentation()
    for title in ("One", "Two", "Three"):
        slide(deck, TITLE_ONLY, title)
    return saved(tmp_path, deck)


@pytest.mark.parametrize("broken", [None, "<p:sld><p:cSld>"])
def test_a_broken_slide_costs_only_itself(three: Path, broken: str | None):
    extraction, pages = read(changed(three, {"ppt/slides/slide2.xml": broken}))
    assert [page.text for page in pages] == ["# One", "", "# Three"]
    assert any("Slide 2" in warning for warning in extraction.warnings)


@pytest.mark.parametrize(
    "part",
    [
        "[Content_Types].xml",
        "_rels/.rels",
        "docProps/core.xml",
        "ppt/_rels/presentation.xml.rels",
        "ppt/slides/_rels/slide1.xml.rels",
        "ppt/slideLayouts/slideLayout6.xml",
        "ppt/slideMasters/slideMaster1.xml",
        "ppt/theme/theme1.xml",
    ],
)
@pytest.mark.parametrize("broken", [None, "<broken"])
def test_what_is_missing_or_broken_around_the_slides_costs_no_text(three: Path, part: str, broken: str | None):
    assert texts(changed(three, {part: broken})) == ["# One", "# Two", "# Three"]


def test_strict_presentations_read_alike(three: Path):
    transitional = "http://schemas.openxmlformats.org/presentationml/2006/main"
    strict = "http://purl.oclc.org/ooxml/presentationml/main"
    parts = ["ppt/presentation.xml", *(f"ppt/slides/slide{at}.xml" for at in (1, 2, 3))]
    path = changed(three, {part: part_of(three, part).replace(transitional, strict) for part in parts})
    assert texts(path) == ["# One", "# Two", "# Three"]


def test_a_presentation_without_slides_is_empty_or_damaged(tmp_path: Path):
    assert texts(saved(tmp_path, pptx.Presentation())) == []
    with pytest.raises(ExtractionError) as raised:
        read(package(tmp_path / "deck.pptx", {"ppt/presentation.xml": "<broken"}))
    assert raised.value.failure.code == "damaged"


def test_a_slide_that_is_named_again_and_again_is_one_page(tmp_path: Path):
    path = deck_of(tmp_path, shape("text"))
    ids = '<p:sldId id="256" r:id="rId1"/>'
    assert texts(
        changed(path, {"ppt/presentation.xml": part_of(path, "ppt/presentation.xml").replace(ids, ids * 1000)})
    ) == ["text"]


def test_raised_numbers_do_not_grow_onto_numbers(tmp_path: Path):
    deck = pptx.Presentation()
    box = slide(deck).shapes.add_textbox(Inches(1), Inches(1), Inches(4), Inches(1))
    run = "<a:r {a}><a:rPr{baseline}/><a:t>{text}</a:t></a:r>"
    for text, baseline in (("10", ""), ("6", ' baseline="30000"'), (" H", ""), ("2", ' baseline="-25000"'), ("O", "")):
        paragraph = box.text_frame.paragraphs[0]._p  # the library has no property for it
        paragraph.append(parse_xml(run.format(a=A, baseline=baseline, text=text)))
    assert texts(saved(tmp_path, deck)) == ["10^6 H2O"]
