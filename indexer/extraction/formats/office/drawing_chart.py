"""A chart of an Office file: its titles, and its numbers as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from indexer.extraction.container.xml_tree import Element, count
from indexer.extraction.formats.office.drawing_text import plain
from indexer.extraction.formats.office.number_code import is_date
from indexer.extraction.formats.office.number_formats import NumberFormats
from indexer.extraction.markdown.pipe_table import pipe_table

_MOST_POINTS: Final = 1000
"""Of a series. A curve of more points is looked at, not read."""
_LONGEST_NUMBER: Final = 12
"""Digits beyond that are what binary fractions leave behind."""


def chart_blocks(root: Element, warnings: list[str]) -> list[str]:
    """Title, titles of the axes, and a table of categories and series, as blocks of Markdown."""
    titles = list(dict.fromkeys(filter(None, (_words(title) for title in root.iter("title")))))
    series = [*root.iter("ser")]
    names = [_name(one) for one in series]
    formats = NumberFormats({}, since_1904=_counts_from_1904(root))
    values = [_points(_first(one, "val", "yVal"), formats) for one in series]
    categories: dict[int, str] = {}
    for one in series:
        categories.update(_points(_first(one, "cat", "xVal"), formats))
    places = sorted(categories.keys() | {at for points in values for at in points})
    longest = max((_length(_first(one, "val", "yVal")) for one in series), default=0)
    if (left_out := max(longest, len(places)) - _MOST_POINTS) > 0:
        warnings.append(f"Of a chart, only the first {_MOST_POINTS:,} points were read, {left_out:,} were left out.")
    rows = [[categories.get(at, ""), *(points.get(at, "") for points in values)] for at in places[:_MOST_POINTS]]
    table = pipe_table([["", *names], *rows]) if series else _extended(root)
    labels = [plain(rich) for label in root.iter("dLbl") for rich in label.iter("rich")]
    return list(filter(None, [" · ".join(titles), table, " · ".join(filter(None, labels))]))


def _words(element: Element) -> str:
    """What a title or a name says: written in the chart, or taken over from cells."""
    rich = next(iter([*element.iter("rich"), *element.iter("txData")]), None)
    if rich is not None and (text := plain(rich)):
        return text
    return " ".join(value.text.strip() for value in element.iter("v") if value.text and value.text.strip())


def _name(series: Element) -> str:
    name = series.find("tx")
    return _words(name) if name is not None else ""


def _first(series: Element, *names: str) -> Element | None:
    return next((found for name in names if (found := series.find(name)) is not None), None)


def _counts_from_1904(root: Element) -> bool:
    found = next(root.iter("date1904"), None)
    return found is not None and found.get("val") not in {"0", "false"}


def _points(values: Element | None, formats: NumberFormats) -> Mapping[int, str]:
    """The values by their place; categories of several levels are put together, the outer first."""
    if values is None:
        return {}
    levels = [*values.iter("lvl")]
    if not levels:
        code = next((found.text for found in values.iter("formatCode")), None)
        return _values(values.iter("pt"), formats, code or "")
    inner, *outer = [_values(level.iter("pt"), formats, "") for level in levels]
    return {at: " ".join([*(_covering(level, at) for level in reversed(outer)), text]) for at, text in inner.items()}


def _length(values: Element | None) -> int:
    return sum(1 for _ in values.iter("pt")) if values is not None else 0


def _covering(level: Mapping[int, str], at: int) -> str:
    """An outer category stands at the first of the inner ones that it covers."""
    return next((level[place] for place in sorted(level, reverse=True) if place <= at), "")


def _values(points: Iterable[Element], formats: NumberFormats, code: str) -> dict[int, str]:
    found: dict[int, str] = {}
    for point in points:
        index, value = count(point.get("idx"), -1), point.find("v")
        if index >= 0 and value is not None and value.text and len(found) < _MOST_POINTS:
            found[index] = _shown(value.text.strip(), formats, point.get("formatCode") or code)
    return found


def _shown(value: str, formats: NumberFormats, code: str) -> str:
    """Dates and shares as the chart writes them; of other numbers, all digits but those of their binary form."""
    is_formatted = "%" in code or is_date(code)
    if len(value) <= _LONGEST_NUMBER and not is_formatted:
        return value
    try:
        number = float(value)
        return formats.written(number, code) if is_formatted else f"{number:.{_LONGEST_NUMBER}g}"
    except (ValueError, OverflowError):
        return value


def _extended(root: Element) -> str:
    """The newer charts (waterfall, tree map …) keep series and data apart: their words, each once."""
    words = dict.fromkeys((word.text or "").strip() for word in root.iter("pt", "v"))
    return " · ".join(filter(None, words))
