"""`python -m indexer doctor`: each check finds what is wrong, and says what to do."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import HttpUrl, SecretStr

from indexer.cli.doctor.base import CheckResult, CheckStatus
from indexer.cli.doctor.configuration import check_settings
from indexer.cli.doctor.extraction import check_extraction, check_libreoffice
from indexer.cli.doctor.machine import check_data_folder, check_disk, check_memory
from indexer.cli.doctor.models import check_cache, check_model, check_store
from indexer.cli.doctor.places import check_drives
from indexer.settings import IndexerSettings
from indexer.units import MB
from rag.embedding.minilm import MiniLM
from rag.settings.engine import AnsweringSettings
from rag.settings.groups import EmbeddingSettings
from tests.indexer.indexing import a_store, index, write
from tests.processes import free_port, run_program

pytestmark = pytest.mark.filterwarnings("ignore:Failed to obtain server version:UserWarning")


@dataclass(frozen=True, slots=True)
class Disk:
    """As much room as a test wants."""

    free: int

    def usage(self, path: Path) -> Disk:
        del path
        return self


def settings(folder: Path, **fields: object) -> IndexerSettings:
    return IndexerSettings(data_dir=folder / ".footnote").model_copy(update=fields)


def healths(findings: list[CheckResult]) -> list[tuple[str, CheckStatus]]:
    return [(finding.about, finding.health) for finding in findings]


async def test_where_all_is_there_all_is_well_and_every_part_was_tried(tmp_path: Path) -> None:
    write(tmp_path / "drive", a_md="# Apples\n\nApples are red.")
    code, _, errors = await run_program("indexer", "index", "drive", folder=tmp_path)
    assert code == 0, errors
    code, out, errors = await run_program("indexer", "doctor", "--json", folder=tmp_path)
    report = json.loads(out)
    assert (code, errors, report["healthy"]) == (0, "", True), out
    found = {finding["about"]: finding for finding in report["findings"]}
    assert found.keys() >= {
        *("settings", "data folder", "disk", "memory", "model", "store", "index", "cache", "drive drive", "reading"),
        *("OCR", "LibreOffice"),
    }
    assert all(finding.keys() == {"about", "health", "says", "remedy"} for finding in report["findings"])
    well = {about for about, finding in found.items() if finding["health"] == "ok"}
    assert well >= {"settings", "model", "store", "index", "drive drive", "reading", "OCR"}
    assert "generation 1" in found["store"]["says"] and "can be searched" in found["store"]["says"]


async def test_settings_that_cannot_work_end_it_with_one_line(tmp_path: Path) -> None:
    code, out, errors = await run_program("indexer", "doctor", folder=tmp_path, FOOTNOTE_CHUNK_SIZE="many")
    assert (code, errors) == (1, "")
    [line] = out.splitlines()
    assert line.startswith("failed ") and "FOOTNOTE_CHUNK_SIZE" in line


async def test_a_misspelt_setting_is_said_once_and_ends_with_one_mark(tmp_path: Path) -> None:
    _, out, _ = await run_program("indexer", "doctor", folder=tmp_path, FOOTNOTE_OCR_LANGUAGE="jpn")
    [line] = out.splitlines()
    assert line.endswith("did you mean FOOTNOTE_OCR_LANGUAGES?")


def test_names_that_are_no_settings_are_a_warning(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FOOTNOTE_ROOF_COLOUR", "red")
    ours, answering, [finding] = check_settings()
    assert ours is not None and answering is not None
    assert finding.health is CheckStatus.WARNING and "FOOTNOTE_ROOF_COLOUR" in finding.says
    monkeypatch.setenv("FOOTNOTE_CHUNKR", "fixed")
    ours, _, findings = check_settings()
    assert ours is None
    assert findings[0].health is CheckStatus.FAILED and "did you mean FOOTNOTE_CHUNKER" in findings[0].says


def test_a_data_folder_that_is_a_file_is_found(tmp_path: Path) -> None:
    assert check_data_folder(settings(tmp_path)).health is CheckStatus.OK
    assert not (tmp_path / ".footnote").exists()
    (tmp_path / ".footnote").write_text("", encoding="utf-8")
    finding = check_data_folder(settings(tmp_path))
    assert finding.health is CheckStatus.FAILED and "FOOTNOTE_DATA_DIR" in finding.remedy


@pytest.mark.parametrize(
    ("free_mb", "health"), [(100_000, CheckStatus.OK), (500, CheckStatus.WARNING), (104, CheckStatus.FAILED)], ids=str
)
def test_a_disk_without_room_for_another_generation_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free_mb: int, health: CheckStatus
) -> None:
    shard = tmp_path / ".footnote" / "index" / "g000001" / "shard"
    shard.mkdir(parents=True)
    (shard / "vectors").write_bytes(bytes(5 * MB))
    monkeypatch.setattr(shutil, "disk_usage", Disk(free_mb * MB).usage)
    finding = check_disk(settings(tmp_path))
    assert finding.health is health and "takes 5 MB" in finding.says and "needs 105 MB" in finding.says
    assert str(tmp_path) in finding.says
    assert check_disk(settings(tmp_path, qdrant_url=HttpUrl("http://localhost:6333"))).health is not CheckStatus.FAILED


def test_extractors_that_may_take_more_memory_than_there_is_are_found(tmp_path: Path) -> None:
    well = check_memory(settings(tmp_path, file_memory_mb=1, extractors=2))
    assert well.health is CheckStatus.OK and "a run may take 402 MB: 2 × 1 MB for reading files" in well.says
    finding = check_memory(settings(tmp_path, extractors=1000, file_memory_mb=1_000_000))
    assert finding.health is CheckStatus.WARNING and "FOOTNOTE_EXTRACTORS" in finding.remedy


async def test_a_model_that_cannot_be_had_is_found(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    wrong = settings(tmp_path, embedding=EmbeddingSettings(model=str(tmp_path / "model")))
    model, finding = await check_model(wrong)
    assert model is None
    assert finding.health is CheckStatus.FAILED and str(tmp_path / "model") in finding.says


async def test_an_index_that_another_model_or_chunker_made_is_found(tmp_path: Path) -> None:
    assert healths(await check_store(settings(tmp_path), None)) == [("store", CheckStatus.WARNING)]
    write(tmp_path / "drive", a_md="Apples are red.")
    async with a_store(tmp_path / ".footnote" / "index") as store:
        await index(store, tmp_path / "drive")  # by the model of these tests, with windows of a fixed size
    findings = await check_store(settings(tmp_path), MiniLM())
    assert healths(findings) == [
        ("store", CheckStatus.OK),
        ("index", CheckStatus.FAILED),
        ("index", CheckStatus.WARNING),
    ]
    assert "words/256" in findings[1].says and "reindex" in findings[1].says
    assert "fixed" in findings[2].says and "markdown" in findings[2].says
    (tmp_path / ".footnote" / "index" / "CURRENT").write_text("x", encoding="ascii")
    assert healths(await check_store(settings(tmp_path), None)) == [("store", CheckStatus.FAILED)]


@pytest.mark.parametrize("chunker", ["semantic", "hierarchical"])
async def test_a_chunker_that_asks_a_model_asks_the_one_that_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunker: str
) -> None:
    write(tmp_path / "drive", a_md="Apples are red.")
    async with a_store(tmp_path / ".footnote" / "index") as store:
        await index(store, tmp_path / "drive")
    model = MiniLM()
    monkeypatch.setattr("rag.bootstrap.models.build_model", None)  # nobody can load a second one
    findings = await check_store(settings(tmp_path, chunker=chunker), model)
    assert chunker in findings[-1].says and model.name in findings[-1].says


async def test_a_server_that_does_not_answer_is_found_and_its_password_is_not_told(tmp_path: Path) -> None:
    port = free_port()
    cache = await check_cache(AnsweringSettings(redis_url=SecretStr(f"redis://:hush@127.0.0.1:{port}/0")))
    assert cache.health is CheckStatus.FAILED and "REDIS_URL" in cache.says and "hush" not in str(cache)
    [store] = await check_store(settings(tmp_path, qdrant_url=HttpUrl(f"http://127.0.0.1:{port}")), None)
    assert store.health is CheckStatus.FAILED and "QDRANT_URL" in store.remedy


async def test_a_drive_that_went_away_or_is_empty_is_found(tmp_path: Path) -> None:
    assert healths(await check_drives(settings(tmp_path))) == [("drives", CheckStatus.WARNING)]
    write(tmp_path / "drive", a_md="Apples are red.")
    write(tmp_path / "other", b_md="Whales are blue.")
    async with a_store(tmp_path / ".footnote" / "index") as store:
        await index(store, tmp_path / "drive", tmp_path / "other")
    assert healths(await check_drives(settings(tmp_path))) == [
        ("drive drive", CheckStatus.OK),
        ("drive other", CheckStatus.OK),
    ]
    (tmp_path / "drive" / "a.md").unlink()
    shutil.rmtree(tmp_path / "other")
    findings = await check_drives(settings(tmp_path))
    assert healths(findings) == [("drive drive", CheckStatus.WARNING), ("drive other", CheckStatus.FAILED)]
    assert "is empty" in findings[0].says and str(tmp_path / "other") in findings[1].says


async def test_a_language_that_is_not_installed_and_a_program_that_is_none_are_found(tmp_path: Path) -> None:
    [finding] = await check_extraction(settings(tmp_path, ocr_languages=["eng", "tlh"]))
    assert finding.health is CheckStatus.FAILED and "tlh" in finding.says
    [finding] = await check_extraction(settings(tmp_path, libreoffice=tmp_path / "soffice"))
    assert finding.health is CheckStatus.FAILED and "FOOTNOTE_LIBREOFFICE" in finding.says


async def test_without_ocr_and_the_programs_that_convert_it_says_what_is_lacking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    monkeypatch.setattr("indexer.bootstrap.installed_pandoc", lambda: None)
    findings = await check_extraction(settings(tmp_path, ocr_languages=[]))
    assert healths(findings) == [
        ("reading", CheckStatus.OK),
        ("OCR", CheckStatus.WARNING),
        ("LibreOffice", CheckStatus.WARNING),
        ("pandoc", CheckStatus.WARNING),
    ]
    assert "DOC" in findings[2].says and "LaTeX" in findings[3].says


def test_a_program_that_cannot_be_started_is_no_libreoffice(tmp_path: Path) -> None:
    program = tmp_path / "soffice"
    program.write_text("no program", encoding="utf-8")
    assert check_libreoffice(program).health is CheckStatus.FAILED
