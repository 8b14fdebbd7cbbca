"""What `status` shows: readable in a narrow terminal, and whole in a pipe."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, datetime

from rich.console import Console

from indexer.cli.views.status_view import show_status
from indexer.operations.status import Status
from rag.store.manifests import words_difference
from rag.types.documents import DocumentRecord
from rag.types.index import CorpusInfo, Manifest
from tests.documents import a_document, a_record

WHEN = datetime(2026, 3, 4, 15, 6, tzinfo=UTC)
LONG = "/".join(["a folder with a long name"] * 5) + "/Annual report.pdf"
REMARK = "Only the first 3,000 pages were read: split the file into several and put them beside one another."


def shown(
    *records: DocumentRecord, terminal: bool = True, width: int = 80, with_files: bool = False, warning: str = ""
) -> str:
    corpora = {
        name: CorpusInfo(name, f"/mnt/{name}", documents=1_234, chunks=98_765, indexed_at=WHEN)
        for name in ("handbook", "engineering")
    }
    manifest = Manifest(7, "MiniLM+bm25", 384, "markdown", 1, WHEN, corpora)
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=width, color_system=None)
    show_status(console, Status(manifest, records, "onnxruntime", warning), with_files=with_files)
    return out.getvalue()


def test_in_a_narrow_terminal_each_corpus_is_a_list_and_no_word_is_broken() -> None:
    lines = [" ".join(line.split()) for line in shown().splitlines()]
    start = lines.index("corpus handbook")
    assert lines[start + 1] == "documents 1,234"
    assert {"chunks 98,765", "pages without text 0", "indexed (UTC) 2026-03-04 15:06"} <= set(lines[start:])
    assert "corpus engineering" in lines


def test_what_runs_the_model_is_told() -> None:
    assert "Backend    onnxruntime" in shown()


def test_an_index_whose_words_were_split_in_another_way_is_warned_of() -> None:
    assert "Warning" not in shown()
    warning = words_difference("MiniLM + bm25/1", "bm25/2")
    told = shown(warning=warning, terminal=False)
    assert f"Warning    {warning}" in told and "`python -m indexer reindex`, then restart the bot" in told


def test_in_a_wide_terminal_the_corpora_are_a_table() -> None:
    [line] = [line for line in shown(width=160).splitlines() if "│ handbook" in line]
    assert "1,234" in line and "2026-03-04 15:06" in line


def test_a_path_stands_whole_on_its_line_and_what_is_to_be_said_of_it_beneath() -> None:
    record = replace(a_record(a_document(LONG, kind="pdf"), chunks=2), warnings=(REMARK,), pages_without_text=1)
    lines = shown(record, with_files=True).splitlines()
    [place] = [number for number, line in enumerate(lines) if line.endswith(f"drive/{LONG}")]
    assert lines[place].split()[:4] == ["1", "2", "ready", "pdf"]
    beneath = lines[place + 1 :]
    assert " ".join(" ".join(beneath).split()) == f"1 page without text. {REMARK}"
    assert all(line.startswith("     ") and len(line) <= 80 for line in beneath)


def test_in_a_pipe_a_file_is_one_line_with_its_remarks() -> None:
    record = replace(a_record(a_document(LONG)), warnings=(REMARK,))
    [line] = [line for line in shown(record, terminal=False, with_files=True).splitlines() if LONG in line]
    assert line.endswith(REMARK)
