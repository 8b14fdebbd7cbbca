"""The demo drive as a test sees it: built by the script itself, read page by page."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import openpyxl
import pymupdf
from bs4 import BeautifulSoup
from docx import Document
from docx.table import Table
from openpyxl.worksheet.worksheet import Worksheet
from pydantic import BaseModel, ConfigDict, TypeAdapter

DEMO: Final = Path(__file__).parents[2] / "demo"


class Question(BaseModel):
    """A line of questions.jsonl."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    question: str
    answer: str | None
    gold_file: str | None
    gold_pages: tuple[int, ...] | None
    lang: str
    kind: str
    evidence: str | None
    after: str | None = None
    absent: str | None = None


class Stop(BaseModel):
    """A question of the tour."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    title: str
    question: str
    after: str | None = None
    outcome: str
    gold_file: str | None
    gold_page: int | None
    printed_label: str | None
    evidence: str | None


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page as read; a format without pages has one."""

    text: str
    """White space collapsed."""
    label: str = ""


def build(target: Path) -> str:
    """Runs the script as a reader of the README would, and gives what it printed."""
    command = [sys.executable, "-m", "demo.build", str(target)]
    finished = subprocess.run(command, cwd=DEMO.parent, check=True, capture_output=True, text=True)  # noqa: S603  # our own script
    return finished.stdout


def files_of(drive: Path) -> list[str]:
    """All files of a drive, relative to it and sorted."""
    return sorted(path.relative_to(drive).as_posix() for path in drive.rglob("*") if path.is_file())


def read_pages(path: Path) -> tuple[ReadPage, ...]:
    """The pages of a file, in order."""
    match path.suffix:
        case ".pdf":
            with pymupdf.open(path) as document:
                return tuple(ReadPage(_collapsed(page.get_text()), page.get_label()) for page in document.pages())
        case ".docx":
            return (ReadPage(_collapsed(_word_text(path))),)
        case ".xlsx":
            sheets = openpyxl.load_workbook(path).worksheets
            return tuple(ReadPage(_collapsed(_sheet_text(sheet)), sheet.title) for sheet in sheets)
        case ".html":
            return (ReadPage(_collapsed(BeautifulSoup(path.read_bytes(), "lxml").get_text(" "))),)
        case _:
            return (ReadPage(_collapsed(path.read_text(encoding="utf-8"))),)


def read_questions() -> tuple[Question, ...]:
    """The questions, in the order of the file."""
    lines = (DEMO / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(map(Question.model_validate_json, lines))


def read_tour() -> Sequence[Stop]:
    """The tour, in order."""
    return TypeAdapter(tuple[Stop, ...]).validate_json((DEMO / "tour.json").read_bytes())


def _word_text(path: Path) -> str:
    lines: list[str] = []
    for block in Document(str(path)).iter_inner_content():
        if isinstance(block, Table):
            lines.extend(cell.text for row in block.rows for cell in row.cells)
        else:
            lines.append(block.text)
    return "\n".join(lines)


def _sheet_text(sheet: Worksheet) -> str:
    return "\n".join(str(cell.value) for row in sheet.iter_rows() for cell in row)


def _collapsed(text: str) -> str:
    return " ".join(text.split())
