"""The report card and the bars: what an operator reads, in a terminal and in a pipe."""

from __future__ import annotations

import io

from rich.console import Console

from indexer.cli.views.console import Column, say_beside, show_table
from indexer.cli.views.progress import LINE_SECONDS, LineProgress, open_progress
from indexer.cli.views.report_view import show_report
from indexer.cli.views.throughput import Throughput
from indexer.pipeline.report import DriveReport, Report
from indexer.pipeline.stages import EMBEDDING_CHUNKS
from indexer.units import counted
from rag.program import printable
from rag.types.documents import Failure

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
            duplicates=[("f.pdf", "g/f.pdf", "h/f.pdf")],
            empty=2,
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
        "copies of another file 2",
        "folders that could not be listed 1",
        "time 1 min 00 s 2.0 pages/s, 10.0 chunks/s",
        "old/a.pdf → new/a.pdf",
        "b.pdf The file is cut off. Copy it again.",
        "c.pdf The file is protected by a password.",
        "d.pdf: Only the first 3 pages were read.",
        "e.pdf: 4",
        "f.pdf = g/f.pdf = h/f.pdf",
        "files without text 2",
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


def test_a_long_text_is_folded_beside_its_label_in_a_terminal_and_whole_in_a_pipe() -> None:
    for terminal in (True, False):
        out = io.StringIO()
        console = Console(file=out, force_terminal=terminal, width=30, color_system=None)
        say_beside(console, "ok", "a text of many words " * 5, width=8)
        lines = out.getvalue().splitlines()
        assert lines[0].startswith("ok       a text of many") and (len(lines) > 1) is terminal
        assert all(line.startswith(" " * 9 + "a") or line[9].isalpha() for line in lines[1:])
        assert all(len(line) <= 30 for line in lines) is terminal


def test_one_of_a_thing_is_not_called_many() -> None:
    assert [counted(number, "page") for number in (0, 1, 1_200)] == ["0 pages", "1 page", "1,200 pages"]
    assert counted(2, "copy", "copies") == "2 copies"


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_time_left_is_told_by_bytes_and_chunks_not_by_files() -> None:
    clock = Clock()
    throughput = Throughput({"small": 1_000, "large": 99_000}, clock=clock)
    assert throughput.seconds_left is None
    clock.now = 10.0
    throughput.read("small", 1, 100)
    assert (throughput.chunks_expected, throughput.seconds_left) == (10_000, None)
    throughput.chunks_embedded += 100
    assert throughput.seconds_left == 990.0  # one hundredth is done
    throughput.read("large", 50, 4_900)
    assert (throughput.chunks_expected, throughput.is_read) == (5_000, True)
    assert throughput.seconds_left == 490.0
    throughput.chunks_embedded += 4_900
    assert throughput.seconds_left == 0.0


def test_before_a_whole_batch_was_embedded_nobody_knows_how_long_it_takes() -> None:
    clock = Clock()
    throughput = Throughput({"a": 1_000, "b": 1_000}, clock=clock)
    clock.now = 10.0
    throughput.read("a", 1, 1_000)
    throughput.chunks_embedded += EMBEDDING_CHUNKS - 1
    assert throughput.seconds_left is None
    throughput.chunks_embedded += 1
    assert throughput.seconds_left is not None


def test_how_fast_pages_are_read_does_not_shrink_while_what_was_read_is_embedded() -> None:
    clock = Clock()
    throughput = Throughput({"a": 1_000}, clock=clock)
    clock.now = 10.0
    throughput.read("a", 50, 100)
    clock.now = 500.0
    throughput.chunks_embedded += 100
    assert (throughput.pages_per_second, throughput.chunks_per_second) == (5.0, 0.2)


def test_a_terminal_gets_a_bar_of_files_and_one_of_chunks() -> None:
    out = io.StringIO()
    with open_progress(Console(file=out, force_terminal=True, width=140, color_system=None)) as progress:
        progress.planned("handbook", {"a": 500, "b": 500})
        progress.read("a", 4, 20)
        progress.embedded(20)
        progress.read("b", 4, 30)
        progress.embedded(30)
    drawn = out.getvalue().splitlines()
    reading = [line for line in drawn if "handbook: reading" in line]
    embedding = [line for line in drawn if "handbook: embedding" in line]
    assert "2/2 files" in reading[-1]
    assert "50/50 chunks embedded" in embedding[-1] and "0.0 s left" in embedding[-1]


def test_a_log_gets_a_line_now_and_then() -> None:
    clock, out = Clock(), io.StringIO()
    progress = LineProgress(Console(file=out), clock=clock)
    progress.planned("handbook", {"a": 500, "b": 500})
    clock.now = LINE_SECONDS / 2
    progress.read("a", 4, 200)
    assert not out.getvalue()
    clock.now = LINE_SECONDS
    progress.embedded(100)
    assert out.getvalue() == (
        "handbook: 1/2 files read (0.8 pages/s), 100/about 400 chunks embedded (10.0 chunks/s), 30.0 s left\n"
    )
    progress.embedded(10)
    assert out.getvalue().count("\n") == 1
