"""Numbers of a workbook as its cells show them: amounts, shares, dates, times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Final

from indexer.extraction.formats.office.moment_text import EPOCH, moment_text
from indexer.extraction.formats.office.number_code import is_date, section_for
from indexer.extraction.formats.office.number_text import number_text

_DATE_1904_DAYS: Final = 1462  # between the two epochs (ECMA-376, part 1, 18.17.4.1)
_GENERAL_DIGITS: Final = 10
_EXPONENT_FROM: Final = 1e15
_EXPONENT_BELOW: Final = 1e-9
_MAX_FORMAT_CHARS: Final = 255
_CACHED: Final = 65_536
_BUILT_IN: Final = {  # ECMA-376, part 1, 18.8.30; those that follow the reader's country are written the ISO way
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    5: '"$"#,##0_);("$"#,##0)',
    6: '"$"#,##0_);("$"#,##0)',
    7: '"$"#,##0.00_);("$"#,##0.00)',
    8: '"$"#,##0.00_);("$"#,##0.00)',
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    12: "# ?/?",
    13: "# ??/??",
    14: "yyyy-mm-dd",
    15: "yyyy-mm-dd",
    16: "d-mmm",
    17: "mmm-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm",
    37: "#,##0_);(#,##0)",
    38: "#,##0_);(#,##0)",
    39: "#,##0.00_);(#,##0.00)",
    40: "#,##0.00_);(#,##0.00)",
    41: "#,##0_);(#,##0);-_)",
    42: '"$"#,##0_);("$"#,##0);"$"-_)',
    43: "#,##0.00_);(#,##0.00);-_)",
    44: '"$"#,##0.00_);("$"#,##0.00);"$"-_)',
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
    48: "##0.0E+0",
    49: "@",
    **dict.fromkeys([*range(27, 32), 36, *range(50, 55), 57, 58], "yyyy-mm-dd"),
    **dict.fromkeys([32, 33, 34, 35, 55, 56], "h:mm:ss"),
}


class NumberFormats:
    """The formats of one workbook."""

    def __init__(self, custom: Mapping[int, str], *, since_1904: bool = False) -> None:
        """`custom` holds the codes that the workbook itself defines, by their ids."""
        self._codes = _BUILT_IN | dict(custom)
        self._since_1904 = since_1904
        self._cached: Callable[[float, str], str] = lru_cache(_CACHED)(self._formatted)

    def shown(self, value: float, format_id: int) -> str:
        """The number as the format writes it; in general form where there is none, or none that makes sense."""
        return self.written(value, self._codes.get(format_id, "General"))

    def written(self, value: float, code: str) -> str:
        """The number as this code writes it, likewise."""
        if code in ("General", "@", "") or len(code) > _MAX_FORMAT_CHARS:
            return general(value)
        return self._cached(value, code)

    def _formatted(self, value: float, code: str) -> str:
        is_moment = is_date(code)
        if is_moment and self._since_1904:
            value += _DATE_1904_DAYS
        try:
            section = section_for(value, code)
            if section.is_moment:
                return moment_text(value, section.tokens).strip()
            text = number_text(abs(value), section.tokens, general)
        except (ValueError, ArithmeticError):  # a code that makes no sense, or a number beyond all calendars
            return _iso(value) if is_moment else general(value)
        return f"{'-' if value < 0 and not section.hides_sign else ''}{text.strip()}"


def general(value: float) -> str:
    """A number without a format: all digits in front of the point, ten in all if there are fewer."""
    if value == int(value) and abs(value) < _EXPONENT_FROM:
        return str(int(value))
    if not _EXPONENT_BELOW < abs(value) < _EXPONENT_FROM:
        return f"{value:.5E}"
    digits = max(_GENERAL_DIGITS, len(str(int(abs(value)))))
    return f"{Decimal(f'{value:.{digits}g}'):f}"


def _iso(value: float) -> str:
    try:
        moment = EPOCH + timedelta(days=value)
    except OverflowError:
        return general(value)
    return moment.date().isoformat() if value == int(value) else moment.isoformat(" ", "minutes")
