"""Another program, run in a process that is bounded and asks no server."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rag.errors import ExtractionError

_MEMORY_KILOBYTES: Final = 3 * 1024 * 1024
_OUTPUT_BLOCKS: Final = 1024 * 1024  # of 512 bytes
_BOUNDED: Final = """
ulimit -S -d "$1" 2>/dev/null; ulimit -S -t "$2" 2>/dev/null; ulimit -S -f "$3" 2>/dev/null
(sleep "$4"; kill -s KILL 0) &
shift 4
exec "$@"
"""
"""Limits of its own, instead of ours; and an end of its own, for the case that we are gone before it."""
_PROXY: Final = "http://127.0.0.1:9"
"""Where nobody listens (the discard port): whatever asks for an address all the same gets no answer."""


def run_bounded(command: Sequence[str], folder: Path, *, name: str, seconds: int) -> None:
    """Run a program in `folder`, which is its home, and end all that it started; whether it failed, its output shows.

    Raises ExtractionError ("too_slow"), and OSError where no process can be started.
    """
    environment = dict.fromkeys(("http_proxy", "https_proxy", "ftp_proxy"), _PROXY)
    environment |= {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "HOME": str(folder), "TMPDIR": str(folder)}
    limits = [str(limit) for limit in (_MEMORY_KILOBYTES, 2 * seconds, _OUTPUT_BLOCKS, seconds + 10)]
    process = subprocess.Popen(  # noqa: S603  # a program that the operator installed, and no shell's words but ours
        ["/bin/sh", "-c", _BOUNDED, "sh", *limits, *command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired as error:
        raise ExtractionError(
            "too_slow",
            f"{name} has not converted the file within {seconds} seconds.",
            "Save it in a newer format, or split it.",
        ) from error
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # the watch that ends it goes with it
        process.wait()
