"""The report card and the bars: what an operator reads, in a terminal and in a pipe."""

from __future__ import annotations

import io

from rich.console import Console

from indexer.card import show_report
from indexer.console import Column, printable, show_table
from indexer.pace import Pace
from indexer.progress import LINE_SECONDS, LineProgress, watching
from indexer.report import DriveReport, Report
from rag.types import Failure

LOCKED = Failure("encrypted", "The file is protected by a password.", "Give FOOTNOTE_PASSWORDS the password.")
BROKEN = Failure("damaged", "The file is cut off.", "Copy it again.")
HOSTILE = "a\x1b[31m[bold red]b[/]\u202e\n.pdf"


def shown(report: Report, *, terminal: bool = False, width: int = 80) -> str:
    out = io.StringIO()
    show_report(Console(file=out, force_terminal=terminal, width=width, color_system=None), report)
    return out.getvalue()


def a_report(**fields: object) -> Report:
    drive = DriveReport("handbook", **fields)  # pyright: ignore[reportArgumentType]  # by name, as each test wants
    return Report(7, True, False, [drive], 61.0)


def test_everything_that_happened_is_on_the_card() -> None:
    text = shown(
        a_report(
            new=3,
            changed=2,
            gone=1,
            unchanged=1200,
            moved=[("old/a.pdf", "new/a.pdf")],
            failed=[("b.pdf", BROKEN)],
            still_failed=[("c.pdf", LOCKED)],
            warned=[("d.pdf", "Only the first 3 pages were read.")],
            textless=[("e.pdf", 4)],
            duplicates=[("f.pdf", "g/f.pdf")],
            unreadable_folders=["HR"],
            pages=120,
            pages_by_ocr=11,
            pages_without_text=4,
            chunks=600,
            seconds=60.0,
        )
    )
    words = " ".join(text.split())
    for part in (
        "new 3",
        "changed 2",
        "moved 1",
        "gone 1",
        "unchanged 1,200",
        "failed 1",
        "still unreadable 1 from earlier runs",
        "pages read 120",
        "pages read by OCR 11",
        "pages without text 4",
        "files that lie there more than once 1",
        "folders that could not be listed 1",
        "time 1 min 00 s 2.0 pages/s, 10.0 chunks/s",
        "old/a.pdf → new/a.pdf",
        "b.pdf The file is cut off. Copy it again.",
        "c.pdf The file is protected by a password.",
        "d.pdf: Only the first 3 pages were read.",
        "e.pdf: 4",
        "f.pdf = g/f.pdf",
        "Generation 7 now serves. 1 min 01 s in all.",
    ):
        assert part in words


def test_a_reason_that_many_files_share_is_said_once() -> None:
    text = shown(a_report(failed=[(f"{number}.pdf", LOCKED) for number in range(40)] + [("b.pdf", BROKEN)]))
    assert text.count("protected by a password") == 1 and "40 files: 0.pdf, 1.pdf, 2.pdf …" in text
    assert text.count("cut off") == 1 and "Not read (41)" in text


def test_in_a_pipe_no_line_is_cut_and_in_a_terminal_none_is_wider_than_it() -> None:
    long = "/".join(["a folder with a long name"] * 10) + ".pdf"
    report = a_report(failed=[(long, BROKEN)])
    assert f"{long}  The file is cut off.  Copy it again.\n" in shown(report)
    in_terminal = shown(report, terminal=True, width=60).splitlines()
    table = [line for line in in_terminal if "│" in line]
    assert table and max(map(len, table)) <= 60
    assert "longname" in "".join(table).replace("│", "").replace(" ", "")


def test_a_hostile_name_reaches_no_terminal() -> None:
    report = a_report(
        failed=[(HOSTILE, BROKEN)],
        warned=[(HOSTILE, HOSTILE)],
        moved=[(HOSTILE, HOSTILE)],
        textless=[(HOSTILE, 1)],
        duplicates=[(HOSTILE, HOSTILE)],
        unreadable_folders=[HOSTILE],
    )
    for terminal in (False, True):
        text = shown(report, terminal=terminal, width=200)
        assert "\x1b" not in text and "\u202e" not in text
        assert text.count("[bold red]") == 9  # as it is: no markup


def test_what_is_printable_is_left_as_it_is() -> None:
    assert printable("Übersicht 表 [x].pdf") == "Übersicht 表 [x].pdf"
    assert printable("a\tb\udce9") == r"a\tb\udce9"


def test_wide_characters_take_two_columns_in_a_plain_table() -> None:
    out = io.StringIO()
    show_table(Console(file=out), "", (Column("file"), Column("n", number=True)), [("表.pdf", "1"), ("ab.pdf", "22")])
    assert out.getvalue().splitlines() == ["file     n", "表.pdf   1", "ab.pdf  22"]


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_time_left_is_told_by_bytes_and_chunks_not_by_files() -> None:
    clock = Clock()
    pace = Pace({"small": 1_000, "large": 99_000}, clock=clock)
    assert pace.seconds_left is None
    clock.now = 10.0
    pace.read("small", 1, 10)
    assert (pace.chunks_expected, pace.seconds_left) == (1000, None)
    pace.chunks_embedded += 10
    assert pace.seconds_left == 990.0  # one hundredth is done
    pace.read("large", 50, 490)
    assert (pace.chunks_expected, pace.is_read) == (500, True)
    assert pace.seconds_left == 490.0
    pace.chunks_embedded += 490
    assert pace.seconds_left == 0.0


def test_a_terminal_gets_a_bar_of_files_and_one_of_chunks() -> None:
    out = io.StringIO()
    with watching(Console(file=out, force_terminal=True, width=140, color_system=None)) as progress:
        progress.planned("handbook", {"a": 500, "b": 500})
        progress.read("a", 4, 20)
        progress.embedded(20)
        progress.stored("a")
        progress.read("b", 4, 30)
        progress.embedded(30)
        progress.stored("b")
    drawn = out.getvalue().splitlines()
    reading = [line for line in drawn if "handbook: reading" in line]
    embedding = [line for line in drawn if "handbook: embedding" in line]
    assert "2/2 files" in reading[-1]
    assert "50/50 chunks embedded" in embedding[-1] and "0.0 s left" in embedding[-1]


def test_a_log_gets_a_line_now_and_then() -> None:
    clock, out = Clock(), io.StringIO()
    progress = LineProgress(Console(file=out), clock=clock)
    progress.planned("handbook", {"a": 500, "b": 500})
    progress.read("a", 4, 20)
    assert not out.getvalue()
    clock.now = LINE_SECONDS
    progress.embedded(10)
    assert out.getvalue() == (
        "handbook: 1/2 files read (0.4 pages/s), 10/about 40 chunks embedded (1.0 chunks/s), 30.0 s left\n"
    )
    progress.embedded(10)
    assert out.getvalue().count("\n") == 1
