"""What is known of models by name, and which form of one runs."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from huggingface_hub import constants

from rag.bootstrap.models import build_model, model_place
from rag.embedding import profiles
from rag.embedding.choice import choose, light_tokens, reranker_for
from rag.embedding.export import export
from rag.embedding.export_card import CARD, ExportCard
from rag.embedding.exported import ExportedModel
from rag.embedding.profiles import MINILM_FP32, PROFILES, Prefixes, card_of, pooling_in, prefixes_in, reranker_of
from rag.embedding.transformer import SentenceTransformerModel
from rag.errors import ConfigurationError
from rag.settings.groups import EmbeddingSettings
from tests.embedding_models import HIDDEN, READS, a_model


def a_card(folder: Path, **changes: Any) -> Path:
    card = ExportCard(model="m", precision="fp32", pooling="mean", reads=128, weights="0", sha256={})
    folder.mkdir()
    (folder / CARD).write_text(card.model_copy(update=changes).model_dump_json())
    return folder


@pytest.mark.parametrize(
    ("prompts", "prefixes"),
    [
        ({}, Prefixes()),
        ({"query": "query: ", "passage": "passage: "}, Prefixes("query: ", "passage: ")),
        ({"query": "q ", "document": "", "corpus": "c "}, Prefixes("q ", "c ")),
        ({"query": None, "document": "d ", "passage": "p "}, Prefixes("", "d ")),
        ({"clustering": "cluster: "}, Prefixes()),
    ],
)
def test_a_models_own_files_say_its_prefixes(prompts: Mapping[str, Any], prefixes: Prefixes) -> None:
    assert prefixes_in(prompts) == prefixes


@pytest.mark.parametrize(
    ("config", "pooling"),
    [
        ({"pooling_mode": "cls"}, "cls"),
        ({"pooling_mode": "mean", "include_prompt": True}, "mean"),
        ({"pooling_mode": "mean", "include_prompt": False}, None),
        ({"pooling_mode": "lasttoken"}, None),
        ({"pooling_mode": ["cls", "mean"]}, None),
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, "cls"),
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True}, None),
        ({"pooling_mode_max_tokens": True}, None),
        ({}, None),
    ],
)
def test_old_and_new_files_say_how_a_model_pools(config: Mapping[str, Any], pooling: str | None) -> None:
    assert pooling_in(config) == pooling


def test_a_profile_and_its_hub_name_are_one_model_with_one_reranker() -> None:
    for name, card in PROFILES.items():
        assert card_of(name) == card_of(card.hub) == card
        assert reranker_of(name) == reranker_of(card.hub) == card.reranker
    assert PROFILES["base"].prefixes.query.endswith("passages: ") and not PROFILES["base"].prefixes.document
    assert card_of("someone/else") is None and reranker_of("someone/else") == "" == reranker_of("small")


def test_a_converted_profile_keeps_its_reranker(tmp_path: Path) -> None:
    folder = a_card(tmp_path / "base", model=PROFILES["base"].hub)
    assert reranker_for(EmbeddingSettings(model=str(folder))) == PROFILES["base"].reranker != ""


@pytest.mark.needs("torch")
@pytest.mark.parametrize("model", ["base", "multilingual", "nobody/has-this"])
def test_a_model_that_the_hub_does_not_give_is_an_error_that_names_it_and_what_to_do(
    model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    settings = EmbeddingSettings(model=model)
    card = card_of(model)
    with pytest.raises(ConfigurationError) as caught:
        build_model(settings)
    assert repr(model) in str(caught.value) and (card is None or card.hub in str(caught.value))
    assert "python -m indexer convert" in str(caught.value).replace("\n", " ")
    assert light_tokens(settings) is None


def stand_in(monkeypatch: pytest.MonkeyPatch, folder: Path, **changes: Any) -> None:
    """Let a tiny model stand for the weights of the profile `base`."""
    tiny = replace(PROFILES["base"], hub=str(folder), dimensions=HIDDEN, reads=READS)
    monkeypatch.setattr(profiles, "PROFILES", {**PROFILES, "base": replace(tiny, **changes)})


@pytest.mark.needs("torch")
async def test_a_profile_reads_with_the_prefixes_of_its_card_which_its_files_do_not_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = a_model(tmp_path / "bge", pooling="cls")
    plain = SentenceTransformerModel(str(folder), batch_size=2)
    stand_in(monkeypatch, folder)
    model = build_model(EmbeddingSettings(model="base"))
    prefix = PROFILES["base"].prefixes.query
    assert f'query="{prefix}"' in model.name and plain.name != model.name
    question = "how much leave?"
    assert np.allclose(await model.encode_query(question), await plain.encode_query(prefix + question), atol=1e-5)
    assert not np.allclose(await model.encode_query(question), await plain.encode_query(question), atol=1e-3)
    assert np.allclose(await model.encode_documents([question]), await plain.encode_documents([question]), atol=1e-5)
    light = light_tokens(EmbeddingSettings(model="base"))
    assert light is not None and light.max_tokens == model.max_tokens


@pytest.mark.needs("torch")
@pytest.mark.parametrize("wrong", [{"dimensions": 768}, {"pooling": "mean"}])
def test_weights_that_are_not_those_of_the_profile_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: Mapping[str, Any]
) -> None:
    stand_in(monkeypatch, a_model(tmp_path / "bge", pooling="cls"), **wrong)
    with pytest.raises(ConfigurationError, match="is not the model that it should be"):
        build_model(EmbeddingSettings(model="base"))


@pytest.mark.needs("torch")
def test_prefixes_of_the_settings_win_over_those_of_card_and_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = a_model(tmp_path / "bge", pooling="cls", prompts={"query": "own: "})
    named = EmbeddingSettings(model=str(folder), query_prefix="ask: ")
    assert 'query="ask: "' in build_model(named).name
    assert 'query="' not in build_model(EmbeddingSettings(model=str(folder), query_prefix="")).name
    stand_in(monkeypatch, folder)
    assert 'query="ask: "' in build_model(EmbeddingSettings(model="base", query_prefix="ask: ")).name


@pytest.mark.parametrize("installed", [True, False])
@pytest.mark.parametrize(
    ("precision", "asked", "runs"),
    [
        ("fp32", "auto", {True: "openvino", False: "onnx"}),
        ("fp32", "onnx", {True: "onnx", False: "onnx"}),
        ("int8", "auto", {True: "onnx", False: "onnx"}),
    ],
)
def test_the_fastest_backend_that_is_installed_runs_a_converted_model(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    precision: str,
    asked: Any,
    runs: Mapping[bool, str],
    *,
    installed: bool,
) -> None:
    def find_spec(name: str) -> object | None:
        return name if installed else None

    monkeypatch.setattr("rag.embedding.choice.find_spec", find_spec)
    settings = EmbeddingSettings(model=str(a_card(tmp_path / "m", precision=precision)), backend=asked)
    assert choose(settings).backend == runs[installed]


@pytest.mark.parametrize(
    ("model", "settings", "remedy"),
    [
        ("small", {"backend": "torch"}, MINILM_FP32),
        ("minilm", {"backend": "openvino"}, "set auto"),
        ("small", {"query_prefix": "query: "}, "unset FOOTNOTE_EMBEDDING__QUERY_PREFIX"),
        ("base", {"backend": "onnx"}, "python -m indexer convert base FOLDER"),
        ("base", {"backend": "openvino"}, "python -m indexer convert base FOLDER"),
        ("fp32", {"backend": "torch"}, "the model that it was made of"),
        ("int8", {"backend": "openvino"}, "without --int8"),
    ],
)
def test_a_backend_that_cannot_run_the_model_is_an_error_that_says_what_to_do(
    tmp_path: Path, model: str, settings: Mapping[str, Any], remedy: str
) -> None:
    source = str(a_card(tmp_path / model, precision=model)) if model in ("fp32", "int8") else model
    with pytest.raises(ConfigurationError, match=remedy):
        choose(EmbeddingSettings(model=source, **settings))


@pytest.mark.needs("torch")
def test_what_runs_is_logged_and_told_with_its_place(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = tmp_path / "exported"
    export(SentenceTransformerModel(str(a_model(tmp_path / "m")), batch_size=2), folder, int8=False)
    settings = EmbeddingSettings(model=str(folder), backend="onnx")
    with caplog.at_level(logging.DEBUG, "rag.bootstrap.models"):
        model = build_model(settings)
    assert isinstance(model, ExportedModel)
    [line] = [record.__dict__ for record in caplog.records if record.name == "rag.bootstrap.models"]
    assert (line["model"], line["backend"]) == (model.name, "onnxruntime")
    assert model_place(settings) == f"{folder}, run by onnxruntime"
    assert "run by torch" in model_place(EmbeddingSettings(model=MINILM_FP32))
    assert model_place(EmbeddingSettings(model="base")) == "the model hub (BAAI/bge-base-en-v1.5), run by torch"
