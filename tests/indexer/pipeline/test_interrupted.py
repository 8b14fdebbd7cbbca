"""A real indexer that is stopped in the middle, in any way, and then let run to its end."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
from pathlib import Path

from tests.indexer.indexing import Contents, a_store, contents, write
from tests.processes import clean_environment, run_program

WORDS = "leave budget whale engine invoice contract battery warranty dealer summary".split()  # noqa: SIM905  # as text


def text(chance: random.Random) -> str:
    return "# Notes\n\n" + " ".join(f"{chance.choice(WORDS)} {chance.randrange(100)}" for _ in range(30))


async def stopped(folder: Path, drive: Path, sent: signal.Signals, after: float) -> tuple[int, str, str]:
    """Run the indexer, and send it and its workers a signal so many seconds after it has begun a generation."""
    # Where these tests run in the background SIGINT is ignored, and what is started from there would ignore it too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "indexer", "index", str(drive), "--name", "drive"),
        cwd=folder,
        env=clean_environment(),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    index = folder / ".footnote" / "index"
    while process.returncode is None and not list(index.glob("*.building/plan.json")):  # noqa: ASYNC110  # not our event
        await asyncio.sleep(0.02)
    await asyncio.sleep(after)
    if process.returncode is None:
        (os.kill if sent is signal.SIGKILL else os.killpg)(process.pid, sent)
    out, errors = await process.communicate()
    return process.returncode or 0, out.decode(), errors.decode()


async def finished(folder: Path, drive: Path) -> tuple[bool, Contents]:
    """Run the indexer to its end: whether it went on from another, and all that serves then."""
    code, out, errors = await run_program("indexer", "index", str(drive), "--name", "drive", "--json", folder=folder)
    assert code == 0, errors
    async with a_store(folder / ".footnote" / "index") as store:
        return json.loads(out)["resumed"], await contents(store)


async def test_sigterm_ends_it_as_ctrl_c_does_and_the_next_run_goes_on(tmp_path: Path) -> None:
    chance = random.Random(20261130)  # noqa: S311  # no secret
    write(tmp_path / "drive", **{f"f{number}_md": text(chance) for number in range(60)})
    code, out, errors = await stopped(tmp_path, tmp_path / "drive", signal.SIGTERM, 0.3)
    assert (code, out) == (143, ""), errors
    assert errors == "error: stopped; what was done is kept: run the same command again to go on\n"
    resumed, (records, _) = await finished(tmp_path, tmp_path / "drive")
    assert resumed and len(records) == 60
    assert {record.failure for record in records.values()} == {None}


async def test_what_stopped_indexers_leave_becomes_the_index_that_one_clean_run_makes(tmp_path: Path) -> None:
    chance = random.Random(20261130)  # noqa: S311  # no secret
    drive, here, clean = tmp_path / "drive", tmp_path / "here", tmp_path / "clean"
    here.mkdir()
    clean.mkdir()
    write(drive, **{f"f{number}_md": text(chance) for number in range(60)})
    code, out, errors = await stopped(here, drive, signal.SIGINT, 0.3)
    assert (code, out) == (130, ""), errors
    assert "run the same command again" in errors and "Traceback" not in errors
    await stopped(here, drive, signal.SIGKILL, 0.5)
    await stopped(here, drive, signal.SIGKILL, 1.5)
    _, found = await finished(here, drive)
    assert found == (await finished(clean, drive))[1]

    write(drive, **{f"f{number}_md": text(chance) for number in range(0, 16, 2)})
    (drive / "f1.md").unlink()
    await stopped(here, drive, signal.SIGKILL, 0.3)
    await stopped(here, drive, signal.SIGKILL, 1.0)
    assert (await finished(here, drive))[1] == (await finished(clean, drive))[1]
