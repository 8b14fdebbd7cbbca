"""What a workbook says about its sheets, texts and formats."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

from indexer.extraction.container.ooxml import Package, Relation, damaged
from indexer.extraction.container.xml_stream import local, streamed
from indexer.extraction.container.xml_tree import Element, count
from indexer.extraction.formats.office.drawing_text import unescaped
from indexer.extraction.formats.office.number_formats import NumberFormats
from indexer.extraction.formats.sheets.grid import shown

_SHEET_PART: Final = re.compile(r"xl/worksheets/[^/]+\.xml", re.IGNORECASE)
_DIGITS: Final = re.compile(r"\d+")
_TRUE: Final = frozenset({"1", "true", "on"})


@dataclass(frozen=True, slots=True)
class WorkbookSheet:
    """One tab of the workbook."""

    name: str
    part: str
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class Workbook:
    """The parts that all sheets share."""

    sheets: Sequence[WorkbookSheet]
    formats: NumberFormats
    format_ids: Sequence[int]
    """By the style that a cell names."""
    texts_part: str

    @classmethod
    def of(cls, package: Package) -> Self:
        """Raises ExtractionError ("damaged", "too_large")."""
        main = package.main_part("xl/workbook.xml")
        root = package.optional_xml(main)
        relations = package.relations(main)
        sheets = _sheets(root, relations) if root is not None else []
        if not sheets:
            sheets = [
                WorkbookSheet(f"Sheet{n}", part, is_hidden=False) for n, part in enumerate(_parts(package), start=1)
            ]
        if not sheets:
            raise damaged("it holds no sheets")
        properties = root.find("workbookPr") if root is not None else None
        since_1904 = properties is not None and (properties.get("date1904") or "").lower() in _TRUE
        styles = package.optional_xml(_part(relations, "styles", "xl/styles.xml"))
        return cls(
            sheets,
            NumberFormats(_codes(styles), since_1904=since_1904),
            _format_ids(styles),
            _part(relations, "sharedStrings", "xl/sharedStrings.xml"),
        )

    def shared_texts(self, package: Package) -> list[str]:
        """The texts that cells point to, by number. Raises ExtractionError ("too_large")."""
        raw = package.read(self.texts_part) or b""
        items = streamed(raw, ["si"], part=self.texts_part, warnings=package.warnings) if raw else ()
        return [text_of(item) for item in items]

    def number(self, value: float, style: int) -> str:
        """A number as a cell of this style shows it."""
        return self.formats.shown(value, self.format_ids[style] if 0 <= style < len(self.format_ids) else 0)


def text_of(item: Element) -> str:
    """The text of a cell in one line, without the readings that stand above Japanese words."""
    parts: list[str] = []
    for child in item:
        match local(child):
            case "t":
                parts.append(child.text or "")
            case "r":
                parts += [run.text or "" for run in child if local(run) == "t"]
            case _:
                pass
    text = "".join(parts)
    return shown(unescaped(text) if "_x" in text else text)


def _sheets(root: Element, relations: Mapping[str, Relation]) -> list[WorkbookSheet]:
    found: list[WorkbookSheet] = []
    for sheet in root.iter("sheet"):
        relation = relations.get(sheet.get("r-id") or sheet.get("id") or "")
        if relation is not None and relation.kind != "dialogsheet":
            is_hidden = (sheet.get("state") or "visible") != "visible"
            found.append(WorkbookSheet(sheet.get("name") or f"Sheet{len(found) + 1}", relation.part, is_hidden))
    return found


def _parts(package: Package) -> list[str]:
    """The sheets of a workbook that has lost its list of them."""
    parts = {name for name in package.archive.namelist() if _SHEET_PART.fullmatch(name)}
    return sorted(parts, key=lambda name: [count(digits, 0) for digits in _DIGITS.findall(name)] or [0])


def _part(relations: Mapping[str, Relation], kind: str, default: str) -> str:
    return next((relation.part for relation in relations.values() if relation.kind == kind), default)


def _codes(styles: Element | None) -> dict[int, str]:
    if styles is None:
        return {}
    return {_int(code.get("numFmtId")): code.get("formatCode") or "" for code in styles.iter("numFmt")}


def _format_ids(styles: Element | None) -> list[int]:
    cells = styles.find("cellXfs") if styles is not None else None
    return [_int(style.get("numFmtId")) for style in cells.findall("xf")] if cells is not None else []


def _int(text: str | None) -> int:
    return count(text, 0)
