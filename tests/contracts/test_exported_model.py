"""A model that was converted is the one it was made of: the same vectors, the same name; and damage is seen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rag.embedding.export import check_likeness, export
from rag.embedding.export_card import CARD, GRAPH, TOKENIZER, ExportedTokens, read_card
from rag.embedding.exported import ExportedModel
from rag.embedding.graphs import OnnxGraph, OpenVinoGraph
from rag.embedding.profiles import Prefixes
from rag.embedding.tokens import ModelTokens
from rag.embedding.transformer import SentenceTransformerModel
from rag.errors import ConfigurationError
from tests.embedding_models import READS, a_model, a_multilingual_model, exported, packaged

TEXTS = [
    "The budget is 40000 euros.",
    "whales sing in the northern sea",
    "Urlaub: 30 Tage, Straße",
    "x",
    "",
    "word " * 300,
]
ENGINES = [
    OnnxGraph,
    pytest.param(OpenVinoGraph, marks=pytest.mark.needs("openvino")),
]
E5 = {"query": "query: ", "passage": "passage: "}


def loaded(folder: Path) -> SentenceTransformerModel:
    return SentenceTransformerModel(str(folder), batch_size=2)


@pytest.fixture(params=["cls", "mean", "multilingual"])
def original(request: pytest.FixtureRequest, tmp_path: Path) -> SentenceTransformerModel:
    match request.param:
        case "multilingual":
            return loaded(a_multilingual_model(tmp_path / "model", prompts=E5))
        case pooling:
            return loaded(a_model(tmp_path / "model", pooling=pooling, prompts=E5))


@pytest.mark.needs("torch")
@pytest.mark.parametrize("engine", ENGINES)
async def test_in_32_bits_the_vectors_and_the_name_are_those_of_the_original(
    engine: type[OnnxGraph | OpenVinoGraph],
) -> None:
    model, original = ExportedModel(exported(int8=False), engine), packaged()
    texts = [text for text in TEXTS if text]
    cosines = (await model.encode_documents(texts) * await original.encode_documents(texts)).sum(axis=1)
    assert cosines.min() >= 0.9999
    assert await model.encode_query(texts[0]) @ await original.encode_query(texts[0]) >= 0.9999
    assert (model.name, model.dimensions, model.max_tokens) == (
        original.name,
        original.dimensions,
        original.max_tokens,
    )


@pytest.mark.needs("torch")
async def test_in_8_bits_the_vectors_are_near_and_the_name_is_another() -> None:
    model, original = ExportedModel(exported(int8=True), OnnxGraph), packaged()
    texts = [text for text in TEXTS if text]
    cosines = (await model.encode_documents(texts) * await original.encode_documents(texts)).sum(axis=1)
    assert 0.95 < cosines.min() < 0.9999
    assert "/fp32/" in original.name and "/int8/" in model.name
    assert (exported(int8=True) / GRAPH).stat().st_size < (exported(int8=False) / GRAPH).stat().st_size / 3


@pytest.mark.needs("torch")
def test_in_8_bits_no_two_products_overflow_16_bits_so_that_every_processor_gives_the_same_vectors() -> None:
    import onnx  # noqa: PLC0415  # part of an extra
    from onnx import numpy_helper  # noqa: PLC0415  # likewise

    graph: Any = onnx.load(exported(int8=True) / GRAPH).graph
    rounded = [numpy_helper.to_array(part) for part in graph.initializer if part.data_type == onnx.TensorProto.INT8]
    weights = [matrix.astype(int) for matrix in rounded if matrix.ndim == 2]
    assert len(weights) > 10
    assert max(int(np.abs(matrix).max()) for matrix in weights) * 2 * 255 < 2**15


@pytest.mark.needs("torch")
@pytest.mark.parametrize("engine", ENGINES)
async def test_pooling_prefixes_length_and_tokens_are_those_of_the_original(
    original: SentenceTransformerModel, tmp_path: Path, engine: type[OnnxGraph | OpenVinoGraph]
) -> None:
    export(original, tmp_path / "exported", int8=False)
    model = ExportedModel(tmp_path / "exported", engine)
    assert model.name == original.name and 'query="query: " document="passage: "' in model.name
    assert model.max_tokens == original.max_tokens < READS - 2
    ours, theirs = await model.encode_documents(TEXTS), await original.encode_documents(TEXTS)
    assert np.allclose(ours, theirs, atol=1e-4)
    assert np.allclose(await model.encode_query(TEXTS[1]), await original.encode_query(TEXTS[1]), atol=1e-4)
    assert not np.allclose(ours[1], await model.encode_query(TEXTS[1]), atol=1e-3)  # the prefixes differ
    for text in TEXTS:
        assert list(model.token_ends(text)) == list(original.token_ends(text))
    tokens, expected = await model.encode_document_tokens(TEXTS), await original.encode_document_tokens(TEXTS)
    for ours_of_text, theirs_of_text, text in zip(tokens, expected, TEXTS, strict=True):
        assert ours_of_text.spans == theirs_of_text.spans
        assert np.allclose(ours_of_text.rows, theirs_of_text.rows, atol=1e-4)
        assert np.allclose(np.linalg.norm(ours_of_text.rows, axis=1), 1, atol=1e-5)
        ends = model.token_ends(text)
        if len(ends) <= model.max_tokens:  # a space before the first word may be a token of its own, of the prefix here
            assert {end for _, end in ours_of_text.spans} == set(ends)
    asked = await model.encode_query_tokens(TEXTS[1])
    assert np.allclose(asked.rows, (await original.encode_query_tokens(TEXTS[1])).rows, atol=1e-4)


@pytest.mark.needs("torch")
async def test_a_text_of_max_tokens_is_read_to_its_end_and_no_further(original: SentenceTransformerModel) -> None:
    word = "the "
    whole = (word * (original.max_tokens - 1)).strip()
    last, beyond = f"{whole} 7", f"{whole} the 7"
    if len(original.token_ends(last)) != original.max_tokens:  # a digit with its space is two pieces there
        whole = (word * (original.max_tokens - 2)).strip()
        last, beyond = f"{whole} 7", f"{whole} the the 7"
    assert len(original.token_ends(last)) == original.max_tokens
    rows = await original.encode_documents([last, last[:-1] + "8", beyond, beyond[:-1] + "8"])
    assert not np.allclose(rows[0], rows[1], atol=1e-5)
    assert np.allclose(rows[2], rows[3], atol=1e-5)


@pytest.mark.needs("torch")
def test_tokens_can_be_had_without_the_weights_prefix_included(
    original: SentenceTransformerModel, tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    light = ModelTokens.of(folder)
    assert light is not None and light.max_tokens == original.max_tokens
    bare = ModelTokens.of(folder, Prefixes())
    assert bare is not None and bare.max_tokens == READS - 2
    export(original, tmp_path / "exported", int8=False)
    (tmp_path / "exported" / GRAPH).unlink()
    exported_tokens = ExportedTokens(tmp_path / "exported")
    assert exported_tokens.max_tokens == original.max_tokens
    for text in TEXTS:
        ends = list(original.token_ends(text))
        assert list(light.token_ends(text)) == ends == list(exported_tokens.token_ends(text))


@pytest.mark.needs("torch")
async def test_prefixes_that_the_operator_names_are_read_and_named(tmp_path: Path) -> None:
    folder = a_model(tmp_path / "model", prompts=E5)
    own = Prefixes("ask: ", "")
    original = SentenceTransformerModel(str(folder), batch_size=2, prefixes=own)
    export(loaded(folder), tmp_path / "exported", int8=False)
    model = ExportedModel(tmp_path / "exported", OnnxGraph, prefixes=own)
    assert model.name == original.name and 'query="ask: "' in model.name and "document=" not in model.name
    assert np.allclose(await model.encode_documents(TEXTS), await original.encode_documents(TEXTS), atol=1e-4)
    assert ExportedModel(tmp_path / "exported", OnnxGraph).name != model.name


@pytest.mark.needs("torch")
@pytest.mark.parametrize("name", [GRAPH, TOKENIZER])
@pytest.mark.parametrize("harm", ["gone", "changed", "cut off"])
def test_a_file_that_is_not_the_one_that_was_written_is_refused(tmp_path: Path, name: str, harm: str) -> None:
    folder = tmp_path / "exported"
    export(loaded(a_model(tmp_path / "model")), folder, int8=False)
    whole = (folder / name).read_bytes()
    match harm:
        case "gone":
            (folder / name).unlink()
        case "changed":
            (folder / name).write_bytes(whole[:-5] + b"\xff" + whole[-4:])
        case _:
            (folder / name).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ConfigurationError, match=rf"{name}.*python -m indexer convert"):
        ExportedModel(folder, OnnxGraph)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 2}', '{"model": "m"}'])
def test_a_card_that_cannot_be_understood_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / CARD).write_text(text)
    with pytest.raises(ConfigurationError, match=rf"{CARD} cannot be read"):
        read_card(tmp_path)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_file_that_is_no_graph_is_refused(tmp_path: Path, engine: type[OnnxGraph | OpenVinoGraph]) -> None:
    (tmp_path / GRAPH).write_bytes(b"\x00no graph" * 20)
    with pytest.raises(ConfigurationError, match="cannot be loaded by"):
        engine(tmp_path / GRAPH)


@pytest.mark.needs("torch")
def test_a_model_that_pools_in_a_way_of_its_own_stays_with_its_library(tmp_path: Path) -> None:
    model = loaded(a_model(tmp_path / "model", pooling="max"))
    with pytest.raises(ConfigurationError, match="by sentence-transformers alone"):
        export(model, tmp_path / "exported", int8=False)


@pytest.mark.needs("torch")
def test_a_folder_with_other_files_is_not_written_into(tmp_path: Path) -> None:
    folder = a_model(tmp_path / "model")
    with pytest.raises(ConfigurationError, match="holds other files"):
        export(loaded(folder), folder, int8=False)


@pytest.mark.needs("torch")
async def test_a_graph_that_gives_other_vectors_is_refused(tmp_path: Path) -> None:
    one, other = (loaded(a_model(tmp_path / str(seed), seed=seed)) for seed in (1, 2))
    export(other, tmp_path / "exported", int8=False)
    with pytest.raises(ConfigurationError, match="other vectors"):
        await check_likeness(one, ExportedModel(tmp_path / "exported", OnnxGraph), int8=False)


@pytest.mark.needs("torch")
def test_the_name_changes_with_weights_pooling_and_length_but_not_with_the_folders_place(tmp_path: Path) -> None:
    def name(place: str, **kind: str) -> str:
        return loaded(a_model(tmp_path / place / "model", **kind)).name  # pyright: ignore[reportArgumentType]  # pooling

    assert name("a") == name("b") and name("a2") != loaded(a_model(tmp_path / "c" / "model", seed=8)).name
    assert name("d", pooling="cls") != name("e")
    folder = a_model(tmp_path / "f" / "model")
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 30}))
    assert loaded(folder).name != name("g")
