"""Numbers of a workbook as its cells show them: amounts, shares, dates, times."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Final, Protocol, cast

_DATE_1904_DAYS: Final = 1462  # between the two epochs (ECMA-376, part 1, 18.17.4.1)
_EPOCH: Final = datetime(1899, 12, 30)  # noqa: DTZ001  # cells know no time zone
_GENERAL_DIGITS: Final = 10
_EXPONENT_FROM: Final = 1e15
_EXPONENT_BELOW: Final = 1e-9
_MAX_FORMAT_CHARS: Final = 255
_CACHED: Final = 65_536
_NOT_A_DATE: Final = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]hms]*\]|General|E[+-]', re.IGNORECASE)
_DATE: Final = re.compile(r"[dmyhs]|\[[hms]+\]", re.IGNORECASE)
_DOT_IN_DATE: Final = re.compile(r"(?<=[dmy年月日])\.", re.IGNORECASE)
_OVERFLOW: Final = re.compile(r"#+")
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


class _Formatter(Protocol):
    """What we use of SSF, which carries no types."""

    def format(self, fmt: str, value: float) -> str: ...


class NumberFormats:
    """The formats of one workbook."""

    def __init__(self, custom: Mapping[int, str], *, since_1904: bool = False) -> None:
        """`custom` holds the codes that the workbook itself defines, by their ids."""
        from ssf import SSF  # noqa: PLC0415  # builds its tables: for the processes that read workbooks

        self._codes = _BUILT_IN | dict(custom)
        self._since_1904 = since_1904
        self._formatter = cast(
            "_Formatter",
            SSF(locale="en-US", locale_support=False, decimal_separator=".", thousands_separator=",", errors="raise"),
        )
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
        if is_moment:
            value += _DATE_1904_DAYS if self._since_1904 else 0
            code = _DOT_IN_DATE.sub(r"\.", code)
        try:
            text = self._formatter.format(code, value).strip()
        except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError):
            text = "#"  # a code that the library does not know: the number stands as it is
        if _OVERFLOW.fullmatch(text):
            return _iso(value) if is_moment else general(value)
        return text


def general(value: float) -> str:
    """A number without a format: all digits in front of the point, ten in all if there are fewer."""
    if value == int(value) and abs(value) < _EXPONENT_FROM:
        return str(int(value))
    if not _EXPONENT_BELOW < abs(value) < _EXPONENT_FROM:
        return f"{value:.5E}"
    digits = max(_GENERAL_DIGITS, len(str(int(abs(value)))))
    return f"{Decimal(f'{value:.{digits}g}'):f}"


def is_date(code: str) -> bool:
    """Whether a format writes days and hours."""
    return _DATE.search(_NOT_A_DATE.sub("", code)) is not None


def _iso(value: float) -> str:
    try:
        moment = _EPOCH + timedelta(days=value)
    except OverflowError:
        return general(value)
    return moment.date().isoformat() if value == int(value) else moment.isoformat(" ", "minutes")
