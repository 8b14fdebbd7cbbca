"""Whether the right page is among an answer's sources, and whether what cannot be answered is declined.

Each question goes through `python -m bot ask --json`, as an operator would ask it. The index must be there already.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.processes import ROOT, run_program


async def measure(
    questions: Sequence[Mapping[str, Any]], data_dir: Path, *, kinds: frozenset[str]
) -> list[dict[str, Any]]:
    """One row a question: outcome, and whether gold file and page were cited."""
    rows: list[dict[str, Any]] = []
    for question in questions:
        gold = question["gold_file"]
        if kinds and gold and Path(gold).suffix.lower().lstrip(".") not in kinds:
            continue
        if question["kind"] == "follow-up":
            continue  # it has no meaning outside its thread
        _, out, err = await run_program(
            "bot", "ask", question["question"], "--json", folder=ROOT, FOOTNOTE_DATA_DIR=str(data_dir)
        )
        if not out:
            raise RuntimeError(err)
        answer = json.loads(out)
        pages = [citation["page"] for citation in answer["citations"] if citation["path"] == gold]
        cited = bool(pages) and (not question["gold_pages"] or not set(pages).isdisjoint(question["gold_pages"]))
        rows.append({"id": question["id"], "kind": question["kind"], "outcome": answer["outcome"], "cited": cited})
        print(f"{question['id']} {question['kind']}: {answer['outcome']}, cited: {cited}", file=sys.stderr)
    return rows


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Counts and shares."""
    answerable = [row for row in rows if row["kind"] != "unanswerable"]
    unanswerable = [row for row in rows if row["kind"] == "unanswerable"]
    cited = sum(row["cited"] for row in answerable)
    declined = sum(row["outcome"] == "declined" for row in unanswerable)
    return {
        "answerable": len(answerable),
        "gold_page_among_sources": cited,
        "share": round(cited / len(answerable), 3) if answerable else None,
        "answerable_but_declined": sum(row["outcome"] == "declined" for row in answerable),
        "unanswerable": len(unanswerable),
        "declined": declined,
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("questions", type=Path, help="JSON lines: id, question, kind, gold_file, gold_pages")
    parser.add_argument("--data-dir", type=Path, required=True, help="the data folder that holds the index")
    parser.add_argument("--kinds", default="", help="only questions on files with these endings: pdf,md,txt,html,docx")
    arguments = parser.parse_args()
    kinds = frozenset(filter(None, arguments.kinds.split(",")))
    questions = [json.loads(line) for line in arguments.questions.read_text(encoding="utf-8").splitlines()]
    rows = asyncio.run(measure(questions, arguments.data_dir.absolute(), kinds=kinds))
    print(json.dumps(summary(rows), indent=2))


if __name__ == "__main__":
    main()
