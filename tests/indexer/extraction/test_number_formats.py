"""Numbers are shown as the cells of a workbook show them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.extraction.formats.office.number_formats import NumberFormats, general

CUSTOM = 164


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("#,##0.00", 1599.99, "1,599.99"),
        ('"$"#,##0.00', 1599.99, "$1,599.99"),
        ("[$€-2] #,##0.00", 3.5, "€ 3.50"),
        ("0.00%", 0.025, "2.50%"),
        ("0.00E+00", 12345, "1.23E+04"),
        ("# ?/?", 2.5, "2 1/2"),
        ("[h]:mm", 1.5, "36:00"),
        ("yyyy-mm-dd", 40582, "2011-02-08"),
        ("d. mmmm yyyy", 40582, "8. February 2011"),
        ("dd.mm.yyyy hh:mm", 40582.25, "08.02.2011 06:00"),
        ('yyyy"年"m"月"d"日"', 40582, "2011年2月8日"),
        ('#,##0;[Red]-#,##0;"none"', 0, "none"),
        (";;;", 5, ""),
        ('foo "x', 2.5, "2.5"),
        ("yyyy-mm-dd", -5, "1899-12-25"),
    ],
)
def test_a_code_says_how_a_number_is_shown(code: str, value: float, shown: str):
    assert NumberFormats({CUSTOM: code}).shown(value, CUSTOM) == shown


def test_dates_may_count_from_1904():
    assert NumberFormats({}, since_1904=True).shown(40582 - 1462, 14) == "2011-02-08"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(5.0, "5"), (0.1 + 0.2, "0.3"), (123456789012.0, "123456789012"), (1e20, "1.00000E+20"), (0.00001, "0.00001")],
)
def test_a_number_without_a_format_is_written_plainly(value: float, shown: str):
    assert general(value) == shown


@given(st.text('0#?.,%E+-_*"\\[]dmyhsAP/@;$€ 1Rb年', max_size=14), st.floats(-1e12, 1e12))
def test_no_code_is_too_strange_for_a_number(code: str, value: float):
    assert isinstance(NumberFormats({CUSTOM: code}).shown(value, CUSTOM), str)
