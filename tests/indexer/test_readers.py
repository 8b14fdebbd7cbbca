"""Files are read in other processes: one that crashes, hangs or errs there costs itself and nothing else."""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
import sys
import time
from pathlib import Path, PosixPath
from typing import Any, Final

import psutil
import pytest

from indexer.drive import Drive
from indexer.pipeline import Options
from indexer.readers import open_readers
from indexer.reading import Job, Same, Text, Unread, read
from rag.store.edge import EdgeStore
from tests.indexer.indexing import Watcher, a_pipeline, write
from tests.processes import clean_environment


class Trap(PosixPath):
    """A path whose files are what their names say, to whoever opens them."""

    def open(self, *arguments: Any, **keywords: Any) -> Any:
        match self.stem:
            case "deadly":
                os._exit(11)
            case "endless":
                time.sleep(600)
            case "unforeseen":
                raise LookupError("the salary of Ada Lovelace is 1 guinea")
            case _:
                pass
        return super().open(*arguments, **keywords)


def test_a_file_is_read_with_its_digest_and_kind(tmp_path: Path) -> None:
    write(tmp_path, a_md="# Leave\n\nThirty days.")
    outcome = read(Job(tmp_path / "a.md", ""))
    assert isinstance(outcome, Text)
    assert (outcome.kind, outcome.title) == ("markdown", "Leave")
    assert outcome.sha256 == hashlib.sha256((tmp_path / "a.md").read_bytes()).hexdigest()
    assert read(Job(tmp_path / "a.md", outcome.sha256)) == Same(outcome.sha256)


@pytest.mark.parametrize(
    ("content", "code", "is_hashed"),
    [
        (None, "vanished", False),
        (b"", "empty_file", True),
        (os.urandom(4096), "not_text", True),
        (b"PK\x03\x04x", "damaged", True),
    ],
    ids=["vanished", "empty", "noise", "half an archive"],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, content: bytes | None, code: str, is_hashed: bool) -> None:
    if content is not None:
        (tmp_path / "a.bin").write_bytes(content)
    outcome = read(Job(tmp_path / "a.bin", ""))
    assert isinstance(outcome, Unread)
    assert outcome.failure.code == code
    assert bool(outcome.sha256) is is_hashed


def test_an_error_that_no_parser_foresaw_is_named_without_its_words(tmp_path: Path) -> None:
    write(tmp_path, unforeseen_md="text")
    outcome = read(Job(Trap(tmp_path / "unforeseen.md"), ""))
    assert isinstance(outcome, Unread)
    assert outcome.failure.code == "reader_failed"
    assert "LookupError in test_readers.py:" in outcome.failure.message
    assert "guinea" not in repr(outcome)


async def test_a_file_that_kills_stalls_or_breaks_its_reader_costs_only_itself(tmp_path: Path) -> None:
    drive = Drive("drive", Trap(tmp_path / "drive"))
    write(tmp_path / "drive", a_md="one", deadly_md="x", endless_md="x", m_md="two", unforeseen_md="x", z_md="three")
    store = EdgeStore(tmp_path / "index")
    report = await a_pipeline(store, file_seconds=5).run([drive], Watcher(), Options())
    failed = {uri: failure.code for uri, failure in report.drives[0].failed}
    assert failed == {"deadly.md": "reader_died", "endless.md": "too_slow", "unforeseen.md": "reader_failed"}
    assert {row.chunk.text async for row in store.scan()} == {"one", "two", "three"}
    assert report.drives[0].new == 6
    await store.aclose()


async def test_leaving_ends_a_reader_in_the_middle_of_its_file(tmp_path: Path) -> None:
    write(tmp_path, endless_md="x")
    before = set(psutil.Process().children())
    async with open_readers(2, seconds=600) as readers:
        reading = asyncio.create_task(readers.read(Job(Trap(tmp_path / "endless.md"), "")))
        await asyncio.sleep(0.5)
        started = [child for child in set(psutil.Process().children()) - before if "spawn_main" in str(child.cmdline())]
        assert len(started) == 1
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
    _, alive = await asyncio.to_thread(psutil.wait_procs, started, 20)
    assert alive == []


ABANDONS: Final = """
import asyncio, sys
from pathlib import Path
from indexer.readers import open_readers
from indexer.reading import Job

async def main():
    async with open_readers(1, seconds=600) as readers:
        await readers.read(Job(Path(sys.argv[1]), ""))
        print("ready", flush=True)
        await asyncio.sleep(600)

if __name__ == "__main__":
    asyncio.run(main())
"""


async def test_readers_end_with_an_indexer_that_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "abandons.py"
    program.write_text(ABANDONS, encoding="utf-8")
    indexer = await asyncio.create_subprocess_exec(
        sys.executable, str(program), str(program), env=clean_environment(), stdout=asyncio.subprocess.PIPE
    )
    assert indexer.stdout is not None
    assert await indexer.stdout.readline() == b"ready\n"
    orphans = psutil.Process(indexer.pid).children(recursive=True)
    assert len(orphans) >= 1
    indexer.send_signal(signal.SIGKILL)
    await indexer.wait()
    _, alive = await asyncio.to_thread(psutil.wait_procs, orphans, 20)
    assert alive == []
