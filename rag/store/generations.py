"""The folders of an embedded index: one a generation, a pointer to the one that serves, a lock for the one who writes.

- `CURRENT`: the number of the generation that serves; replaced in one step
- `g000007/`: a complete generation: `shard/`, `manifest.json` and `terms.npz`, how common each term is
- `g000008.building/`: the next one, while an indexer works on it: `shard/` and `plan.json`
- `writer.lock`: held by the indexer
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from rag.errors import IndexMissing, StoreBusy, StoreError
from rag.store.base import SCHEMA, Recipe
from rag.store.payload import manifest_of, manifest_payload
from rag.store.term_table import TermTable, table_of_bytes
from rag.types.index import Manifest

log = logging.getLogger(__name__)

_BLOCK: Final = 1 << 20  # bytes copied at once
_MB: Final = 1_000_000  # bytes
MARGIN_BYTES: Final = 100 * _MB
"""What a generation may take more than the one before: new files, and what the engine lays out ahead."""


class Generations:
    """The file-system side of the embedded store. All calls are short but for `begin`, which may copy a generation."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def serving(self) -> int | None:
        """The number of the generation that serves; None before the first."""
        try:
            return int((self._folder / "CURRENT").read_text(encoding="ascii"))
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise IndexMissing(f"{self._folder / 'CURRENT'} is damaged: index the drives again") from error

    def manifest(self, generation: int) -> Manifest:
        """The manifest of a complete generation. Raises IndexMissing, StoreError."""
        path = self._complete(generation) / "manifest.json"
        try:
            return manifest_of(json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError as error:
            raise IndexMissing(f"{path} is missing: index the drives again") from error
        except (ValueError, KeyError, TypeError) as error:
            raise IndexMissing(f"{path} is damaged: index the drives again") from error

    def term_table(self, generation: int) -> TermTable | None:
        """How common terms are in a complete generation; None where an older version wrote it, or it is damaged."""
        path = self._complete(generation) / "terms.npz"
        try:
            return table_of_bytes(path.read_bytes())
        except FileNotFoundError:
            return None
        except (ValueError, OSError) as error:
            log.warning("the table of terms is damaged; terms are counted", extra={"reason": str(error)})
            return None

    def shard(self, generation: int) -> Path:
        """Where the engine keeps a complete generation."""
        return self._complete(generation) / "shard"

    @contextmanager
    def reading(self, generation: int) -> Generator[None]:
        """Keep a generation from being deleted for as long as the context is entered."""
        with self._open_lock(self._there(generation) / "readers.lock") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            yield

    @contextmanager
    def opening(self, generation: int) -> Generator[None]:
        """One process at a time opens or closes a shard: the engine rewrites small files when it does."""
        with self._open_lock(self._there(generation) / "open.lock") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    @contextmanager
    def writing(self) -> Generator[None]:
        """Be the only writer. Raises StoreBusy."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with self._open_lock(self._folder / "writer.lock") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                owner = (self._folder / "writer.lock").read_text(encoding="ascii").strip() or "unknown"
                raise StoreBusy(
                    f"another indexer (process {owner}) is writing to {self._folder}: wait until it is done"
                ) from error
            file.truncate(0)
            file.write(str(os.getpid()))
            file.flush()
            yield

    def begin(self, recipe: Recipe, base: int | None) -> tuple[Path, int, bool]:
        """The folder of the next shard, the generation's number, and whether an interrupted run is gone on with.

        The shard is a copy of the generation `base`, or missing when it starts empty.
        """
        number = self._next()
        building = self._building(number)
        plan = [SCHEMA, base, recipe.embedder, recipe.dimensions]
        resumed = self._read_plan(building) == plan
        if not resumed:
            for left_over in self._folder.glob("*.building"):
                shutil.rmtree(left_over)
        self._check_space(number)
        if not resumed:
            building.mkdir()
            if base is not None:
                with self.reading(base), self.opening(base):
                    copy_tree(self.shard(base), building / "shard")
            (building / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
        return building / "shard", number, resumed

    def _check_space(self, number: int) -> None:
        """The engine maps files, and the process is killed where they cannot grow. Raises StoreError."""
        to_come = bytes_on_disk(self._complete(number - 1)) - bytes_on_disk(self._building(number))
        needed = max(to_come, 0) + MARGIN_BYTES
        free = shutil.disk_usage(self._folder).free
        if free < needed:
            raise StoreError(
                f"{self._folder.absolute()} has {free / _MB:,.0f} MB free, and the next generation needs "
                f"{needed / _MB:,.0f} MB beside what is there: make room, or set FOOTNOTE_DATA_DIR to a folder on "
                "a larger disk"
            )

    def give_up(self, generation: int) -> None:
        """Throw away a generation that was begun."""
        shutil.rmtree(self._building(generation))

    def _next(self) -> int:
        """One more than what serves; where that is damaged, than whatever lies here."""
        try:
            return (self.serving() or 0) + 1
        except IndexMissing:
            names = (folder.name.removeprefix("g") for folder in self._folder.glob("g*"))
            return max((int(name) for name in names if name.isdigit()), default=0) + 1

    def commit(self, manifest: Manifest, terms: TermTable) -> None:
        """Let the generation serve that was begun last; delete those before, except the last one and any in use."""
        building, complete = self._building(manifest.generation), self._complete(manifest.generation)
        (building / "manifest.json").write_text(json.dumps(manifest_payload(manifest)), encoding="utf-8")
        (building / "terms.npz").write_bytes(terms.to_bytes())
        (building / "plan.json").unlink()
        if complete.exists():  # an indexer was killed between the next line and the pointer: it never served
            shutil.rmtree(complete)
        building.rename(complete)
        replacement = self._folder / "CURRENT.new"
        replacement.write_text(str(manifest.generation), encoding="ascii")
        replacement.replace(self._folder / "CURRENT")
        self._delete_before(manifest.generation - 1)

    def _delete_before(self, generation: int) -> None:
        for folder in self._folder.glob("g*"):
            number = folder.name.removeprefix("g")
            if number.isdigit() and int(number) < generation and self._is_free(folder):
                shutil.rmtree(folder)

    def _is_free(self, folder: Path) -> bool:
        with self._open_lock(folder / "readers.lock") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

    def _complete(self, generation: int) -> Path:
        return self._folder / f"g{generation:06}"

    def _there(self, generation: int) -> Path:
        folder = self._complete(generation)
        if not folder.is_dir():
            raise IndexMissing(f"{folder} is missing: index the drives again")
        return folder

    def _building(self, generation: int) -> Path:
        return self._folder / f"g{generation:06}.building"

    @staticmethod
    def _read_plan(building: Path) -> object:
        try:
            return json.loads((building / "plan.json").read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return None

    @staticmethod
    def _open_lock(path: Path) -> IO[str]:
        return path.open("a+", encoding="ascii")


def bytes_on_disk(folder: Path) -> int:
    """What the files below take on the disk: their holes take nothing. 0 where there is no folder."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


def copy_tree(source: Path, target: Path) -> None:
    """Copy a folder; the holes of sparse files stay holes (the engine lays out 32 MB at a time)."""
    for path in sorted(source.rglob("*")):
        copy = target / path.relative_to(source)
        if path.is_dir():
            copy.mkdir(parents=True, exist_ok=True)
        else:
            copy.parent.mkdir(parents=True, exist_ok=True)
            _copy_sparse(path, copy)


def _copy_sparse(source: Path, target: Path) -> None:
    zeros = bytes(_BLOCK)
    with source.open("rb") as reader, target.open("wb") as writer:
        while block := reader.read(_BLOCK):
            if block == zeros[: len(block)]:
                writer.seek(len(block), os.SEEK_CUR)
            else:
                writer.write(block)
        writer.truncate()
