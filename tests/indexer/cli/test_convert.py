"""A converted model is written, told of, and taken for what it was made of, by programs without torch."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from indexer.operations.status import read_backend
from rag.bootstrap.models import convert_model
from rag.embedding.export import export
from rag.embedding.export_card import ExportCard, is_exported
from rag.embedding.transformer import SentenceTransformerModel
from rag.errors import ConfigurationError
from rag.settings.groups import EmbeddingSettings
from tests.embedding_models import a_model
from tests.indexer.indexing import write
from tests.processes import ROOT, run_program


@pytest.mark.needs("torch")
async def test_an_index_by_the_converted_model_is_one_by_the_original(tmp_path: Path) -> None:
    model, folder = a_model(tmp_path / "tiny"), tmp_path / "converted"
    write(tmp_path / "drive", a_md="# Apples\n\nApples are red.")
    code, out, err = await run_program("indexer", "convert", str(model), str(folder), "--json", folder=tmp_path)
    assert code == 0, err
    made = json.loads(out)
    assert made["folder"] == str(folder) and made["cosine_min"] >= 0.9999
    assert made["model"] == SentenceTransformerModel(str(model), batch_size=2).name
    settings = {"FOOTNOTE_EMBEDDING__MODEL": str(folder), "FOOTNOTE_EMBEDDING__BACKEND": "onnx"}
    code, _, err = await run_program("indexer", "index", str(tmp_path / "drive"), folder=tmp_path, **settings)
    assert code == 0, err
    code, out, _ = await run_program("indexer", "status", "--json", folder=tmp_path, **settings)
    told = json.loads(out)
    assert code == 0 and told["embedder"].startswith(made["model"]) and told["backend"] == "onnxruntime"


@pytest.mark.needs("torch")
async def test_a_converted_model_runs_without_torch(tmp_path: Path) -> None:
    await convert_model(EmbeddingSettings(model=str(a_model(tmp_path / "tiny"))), tmp_path / "converted", int8=False)
    program = f"""
import asyncio, sys
from rag.bootstrap.models import build_model
from rag.settings.groups import EmbeddingSettings
model = build_model(EmbeddingSettings(model={str(tmp_path / "converted")!r}))
assert asyncio.run(model.encode_query("apples")).shape == (model.dimensions,)
assert not {{"torch", "transformers", "sentence_transformers"}} & sys.modules.keys()
"""
    environment = {"PYTHONPATH": str(ROOT)}
    done = await asyncio.create_subprocess_exec(sys.executable, "-c", program, cwd=tmp_path, env=environment)
    assert await done.wait() == 0


@pytest.mark.needs("torch")
async def test_in_8_bits_it_is_another_model_and_the_card_says_how_near(tmp_path: Path) -> None:
    settings = EmbeddingSettings(model=str(a_model(tmp_path / "tiny")))
    made = await convert_model(settings, tmp_path / "small", int8=True)
    assert "/int8/" in made.name and 0.95 <= made.least <= made.mean < 1


@pytest.mark.needs("torch")
async def test_what_does_not_compute_as_the_original_does_is_left_without_its_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = SentenceTransformerModel(str(a_model(tmp_path / "other", seed=8)), batch_size=2)

    def export_another(model: SentenceTransformerModel, folder: Path, *, int8: bool) -> ExportCard:
        del model
        return export(other, folder, int8=int8)

    monkeypatch.setattr("rag.bootstrap.models.export", export_another)
    with pytest.raises(ConfigurationError, match="other vectors"):
        await convert_model(EmbeddingSettings(model=str(a_model(tmp_path / "tiny"))), tmp_path / "folder", int8=False)
    assert not is_exported(tmp_path / "folder")


async def test_what_needs_no_torch_is_not_converted(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="there is nothing to convert"):
        await convert_model(EmbeddingSettings(model="small"), tmp_path / "folder", int8=True)
    assert not (tmp_path / "folder").exists()


@pytest.mark.needs("torch")
@pytest.mark.parametrize("package", ["onnx", "sentence_transformers"])
async def test_a_package_that_is_missing_is_named_with_its_extra_and_no_other_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    settings = EmbeddingSettings(model=str(a_model(tmp_path / "tiny")))
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ConfigurationError) as caught:
        await convert_model(settings, tmp_path / "folder", int8=False)
    assert f"{package} is missing: run `pip install -c constraints.txt '.[torch,convert]'`" in str(caught.value)
    assert "name a folder" not in str(caught.value)


def test_the_status_says_why_nothing_runs_the_model_and_goes_on() -> None:
    assert read_backend(EmbeddingSettings()) == "onnxruntime"
    assert read_backend(EmbeddingSettings(model="base")) == "torch"
    assert read_backend(EmbeddingSettings(model="base", backend="onnx")).startswith("none: FOOTNOTE_EMBEDDING__BACKEND")
