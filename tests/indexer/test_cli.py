"""`python -m indexer` as an operator meets it: output, errors, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rag.errors import IndexMissing
from rag.store.generations import Generations
from tests.indexer.indexing import a_store, write
from tests.processes import run_program


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    write(tmp_path / "drive", a_md="# Apples\n\nApples are red.", b_md="# Whales\n\nWhales are blue.", c_md="")
    return tmp_path / "drive"


async def program(folder: Path, *arguments: str, **settings: str) -> tuple[int, str, str]:
    return await run_program("indexer", *arguments, folder=folder, **settings)


async def test_json_alone_goes_to_the_output_and_the_next_run_has_nothing_to_do(drive: Path, tmp_path: Path) -> None:
    code, out, errors = await program(tmp_path, "index", str(drive), "--name", "hand-book", "--json")
    assert (code, errors) == (0, "")
    report = json.loads(out)
    assert report.keys() == {"generation", "is_new_generation", "resumed", "seconds", "drives"}
    assert (report["generation"], report["is_new_generation"], report["resumed"]) == (1, True, False)
    [found] = report["drives"]
    assert (found["corpus"], found["new"], found["chunks"]) == ("hand-book", 3, 2)
    [failed] = found["failed"]
    assert failed.keys() == {"path", "code", "message", "remedy"}
    assert (failed["path"], failed["code"]) == ("c.md", "empty_file")

    code, out, errors = await program(tmp_path, "status", "--json")
    assert (code, errors) == (0, "")
    status = json.loads(out)
    assert status["generation"] == 1
    assert status["corpora"]["hand-book"]["states"] == {"ready": 2, "empty": 0, "failed": 1}
    assert status["corpora"]["hand-book"]["root"] == str(drive)
    assert [failure["path"] for failure in status["failures"]] == ["c.md"]
    assert "MiniLM" in status["embedder"]

    code, out, _ = await program(tmp_path, "status")
    assert code == 0
    assert "hand-book" in out and "c.md" in out and "0 bytes" in out

    code, out, _ = await program(tmp_path, "index", str(drive), "--name", "hand-book")
    assert code == 0
    assert "nothing has changed" in out


@pytest.mark.parametrize(
    ("arguments", "settings", "code", "says"),
    [
        (["index", "missing"], {}, 3, "missing"),
        (["index", ".", "--name", "Not A Name"], {}, 3, "--name"),
        (["index", ".", "--name", "x"], {"FOOTNOTE_CHUNK_SIZE": "-1"}, 3, "FOOTNOTE_CHUNK_SIZE"),
        (["index", ".", "--name", "x"], {"FOOTNOTE_CHUNK_OVERLAP": "5000"}, 3, "FOOTNOTE_CHUNK_OVERLAP (5000)"),
        (["status"], {}, 1, "python -m indexer index"),
        (["index"], {}, 2, "--help"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else None,  # pyright: ignore[reportUnknownLambdaType]
)
async def test_what_goes_wrong_is_told_on_stderr_in_one_message(
    tmp_path: Path, arguments: list[str], settings: dict[str, str], code: int, says: str
) -> None:
    got, out, errors = await program(tmp_path, *arguments, **settings)
    assert (got, out) == (code, "")
    assert says in errors
    assert "Traceback" not in errors


async def test_a_second_indexer_ends_with_its_own_code_and_changes_nothing(drive: Path, tmp_path: Path) -> None:
    async with a_store(tmp_path / ".footnote" / "index") as store:
        with Generations(tmp_path / ".footnote" / "index").writing():
            code, out, errors = await program(tmp_path, "index", str(drive))
        assert (code, out) == (4, "")
        assert "another indexer" in errors
        with pytest.raises(IndexMissing):
            await store.manifest()
