"""Tables as Markdown writes them."""

from __future__ import annotations

import pytest

from indexer.extraction.markdown import pipe_table as module
from indexer.extraction.markdown.pipe_table import nested_table, pipe_table


def test_rows_are_filled_up_and_empty_ones_left_out():
    assert pipe_table([["a", "b"], ["", " "], ["c"]]) == "| a | b |\n| --- | --- |\n| c |  |"


def test_a_cell_is_one_line_and_its_bars_are_no_edges():
    assert pipe_table([["a\nb", "c | d"]]) == "| a b | c \\| d |\n| --- | --- |"


def test_columns_that_hold_nothing_at_the_end_are_left_out():
    assert pipe_table([["a", "", ""], ["", "b", ""]]) == "| a |  |\n| --- | --- |\n|  | b |"


def test_nothing_gives_nothing():
    assert pipe_table([]) == pipe_table([["", " "]]) == nested_table([[""]]) == ""


def test_one_wide_row_does_not_widen_a_million_others(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "_MOST_CELLS", 1000)
    wide = pipe_table([["x"] * 63, *[["y"]] * 20])
    assert wide.splitlines()[-1] == "| y |" and wide.splitlines()[1].count("---") == 63


def test_a_table_in_a_cell_is_one_line():
    assert nested_table([["a", "", "b"], ["", ""], ["c\nd"]]) == "a · b; c d"
