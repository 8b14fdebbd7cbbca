"""Cells become tables, with their headers, and lines."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from indexer.extraction.formats.sheets import grid as sheet_grid
from indexer.extraction.formats.sheets.grid import CellGrid, is_number
from indexer.extraction.formats.sheets.grid_markdown import GROUP_ROWS, as_markdown


def grid(*rows: str, widths: dict[tuple[int, int], int] | None = None) -> CellGrid:
    """Rows of cells with bars between; a dot stands for a blank cell, a blank row for itself."""
    cells = {
        number: {
            column: cell.strip() for column, cell in enumerate(row.split("|"), start=1) if cell.strip() not in {"", "."}
        }
        for number, row in enumerate(rows, start=1)
    }
    return CellGrid({number: row for number, row in cells.items() if row}, widths or {})


def test_a_title_a_table_and_a_note_are_told_apart():
    note = "(a) Without the days that are carried over from the year before the last one."
    text = as_markdown(grid("Leave by grade", "Grade | Days", "A | 30", "B | 28", note))
    assert text.split("\n\n") == ["Leave by grade", "| Grade | Days |\n| --- | --- |\n| A | 30 |\n| B | 28 |", note]


def test_the_header_is_repeated_with_each_group_of_rows():
    parts = as_markdown(grid("Name | Days", *(f"Clerk {n} | {n}" for n in range(1, 51)))).split("\n\n")
    assert len(parts) == 3
    assert all(part.startswith("| Name | Days |\n| --- | --- |\n| Clerk ") for part in parts)
    assert [part.count("Clerk") for part in parts] == [GROUP_ROWS, GROUP_ROWS, 10]


def test_rows_without_a_header_are_not_given_one():
    parts = as_markdown(grid(*(f"{n} | {n * 2}" for n in range(1, 31)))).split("\n\n")
    assert parts[0].startswith("| 1 | 2 |\n| --- | --- |\n| 2 | 4 |")
    assert parts[1].startswith("| 21 | 42 |\n| --- | --- |\n| 22 | 44 |")


def test_a_very_long_header_stands_once():
    parts = as_markdown(grid(f"{'long ' * 250} | Days", *(f"Clerk {n} | {n}" for n in range(1, 51)))).split("\n\n")
    assert "long" in parts[0] and not any("long" in part for part in parts[1:])


def test_a_table_goes_on_below_a_blank_row():
    text = as_markdown(grid("Name | Days", "Ann | 5", "", "Total | 5"))
    assert text.split("\n\n")[1] == "| Name | Days |\n| --- | --- |\n| Total | 5 |"


def test_a_header_may_be_set_off_by_a_blank_row():
    text = as_markdown(grid("Name | Days", "", "Ann | 5", "Bob | 7"))
    assert text == "| Name | Days |\n| --- | --- |\n| Ann | 5 |\n| Bob | 7 |"


def test_what_stands_more_than_two_blank_rows_above_a_table_is_not_its_header():
    table = "| Name | Days |\n| --- | --- |\n| Ann | 5 |"
    assert as_markdown(grid("Name | Days", "", "", "Ann | 5")) == table
    assert not as_markdown(grid("Name | Days", "", "", "", "Ann | 5")).startswith(table)


def test_the_words_of_a_merged_header_stand_over_all_its_columns():
    text = as_markdown(grid("Grade | 2025 | .", ". | Sick | Annual", "A | 3 | 30", widths={(1, 2): 2}))
    assert text.splitlines()[0] == "| Grade | 2025 – Sick | 2025 – Annual |"


def test_tables_side_by_side_come_one_after_the_other():
    text = as_markdown(
        grid("Name | Days | . | Town | Office", "Ann | 5 | . | Graz | East", "Bob | 7 | . | Linz | West")
    )
    assert text.split("\n\n") == [
        "| Name | Days |\n| --- | --- |\n| Ann | 5 |\n| Bob | 7 |",
        "| Town | Office |\n| --- | --- |\n| Graz | East |\n| Linz | West |",
    ]


def test_a_blank_column_between_numbers_only_spaces_a_table_out():
    text = as_markdown(grid("Item | 2024 | . | 2025 | Change", "Rent | 10 | . | 11 | 10%", "Heat | 5 | . | 6 | 20%"))
    assert "| Rent | 10 | 11 | 10% |" in text


def test_one_column_is_lines_and_a_form_has_no_header():
    assert as_markdown(grid("First", "Second")) == "First\nSecond"
    text = as_markdown(grid(*(f"Field {n}: | words" for n in range(1, 31))))
    assert text.count("Field 1:") == 1


def test_bars_inside_cells_are_escaped():
    assert "| a\\|b | 1 |" in as_markdown(CellGrid({1: {1: "Key", 2: "Value"}, 2: {1: "a|b", 2: "1"}}))


def test_cells_far_apart_do_not_make_a_wall_of_bars():
    rows = {row: {row: f"cell {row}", row + 1: "x"} for row in range(1, 300)}
    assert len(as_markdown(CellGrid(rows))) < 10_000


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,599.99", True),
        ("(81)", True),
        ("2.5%", True),
        ("—", True),
        ("2026-01-05", True),
        ("Q1", False),
        ("A", False),
    ],
)
def test_numbers_are_told_from_words(text: str, number: bool):
    assert is_number(text) is number


def test_tables_side_by_side_are_each_looked_at_once(monkeypatch: pytest.MonkeyPatch):
    looked_at = 0
    given = vars(sheet_grid)["_within"]

    def within(band: Sequence[object], columns: Sequence[int]) -> object:
        nonlocal looked_at
        looked_at += len(columns)
        return given(band, columns)

    monkeypatch.setattr(sheet_grid, "_within", within)
    filled = [column for column in range(1, 601) if column % 3]
    cells = dict.fromkeys(filled, "word")
    list(sheet_grid.blocks_of(CellGrid({1: cells, 2: dict(cells)})))
    assert 0 < looked_at <= 3 * len(filled)


def test_a_merged_header_ends_where_the_next_begins():
    upper = {1: "Leave", 3: "Travel"}
    lower = {1: "days", 2: "hours", 3: "days", 4: "hours"}
    numbers = {column: str(column) for column in range(1, 5)}
    text = as_markdown(CellGrid({1: upper, 2: lower, 3: numbers}, widths={(1, 1): 4, (1, 3): 2}))
    assert text.startswith("| Leave – days | Leave – hours | Travel – days | Travel – hours |")
