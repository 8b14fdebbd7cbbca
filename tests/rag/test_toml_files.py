"""What operators are told of a TOML file that cannot work."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict

from rag.errors import ConfigurationError
from rag.toml_files import read_toml


class Garden(BaseModel):
    model_config = ConfigDict(extra="forbid")

    trees: dict[str, int]


def test_what_it_says_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "garden.toml"
    path.write_text("[trees]\napple = 2\n", encoding="utf-8")
    assert read_toml(path, Garden, setting="GARDEN_FILE") == Garden(trees={"apple": 2})


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "^GARDEN_FILE='.*garden.toml' cannot be read: No such file"),
        (b"trees = ", r"garden.toml is not TOML: "),
        (b"\xff", r"garden.toml is not TOML: "),
        (b"[tree]\napple = 2", r"tree: is not known here; did you mean trees\?"),
        (b"trees = 3", r"trees: must be a table$"),
        (b"[trees]\napple = 'two'\nbees = 1", r"garden.toml says what cannot be understood: trees.apple: "),
    ],
    ids=["missing", "broken", "bytes", "unknown", "no table", "wrong"],
)
def test_the_file_and_the_place_in_it_are_named(tmp_path: Path, content: bytes | None, told: str) -> None:
    path = tmp_path / "garden.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=told):
        read_toml(path, Garden, setting="GARDEN_FILE")
