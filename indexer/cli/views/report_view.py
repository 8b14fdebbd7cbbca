"""The report card of a run, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console

from indexer.cli.views.console import Column, duration, say, show_failures, show_table
from indexer.pipeline.report import DriveReport, Report

LINES_SHOWN: Final = 20
"""Of each list; --json has all."""


def show_report(console: Console, report: Report) -> None:
    """What became of each drive, and which generation serves now."""
    if report.resumed:
        say(console, "An earlier run had been interrupted; this one went on from there.")
    for drive in report.drives:
        show_table(console, f"Corpus {drive.corpus}", (Column(""), Column("", number=True), Column("")), _counts(drive))
        show_failures(console, "Not read", drive.failed)
        show_failures(console, "Still not read, and unchanged", drive.still_failed)
        _show_lists(console, drive)
    state = "now serves" if report.is_new_generation else "still serves: nothing has changed"
    say(console, f"Generation {report.generation} {state}. {duration(report.seconds)} in all.")


def _counts(drive: DriveReport) -> list[tuple[str, str, str]]:
    counts = {
        "new": drive.new,
        "changed": drive.changed,
        "moved": len(drive.moved),
        "gone": drive.gone,
        "same bytes, new date": drive.touched,
        "other labels than before": drive.relabelled,
        "unchanged": drive.unchanged,
        "failed": len(drive.failed),
        "kept as indexed before": drive.kept,
        "still unreadable": len(drive.still_failed),
        "still being written": len(drive.put_off),
        "files without text": drive.empty,
        "pages read": drive.pages,
        "pages read by OCR": drive.pages_by_ocr,
        "pages without text": drive.pages_without_text,
        "chunks made": drive.chunks,
        "chunks that kept their vectors": drive.vectors_kept,
        "copies of another file": sum(len(paths) - 1 for paths in drive.duplicates),
        "links and special files skipped": drive.skipped,
        "folders that could not be listed": len(drive.unreadable_folders),
    }
    remarks = {"still unreadable": "from earlier runs"}
    always = {"new", "changed", "moved", "gone", "unchanged", "failed"}
    rows = [(name, f"{count:,}", remarks.get(name, "")) for name, count in counts.items() if count or name in always]
    if drive.seconds and (drive.pages or drive.chunks):
        rates = f"{drive.pages / drive.seconds:.1f} pages/s, {drive.chunks / drive.seconds:.1f} chunks/s"
        rows.append(("time", duration(drive.seconds), rates))
    return rows


def _show_lists(console: Console, drive: DriveReport) -> None:
    lists = {
        "Left out; what is indexed of it stays": [drive.left_out] if drive.left_out else [],
        "Moved": [f"{before} → {now}" for before, now in drive.moved],
        "Pages without text": [f"{uri}: {pages:,}" for uri, pages in drive.textless],
        "Warnings": [f"{uri}: {message}" for uri, message in drive.warned],
        "The same file under several paths": [" = ".join(paths) for paths in drive.duplicates],
        "Still being written, to be read at the next run": drive.put_off,
        "Could not be listed; what is known of the files there still holds": drive.unreadable_folders,
    }
    for title, lines in lists.items():
        _show_list(console, title, lines)


def _show_list(console: Console, title: str, lines: Sequence[str]) -> None:
    if not lines:
        return
    say(console, f"{title} ({len(lines):,})", style="bold")
    for line in lines[:LINES_SHOWN]:
        say(console, f"  {line}")
    if len(lines) > LINES_SHOWN:
        say(console, f"  … and {len(lines) - LINES_SHOWN:,} more: --json names them all.")
