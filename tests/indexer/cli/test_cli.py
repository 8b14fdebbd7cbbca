"""`python -m indexer` as an operator meets it: output, errors, exit codes."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import re
import sys
from pathlib import Path

import pymupdf
import pytest
from typer.testing import CliRunner

from indexer.chunking import CHUNKERS
from indexer.cli.app import COMMANDS, app
from indexer.cli.commands.program import PROGRAM
from indexer.settings import IndexerSettings
from rag.errors import IndexMissing
from rag.store.generations import Generations
from tests.indexer.indexing import a_store, write
from tests.indexer.indexing import index as index_drive
from tests.processes import clean_environment, run_program


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    write(
        tmp_path / "drive",
        a_md="# Apples\n\nApples are red.",
        b_md="# Whales\n\nWhales are blue.",
        c_md="# Half\n" + "\x01\x02" * 99,
    )
    return tmp_path / "drive"


@pytest.fixture
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


async def program(folder: Path, *arguments: str, **settings: str) -> tuple[int, str, str]:
    return await run_program("indexer", *arguments, folder=folder, **settings)


async def left_after(length: int, folder: Path, *arguments: str) -> tuple[int | None, bytes]:
    """Exit code and errors of a program whose output nobody reads after so many bytes: as with `head`."""
    reading, writing = os.pipe()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "indexer", *arguments),
        cwd=folder,
        env=clean_environment(),
        stdout=writing,
        stderr=asyncio.subprocess.PIPE,
    )
    os.close(writing)
    await asyncio.to_thread(os.read, reading, length)
    os.close(reading)
    _, errors = await process.communicate()
    return process.returncode, errors


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
    assert (failed["path"], failed["code"]) == ("c.md", "not_text")

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
    assert "hand-book" in out and "c.md" in out and "neither text" in out

    code, out, _ = await program(tmp_path, "index", str(drive), "--name", "hand-book")
    assert code == 0
    assert "nothing has changed" in out


async def test_an_export_whose_reader_leaves_ends_without_a_word(tmp_path: Path) -> None:
    write(tmp_path / "drive", **{f"f{number}_md": f"Apples are red. {number} " * 40 for number in range(150)})
    async with a_store(tmp_path / ".footnote" / "index") as store:
        await index_drive(store, tmp_path / "drive")
    assert await left_after(100, tmp_path, "export", "--no-vectors") == (1, b"")


@pytest.mark.parametrize(
    ("arguments", "settings", "code", "says"),
    [
        (["index", "missing"], {}, 3, "missing"),
        (["index", ".", "--name", "Not A Name"], {}, 3, "--name"),
        (["index", ".", "--name", "x"], {"FOOTNOTE_CHUNK_SIZE": "-1"}, 3, "FOOTNOTE_CHUNK_SIZE"),
        (["index", ".", "--name", "x"], {"FOOTNOTE_CHUNK_OVERLAP": "5000"}, 3, "FOOTNOTE_CHUNK_OVERLAP (5000)"),
        (["status"], {}, 1, "python -m indexer index"),
        (["index"], {}, 3, "FOOTNOTE_DRIVES_FILE"),
        (["forget"], {}, 2, "--help"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else None,  # pyright: ignore[reportUnknownLambdaType]
)
def test_what_goes_wrong_is_told_on_stderr_in_one_message(
    in_an_empty_folder: None, arguments: list[str], settings: dict[str, str], code: int, says: str
) -> None:
    done = CliRunner().invoke(app, arguments, env=settings)
    assert (done.exit_code, done.stdout) == (code, "")
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_that_is_named_and_empty_stops_the_run_over_others(in_an_empty_folder: None, drive: Path) -> None:
    Path("bare").mkdir()
    done = CliRunner().invoke(app, ["index", str(drive), "bare"])
    assert (done.exit_code, done.stdout) == (3, "")
    assert "bare is empty" in done.stderr
    assert CliRunner().invoke(app, ["status"]).exit_code == 1


async def test_where_logs_are_json_so_is_the_reason_for_an_end(tmp_path: Path) -> None:
    for arguments, settings, wrong, exit_code in (
        (["status"], {}, "nothing is indexed yet", 1),
        (["status"], {"FOOTNOTE_CHUNK_SIZE": "-1", "FOOTNOTE_ROOF": "red"}, "FOOTNOTE_CHUNK_SIZE", 3),
        (["status"], {"FOOTNOTE_CHUNKR": "x"}, "did you mean", 3),
    ):
        code, out, errors = await program(tmp_path, *arguments, FOOTNOTE_LOG_STYLE="json", **settings)
        assert (code, out) == (exit_code, "")
        *warnings, last = map(json.loads, errors.splitlines())
        assert (last["level"], last["exit_code"]) == ("ERROR", exit_code)
        assert wrong in last["error"]
        assert all(warning["level"] == "WARNING" for warning in warnings)


async def test_a_data_folder_that_cannot_be_made_is_named_with_its_setting(drive: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    code, out, errors = await program(tmp_path, "index", str(drive), FOOTNOTE_DATA_DIR="file/data")
    assert (code, out) == (3, "") and "FOOTNOTE_DATA_DIR must be a folder" in errors


@pytest.mark.parametrize(
    ("path", "code", "blamed"),
    [("data/index/CURRENT", 3, True), ("data", 3, True), (".", 3, True), ("database/x", 1, False), ("x", 1, False)],
)
def test_the_data_folder_is_blamed_for_what_lies_in_it_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], path: str, code: int, blamed: bool
) -> None:
    async def work() -> None:
        raise OSError(errno.EACCES, "Permission denied", str(tmp_path / path))

    with pytest.raises(SystemExit) as ended:
        PROGRAM.run(work(), IndexerSettings(data_dir=tmp_path / "data"))
    errors = capsys.readouterr().err
    assert ended.value.code == code and ("FOOTNOTE_DATA_DIR" in errors) is blamed
    assert "Permission denied" in errors


async def test_nothing_indexed_names_the_folder_that_was_looked_in(tmp_path: Path) -> None:
    _, _, errors = await program(tmp_path, "status", FOOTNOTE_DATA_DIR="elsewhere")
    assert f"nothing is indexed yet in {tmp_path / 'elsewhere' / 'index'}" in errors


async def test_the_version_is_told_and_each_command_shows_an_example(tmp_path: Path) -> None:
    code, out, _ = await program(tmp_path, "--version")
    assert code == 0 and re.fullmatch(r"footnote \d+\.\d+\.\d+\S*\n", out)
    for command in COMMANDS:
        assert re.search(r"Example: .*python -m indexer", command.__doc__ or ""), command


async def test_help_names_what_is_to_be_given_and_every_chunker(tmp_path: Path) -> None:
    _, inspecting, _ = await program(tmp_path, "inspect", "--help", COLUMNS="200")
    assert "{FILE}..." in inspecting and all(name in inspecting for name in CHUNKERS)
    _, forgetting, _ = await program(tmp_path, "forget", "--help", COLUMNS="200")
    assert "{CORPUS} [PATH]..." in forgetting
    assert not re.search(r"--(json|yes|text)\b.*<bool>", inspecting + forgetting)


async def test_a_file_that_could_not_be_read_earlier_is_still_on_the_card_of_a_run_without_changes(
    drive: Path, tmp_path: Path
) -> None:
    await program(tmp_path, "index", str(drive))
    code, out, _ = await program(tmp_path, "index", str(drive))
    assert code == 0 and "nothing has changed" in out
    words = " ".join(out.split())
    assert "failed 0" in words and "still unreadable 1 from earlier runs" in words and "c.md" in out
    _, out, _ = await program(tmp_path, "index", str(drive), "--json")
    [found] = json.loads(out)["drives"]
    assert not found["failed"]
    [failure] = found["still_failed"]
    assert (failure["path"], failure["code"]) == ("c.md", "not_text")


async def test_status_gives_the_state_of_each_document_and_names_pages_without_text(tmp_path: Path) -> None:
    write(tmp_path / "drive", a_md="# Apples\n\nApples are red.")
    with pymupdf.open() as document:
        for text in ("The first page of the manual.", ""):
            document.new_page().insert_text((72, 72), text)
        document.save(tmp_path / "drive" / "b.pdf")
    code, _, errors = await program(tmp_path, "index", "drive", FOOTNOTE_OCR_LANGUAGES="[]")
    assert code == 0, errors
    _, out, _ = await program(tmp_path, "status", "--json")
    status = json.loads(out)
    text, pdf = status["documents"]
    assert (text["path"], text["state"], text["chunks"], text["error"]) == ("a.md", "ready", 1, None)
    assert (pdf["path"], pdf["kind"], pdf["pages"], pdf["pages_without_text"]) == ("b.pdf", "pdf", 2, 1)
    assert status["corpora"]["drive"]["pages_without_text"] == 1
    _, out, _ = await program(tmp_path, "status")
    assert "b.pdf" not in out and "1 with pages without text: --files names them" in out
    _, out, _ = await program(tmp_path, "status", "--files")
    [line] = [line for line in out.splitlines() if "drive/b.pdf" in line]
    assert line.split()[:5] == ["2", "1", "ready", "pdf", "drive/b.pdf"] and "1 page without text." in line


async def test_whoever_reads_the_output_may_leave_early(tmp_path: Path) -> None:
    write(tmp_path, **{f"f{number}_md": "Apples are red. " * 5000 for number in range(20)})
    files = (f"f{number}.md" for number in range(20))
    assert await left_after(100, tmp_path, "inspect", "--json", *files) == (1, b"")


async def test_a_second_indexer_ends_with_its_own_code_and_changes_nothing(drive: Path, tmp_path: Path) -> None:
    async with a_store(tmp_path / ".footnote" / "index") as store:
        with Generations(tmp_path / ".footnote" / "index").writing():
            code, out, errors = await program(tmp_path, "index", str(drive))
        assert (code, out) == (4, "")
        assert "another indexer" in errors
        with pytest.raises(IndexMissing):
            await store.manifest()
