"""The folders of an embedded index: room for the next generation."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from rag.errors import StoreError
from rag.store.base import Recipe
from rag.store.generations import MARGIN_BYTES, Generations, bytes_on_disk

RECIPE = Recipe("words", 4, "whole")
MB = 1_000_000


@dataclass(slots=True)
class Disk:
    """As much room as a test wants."""

    free: int

    def usage(self, path: Path) -> Disk:
        del path
        return self


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    disk = Disk(0)
    monkeypatch.setattr(shutil, "disk_usage", disk.usage)
    return disk


def a_generation(folder: Path) -> None:
    (folder / "g000001" / "shard").mkdir(parents=True)
    (folder / "g000001" / "shard" / "vectors").write_bytes(b"x" * 5 * MB)
    (folder / "CURRENT").write_text("1", encoding="ascii")


@pytest.mark.parametrize("base", [1, None], ids=["a copy", "made anew"])
def test_a_generation_that_does_not_fit_is_not_begun(tmp_path: Path, disk: Disk, base: int | None) -> None:
    a_generation(tmp_path)
    disk.free = MARGIN_BYTES + 4 * MB
    with pytest.raises(StoreError, match=rf"{tmp_path} has 104 MB free, and .* needs 105 MB .*FOOTNOTE_DATA_DIR"):
        Generations(tmp_path).begin(RECIPE, base)
    assert {path.name for path in tmp_path.iterdir()} == {"g000001", "CURRENT"}
    disk.free = MARGIN_BYTES + 6 * MB
    assert Generations(tmp_path).begin(RECIPE, base)[1:] == (2, False)


def test_one_that_is_gone_on_with_needs_room_for_what_is_still_to_come(tmp_path: Path, disk: Disk) -> None:
    a_generation(tmp_path)
    disk.free = MARGIN_BYTES + 6 * MB
    Generations(tmp_path).begin(RECIPE, 1)
    disk.free = MARGIN_BYTES
    assert Generations(tmp_path).begin(RECIPE, 1)[1:] == (2, True)
    disk.free = MARGIN_BYTES - 1
    with pytest.raises(StoreError, match=r"needs 100 MB"):
        Generations(tmp_path).begin(RECIPE, 1)
    assert (tmp_path / "g000002.building" / "shard" / "vectors").exists()


def test_the_first_generation_needs_some_room_too(tmp_path: Path, disk: Disk) -> None:
    disk.free = MARGIN_BYTES - 1
    with pytest.raises(StoreError, match="make room"):
        Generations(tmp_path).begin(RECIPE, None)


def test_holes_take_no_room(tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(32 * MB)
    assert bytes_on_disk(tmp_path) < MB
    assert bytes_on_disk(tmp_path / "missing") == 0
