"""Boxes on a page, in the order of reading."""

from __future__ import annotations

from indexer.extraction.formats.office.reading_order import Box, in_reading_order


def order(*boxes: tuple[str, float, float, float, float]) -> str:
    return " ".join(
        in_reading_order([(Box(left, top, width, height), name) for name, left, top, width, height in boxes])
    )


def test_what_stands_higher_comes_first_and_then_what_stands_further_left():
    assert order(("d", 60, 60, 30, 10), ("b", 60, 0, 30, 10), ("c", 0, 60, 30, 10), ("a", 0, 0, 30, 10)) == "a b c d"


def test_a_heading_is_read_with_its_column():
    columns = [("A", 0, 20, 40, 8), ("a", 0, 29, 40, 40), ("B", 60, 20, 40, 8), ("b", 60, 29, 40, 40)]
    assert order(("foot", 0, 90, 100, 5), *columns[::-1], ("top", 0, 0, 100, 10)) == "top A a B b foot"


def test_boxes_that_overlap_a_little_are_told_apart():
    assert order(("b", 0, 9, 50, 10), ("a", 0, 0, 50, 10)) == "a b"


def test_boxes_in_a_heap_go_by_their_upper_edge():
    assert order(("c", 0, 3, 50, 50), ("a", 10, 0, 50, 50), ("b", 5, 1, 50, 50)) == "a b c"


def test_what_has_no_place_comes_first_in_its_own_order():
    placed = (Box(0, 0, 1, 1), "placed")
    assert in_reading_order([placed, (None, "second"), (None, "third")]) == ["second", "third", "placed"]


def test_a_long_staircase_ends():
    boxes = [(str(at), at * 10.0, at * 10.0, 5.0, 5.0) for at in range(3000)]
    assert order(*boxes[::-1]).split() == [str(at) for at in range(3000)]
