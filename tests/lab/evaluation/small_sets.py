"""Sets of questions small enough to be read at a glance, about an invented company."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pymupdf

PAGES: Mapping[str, Sequence[str]] = {
    "Handbook.pdf": (
        "Vacation. Every employee of Bellweather Looms has twenty eight days of paid vacation a year.",
        "Parking. Bicycles are parked in the yard behind the weaving hall. Cars are parked on Mill Street.",
        "Sick leave. A doctor's note is needed from the third day of sick leave on.",
    ),
    "Prices.pdf": (
        "Price list. The hand loom BL-220 costs 1,480 euros, delivery included.",
        "Spare parts. A shuttle for the hand loom costs 35 euros.",
    ),
}

ASKED: Sequence[Mapping[str, Any]] = (
    {"id": "q1", "question": "How many days of vacation do we have?", "gold_file": "Handbook.pdf", "gold_pages": [1]},
    {"id": "q2", "question": "Where are bicycles parked?", "gold_file": "Handbook.pdf", "gold_pages": [2]},
    {
        "id": "q3",
        "question": "What does the BL-220 cost?",
        "gold_files": ["Prices.pdf"],
        "gold_pages": [["Prices.pdf", 1]],
    },
    {
        "id": "q4",
        "question": "Is there a canteen?",
        "gold_file": "Handbook.pdf",
        "gold_pages": [3],
        "verification": "unverified",
    },
    {
        "id": "q5",
        "question": "Wo werden Fahrräder abgestellt?",
        "gold_file": "Handbook.pdf",
        "gold_pages": [2],
        "cross_language": True,
    },
)

UNANSWERED: Sequence[Mapping[str, Any]] = (
    {"id": "u1", "question": "Which submarine does the admiral command?"},
    {"id": "u2", "question": "Quel est le prix du champagne ?"},
)


def write_lines(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """One object a line; the folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def write_pdf(path: Path, pages: Sequence[str]) -> None:
    """One text a page."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with pymupdf.open() as document:
        for text in pages:
            document.new_page().insert_textbox((72, 72, 520, 400), text)
        document.save(path)


def page_set(folder: Path) -> Path:
    """Two PDFs, three questions that are scored, one in another language, one unverified, two that nothing answers."""
    for name, pages in PAGES.items():
        write_pdf(folder / "pdfs" / name, pages)
    write_lines(folder / "questions.jsonl", ASKED)
    write_lines(folder / "unanswerable.jsonl", UNANSWERED)
    return folder


def beir_set(folder: Path) -> Path:
    """Four documents, two queries; one id that no file may bear as it is."""
    write_lines(
        folder / "corpus.jsonl",
        [
            {"_id": "../looms", "title": "Looms", "text": "A loom weaves cloth from threads."},
            {"_id": "dye", "title": "Dyeing", "text": "Indigo dyes cotton blue."},
            {"_id": "sheep", "title": "", "text": "Sheep are shorn in spring for their wool."},
            {"_id": "nothing", "title": "", "text": ""},
        ],
    )
    write_lines(
        folder / "queries.jsonl",
        [
            {"_id": "1", "text": "what weaves cloth"},
            {"_id": "2", "text": "when are sheep shorn"},
            {"_id": "3", "text": "a query of another split"},
        ],
    )
    (folder / "qrels").mkdir()
    (folder / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\n1\t../looms\t2\n1\tdye\t0\n2\tsheep\t1\n", encoding="utf-8"
    )
    return folder
