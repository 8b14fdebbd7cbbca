"""When a file is whole, by clocks that a test sets and by a writer that is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from indexer.drives.base import DriveFile
from indexer.drives.file_stability import OPEN_SECONDS, FileStability, is_open_for_writing

NOW = 1_800_000_000.0


class Clock:
    """This machine's clocks; the one of the file's server may go wrong."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def wall(self) -> float:
        return NOW + self.seconds

    def monotonic(self) -> float:
        return self.seconds


def a_file(*, size: int = 10, mtime: float = NOW - 1000, ctime: float = NOW - 1000) -> DriveFile:
    return DriveFile(Path("/srv/a.pdf"), "a.pdf", size, round(mtime * 1e9), round(ctime * 1e9))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def stability(clock: Clock) -> FileStability:
    return FileStability(5, wall=clock.wall, monotonic=clock.monotonic)


def test_a_file_that_has_been_left_alone_is_whole_at_first_sight(stability: FileStability) -> None:
    assert stability.is_whole(a_file())


@pytest.mark.parametrize("recent", [a_file(mtime=NOW), a_file(ctime=NOW), a_file(mtime=NOW + 10**6)])
def test_a_file_that_changed_just_now_is_whole_when_it_has_looked_the_same_for_long_enough(
    stability: FileStability, clock: Clock, recent: DriveFile
) -> None:
    assert not stability.is_whole(recent)
    clock.seconds = 4
    assert not stability.is_whole(recent)
    clock.seconds = 5
    assert stability.is_whole(recent)


def test_each_change_makes_the_wait_begin_anew(stability: FileStability, clock: Clock) -> None:
    for second in range(20):
        clock.seconds = second
        assert not stability.is_whole(a_file(size=second, mtime=NOW + second))
    stability.forget_all_but({"a.pdf"})
    clock.seconds = 23
    assert not stability.is_whole(a_file(size=19, mtime=NOW + 19))
    clock.seconds = 24
    assert stability.is_whole(a_file(size=19, mtime=NOW + 19))


def test_a_file_that_somebody_holds_open_is_waited_for_but_not_for_ever(clock: Clock) -> None:
    stability = FileStability(5, lambda path: True, clock.wall, clock.monotonic)
    assert not stability.is_whole(a_file())
    clock.seconds = OPEN_SECONDS - 1
    assert not stability.is_whole(a_file())
    clock.seconds = OPEN_SECONDS
    assert stability.is_whole(a_file())


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell")
def test_a_writer_in_another_process_is_seen_and_a_reader_is_not(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"text")
    holding = "import sys; file = open(sys.argv[1], sys.argv[2]); print('open', flush=True); sys.stdin.read()"
    for mode, expected in (("rb", False), ("ab", True)):
        command = [sys.executable, "-c", holding, str(path), mode]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:  # noqa: S603  # our own lines
            assert other.stdin and other.stdout
            assert other.stdout.readline() == b"open\n"
            assert is_open_for_writing(path) is expected
            other.stdin.close()
    assert not is_open_for_writing(path)
    assert not is_open_for_writing(tmp_path / "missing")
