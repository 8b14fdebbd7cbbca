"""What the machine gives: a folder to write to, space on the disk, memory."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Final

from indexer.cli.doctor.base import CheckResult, failed, ok, warning
from indexer.settings import IndexerSettings
from indexer.units import MB
from rag.store.generations import MARGIN_BYTES, bytes_on_disk

MODEL_MB: Final = 400
"""What this program holds beside its worker processes, with the packaged model."""
SPARE_MB: Final = 1_000
"""Less than this on the disk is filled soon."""
_CGROUP: Final = Path("/sys/fs/cgroup")


def check_data_folder(settings: IndexerSettings) -> CheckResult:
    """Whether it can be written, or made."""
    folder = settings.data_dir.absolute()
    place = _existing(folder)
    remedy = "Give the user that runs the indexer the right to write it, or set FOOTNOTE_DATA_DIR to another folder."
    try:
        if not place.is_dir():
            return failed("data folder", f"{place} is no folder", "Set FOOTNOTE_DATA_DIR to a folder.")
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        return failed("data folder", f"{place} cannot be written: {error.strerror}", remedy)
    return ok("data folder", str(folder) if place == folder else f"{folder} is made at the first run")


def check_disk(settings: IndexerSettings) -> CheckResult:
    """Whether the next generation, which begins as a copy of the one that serves, has room."""
    folder = settings.data_dir.absolute()
    free = shutil.disk_usage(_existing(folder)).free
    index = max(map(bytes_on_disk, (folder / "index").glob("g*")), default=0)
    needed = index + MARGIN_BYTES
    says = (
        f"{free / MB:,.0f} MB are free in {folder}; a generation of the index takes {index / MB:,.0f} MB, the next one "
        f"needs {needed / MB:,.0f} MB"
    )
    remedy = "Make room, or set FOOTNOTE_DATA_DIR to a folder on a larger disk: a run makes another beside it."
    if settings.qdrant_url is None and free < needed:
        return failed("disk", says, remedy)
    return warning("disk", says, remedy) if free < index + SPARE_MB * MB else ok("disk", says)


def check_memory(settings: IndexerSettings) -> CheckResult:
    """Whether all worker processes may take what they are allowed to."""
    available = _available_bytes()
    needed = settings.extractors * settings.file_memory_mb + MODEL_MB
    wants = (
        f"a run may take {needed:,} MB: {settings.extractors:,} × {settings.file_memory_mb:,} MB for reading files "
        f"(FOOTNOTE_EXTRACTORS × FOOTNOTE_FILE_MEMORY_MB), {MODEL_MB:,} MB for the rest"
    )
    if available is None:
        return ok("memory", f"this system does not tell what is free; {wants}")
    says = f"{available / MB:,.0f} MB are free; {wants}"
    if available < needed * MB:
        return warning("memory", says, "Lower FOOTNOTE_EXTRACTORS or FOOTNOTE_FILE_MEMORY_MB, or give it more.")
    return ok("memory", says)


def _existing(path: Path) -> Path:
    """The path, or the nearest above it that is there."""
    while not path.exists() and path != path.parent:
        path = path.parent
    return path


def _available_bytes() -> int | None:
    """Of the machine or of the container, whichever is less; None where that cannot be told."""
    known: list[int] = []
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        known += [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    except OSError:
        pass
    try:
        limit = int((_CGROUP / "memory.max").read_text(encoding="ascii"))
        known.append(limit - int((_CGROUP / "memory.current").read_text(encoding="ascii")))
    except (OSError, ValueError):  # no such file, or it says "max"
        pass
    return min(known, default=None)
