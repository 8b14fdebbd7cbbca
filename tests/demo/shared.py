"""The demo company's drive and its index, made once for all tests of a run, whichever processes run them."""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from demo.build import build_drive
from tests.processes import run_program


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that the first who asks fills, while others wait. It is for all: nobody writes into it."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            shutil.rmtree(folder, ignore_errors=True)
            (folder / "content").mkdir(parents=True)
            make(folder / "content")
            (folder / "made").touch()
    return folder / "content"


def demo_drive(factory: pytest.TempPathFactory) -> Path:
    """The drive as the demo builds it."""
    return made_once(factory, "demo-drive", build_drive)


def demo_index(factory: pytest.TempPathFactory) -> Path:
    """The data folder of an indexer that was run over it, by the defaults, as the corpus `demo`."""
    drive = demo_drive(factory)
    return made_once(factory, "demo-index", lambda folder: run_indexer(drive, folder))


def run_indexer(drive: Path, data: Path, *more: str) -> None:
    """By the defaults, as the corpus `demo`."""
    program = ("indexer", "index", str(drive), "--name", "demo", *more)
    code, _, errors = asyncio.run(run_program(*program, folder=data, FOOTNOTE_DATA_DIR=str(data)))
    assert code == 0, errors
