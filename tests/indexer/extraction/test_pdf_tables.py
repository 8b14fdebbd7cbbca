"""Tables of a PDF page."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from indexer.extraction.formats.pdf.grids import grids_of
from indexer.extraction.layout.cells import with_signs_joined
from tests.indexer.extraction.printed import SENTENCE, text_of, write


def ruled(page: pymupdf.Page, xs: list[float], ys: list[float]) -> None:
    """Draws the rules of a grid."""
    for y in ys:
        page.draw_line((xs[0], y), (xs[-1], y))
    for x in xs:
        page.draw_line((x, ys[0]), (x, ys[-1]))


def a_table(*rows: list[list[str]]) -> pymupdf.Document:
    """A ruled table; a cell is a list of lines. The columns are drawn one after the other."""
    document = pymupdf.open()
    page = document.new_page()
    ys = [100.0]
    for row in rows:
        ys.append(ys[-1] + 8 + 13 * max(len(cell) for cell in row))
    ruled(page, [72 + 150.0 * column for column in range(len(rows[0]) + 1)], ys)
    for column in range(len(rows[0])):
        for row, top in zip(rows, ys, strict=False):
            write(page, 78 + 150 * column, top + 13, *row[column], size=10)
    return document


def test_rows_of_a_ruled_table_hold_together(tmp_path: Path):
    table = a_table([["Grade"], ["Days"], ["Notice"]], [["A"], ["30"], ["1 month"]], [["B"], ["28"], ["2 weeks"]])
    assert text_of(tmp_path, table) == "Grade\tDays\tNotice\nA\t30\t1 month\nB\t28\t2 weeks"


def test_cells_of_several_lines_make_a_table_of_markdown(tmp_path: Path):
    table = a_table(
        [["Kind"], ["Rule"]],
        [["Sick leave"], ["A doctor's note is due", "from the third day on."]],
        [["Care"], ["Ask first | then go."]],
    )
    assert text_of(tmp_path, table) == (
        "| Kind | Rule |\n| --- | --- |\n"
        "| Sick leave | A doctor's note is due from the third day on. |\n| Care | Ask first \\| then go. |"
    )


def test_rows_without_rules_between_them_are_told_by_their_lines(tmp_path: Path):
    table = a_table([["Name"], ["Days"]], [["Ada", "Benjamin", "Cleo"], ["30", "28", "25"]])
    assert text_of(tmp_path, table) == "Name\tDays\nAda\t30\nBenjamin\t28\nCleo\t25"


def test_an_empty_cell_keeps_the_others_in_their_columns(tmp_path: Path):
    table = a_table([["Grade"], ["Days"], ["Notice"]], [["A"], [], ["1 month"]])
    assert text_of(tmp_path, table).splitlines()[1] == "A\t\t1 month"


def test_a_text_that_runs_over_two_cells_in_one_piece_is_cut_at_the_rule(tmp_path: Path):
    document = a_table([["Item"], ["Price"]], [["Paper"], ["12"]], [["Ink"], ["30"]])
    write(document[0], 78, 176, f"Toner{' ' * 50}40", size=10)
    ruled(document[0], [72, 222, 372], [163, 184])
    assert text_of(tmp_path, document).splitlines()[-1] == "Toner\t40"


def test_a_frame_round_running_text_is_no_table(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    ruled(page, [60, 560], [60, 300])
    write(page, 72, 90, SENTENCE, SENTENCE)
    assert text_of(tmp_path, document).split() == [*SENTENCE.split(), *SENTENCE.split()]


def test_text_below_a_table_is_no_row_of_it(tmp_path: Path):
    document = a_table([["Kind"], ["Rule"]], [["Sick leave"], ["A note is due", "from day three."]])
    write(document[0], 72, 170, "Valid from May.")
    assert text_of(tmp_path, document).endswith("from day three. |\n\nValid from May.")


def test_rules_make_a_grid_only_where_they_cross():
    across = [(0.0, y, 100.0, y + 1) for y in (0.0, 20.0, 40.0)]
    down = [(x, 0.0, x + 1, 41.0) for x in (0.0, 50.0, 100.0)]
    [grid] = grids_of(across + down)
    assert [(grid.row(25, y), grid.column(25, y)) for y in (10, 30)] == [(0, 0), (1, 0)]
    assert grid.column(75, 10) == 1
    assert grids_of(across + [(x + 300, y, z + 300, w) for x, y, z, w in down]) == []


def test_a_drawing_of_thousands_of_strokes_is_not_searched_for_tables():
    assert grids_of([(float(at), 0.0, at + 0.5, 50.0) for at in range(5000)]) == []


@pytest.mark.parametrize(
    ("rows", "joined"),
    [
        ([{0: "Cash", 1: "$", 2: "689"}, {0: "Stock", 1: "992"}], [{0: "Cash", 2: "$ 689"}, {0: "Stock", 2: "992"}]),
        ([{0: "Tax", 1: "19", 2: "%"}, {0: "Sum", 1: "40"}], [{0: "Tax", 2: "19%"}, {0: "Sum", 2: "40"}]),
        ([{0: "a", 1: "b"}, {0: "$", 1: "c"}], [{0: "a", 1: "b"}, {0: "$", 1: "c"}]),
    ],
)
def test_signs_of_currency_join_their_amounts(rows: list[dict[int, str]], joined: list[dict[int, str]]):
    assert with_signs_joined(rows) == joined


def test_amounts_set_apart_from_their_signs_are_one_cell_without_rules_too(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    for x, cell in [(72, "Cash"), (200, "$"), (240, "1,671"), (320, "$"), (360, "2,148")]:
        write(page, x, 100, cell)
    assert text_of(tmp_path, document) == "Cash\t$ 1,671\t$ 2,148"
