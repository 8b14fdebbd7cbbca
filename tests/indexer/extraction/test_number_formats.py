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
        ("0.0%", 0.1785, "17.9%"),  # a half as it is written, not as a binary fraction has it
        ("0.00", 1.005, "1.01"),
        (".00", 0.5, ".50"),
        ('0.0,,"M"', 12_345_678, "12.3M"),
        ("#,##0,", 1_234_567, "1,235"),
        ("000-00-0000", 123_456_789, "123-45-6789"),
        ("(###) ###-####", 5_551_234_567, "(555) 123-4567"),
        ("[<=9999999]###-####;(###) ###-####", 5_551_234, "555-1234"),
        ('[>=1000]0.0,"k";0', 1500, "1.5k"),
        ("#,##0_);(#,##0)", -1234, "(1,234)"),
        ("0.00", -1.5, "-1.50"),
        ("0;@", 5, "5"),
        ('General" pieces"', 12, "12 pieces"),
        ("0 kg", 5, "5 kg"),
        ("##0.0E+0", 12345, "12.3E+3"),
        ("0.00E+00", 9.999, "1.00E+01"),
        ("0.0E-0", 0.002, "2.0E-3"),
        ("# ??/16", 0.25, "4/16"),
        ("# ?/?", 3, "3"),
        ("# ?/?", -0.5, "-1/2"),
        ("?/?", 1.5, "3/2"),
        ("[mm]:ss", 0.05, "72:00"),
        ("mm:ss.0", 0.000_75, "01:04.8"),
        ("h:mm AM/PM", 0.75, "6:00 PM"),
        ("h:mm", 7 / 24, "7:00"),
        ("[$-F800]dddd, mmmm dd, yyyy", 40582, "Tuesday, February 08, 2011"),
        ("yyyy-mm-dd", 40582.999_995, "2011-02-08"),
        ("yyyy-mm-dd", 60, "1900-02-29"),  # the day that Excel invented
        ("TT.MM.JJJJ", 40582, "2011-02-08"),
        ("yyyy-mm-dd", 3_000_000, "3000000"),  # later than the last year
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
