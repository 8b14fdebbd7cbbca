"""The indexer's parts are put together as the settings say, and no model is loaded before it is needed."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from indexer.bootstrap import SIMILARITY_TEXTS, ModelSimilarity, build_chunker, build_ruler
from indexer.chunking import CHUNKERS
from indexer.settings import IndexerSettings
from rag.embedding.minilm import MiniLM
from rag.embedding.profiles import MINILM_FP32
from rag.errors import ConfigurationError
from rag.settings.groups import EmbeddingSettings
from rag.settings.loading import load_settings
from rag.types.documents import Page
from tests.documents import WordModel
from tests.indexer.chunking.rulers import SmallRuler
from tests.indexer.chunking.similarities import SharedWords
from tests.processes import ROOT

TEXTS = [
    "Whales sing in the sea.",
    "Whales swim in the sea.",
    "Taxes are due in May.",
    "İstanbul 東京 👍🏽",
    "x " * 900,
]


@pytest.fixture(autouse=True)
def nothing_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def settings(**overrides: object) -> IndexerSettings:
    return load_settings(IndexerSettings, **overrides)


@pytest.mark.parametrize("model", ["minilm", "small", pytest.param(MINILM_FP32, marks=pytest.mark.needs("torch"))])
def test_a_ruler_without_weights_measures_as_the_model_does(model: str) -> None:
    ruler, loaded = build_ruler(EmbeddingSettings(model=model)), MiniLM()
    assert ruler.max_tokens == loaded.max_tokens
    for text in TEXTS:
        assert list(ruler.ends(text)) == list(loaded.token_ends(text))


@pytest.mark.parametrize("chunker", [name for name in CHUNKERS if name not in {"semantic", "hierarchical"}])
def test_cutting_loads_no_model(tmp_path: Path, chunker: str) -> None:
    program = f"""
import sys
from indexer.bootstrap import build_chunker, build_ruler
from indexer.settings import IndexerSettings
from rag.settings.loading import load_settings
from rag.types.documents import Page
settings = load_settings(IndexerSettings, chunker={chunker!r})
assert build_chunker(settings, build_ruler(settings.embedding)).cut([Page(1, "Some words. " * 300)], title="Notes")
assert not {{"rag.embedding.minilm", "torch", "transformers"}} & sys.modules.keys()
"""
    environment = {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", program], check=False, cwd=tmp_path, env=environment)  # noqa: S603  # ours
    assert done.returncode == 0


async def test_neighbours_are_as_alike_as_their_vectors_while_a_loop_runs() -> None:
    rows = await WordModel().encode_documents(TEXTS)
    expected = [float(one @ two) for one, two in pairwise(rows)]
    assert await asyncio.to_thread(ModelSimilarity(WordModel).of_neighbours, TEXTS) == pytest.approx(expected, abs=1e-6)


async def test_no_neighbours_are_forgotten_between_batches() -> None:
    texts = [f"text {number} of many" for number in range(2 * SIMILARITY_TEXTS + 3)]
    alike = await asyncio.to_thread(ModelSimilarity(WordModel).of_neighbours, texts)
    rows = await WordModel().encode_documents(texts)
    assert alike == pytest.approx([float(one @ two) for one, two in pairwise(rows)], abs=1e-6)
    assert list(ModelSimilarity(WordModel).of_neighbours(["alone"])) == []


def test_a_model_is_loaded_when_it_is_first_asked_and_only_then() -> None:
    loaded: list[str] = []

    def load() -> WordModel:
        loaded.append("once")
        return WordModel()

    similarity = ModelSimilarity(load)
    assert loaded == []
    similarity.of_neighbours(TEXTS)
    assert similarity.name == WordModel.name and loaded == ["once"]


async def test_the_real_model_tells_subjects_apart() -> None:
    chunker = build_chunker(settings(chunker="semantic"), SmallRuler(), ModelSimilarity(MiniLM))
    whales = "Blue whales sing deep in the ocean. Their songs are heard far across the sea. " * 4
    taxes = "The tax office wants the annual return in May. Whoever pays taxes late pays a fine. " * 4
    pieces = await asyncio.to_thread(chunker.cut, [Page(1, f"{whales}\n\n{taxes}" * 2)], title="Notes")
    assert len(pieces) > 2
    assert not [piece for piece in pieces if {"whales", "tax"} <= set(piece.page.text[piece.start : piece.end].split())]


@pytest.mark.parametrize(
    ("chunker", "size"), [("tokens", None), ("tokens", 300), ("fixed", 5_000), ("sentence", 2_000)]
)
def test_a_size_that_the_model_does_not_read_is_said_at_start(
    caplog: pytest.LogCaptureFixture, chunker: str, size: int | None
) -> None:
    build_chunker(settings(chunker=chunker, chunk_size=size), SmallRuler(max_tokens=254), SharedWords())
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "FOOTNOTE_CHUNK_SIZE" in caplog.text


@pytest.mark.parametrize("chunker", CHUNKERS)
def test_usual_sizes_that_the_model_reads_need_no_word(caplog: pytest.LogCaptureFixture, chunker: str) -> None:
    build_chunker(settings(chunker=chunker), SmallRuler(max_tokens=512), SharedWords())
    assert caplog.text == ""


@pytest.mark.parametrize("chunker", CHUNKERS)
def test_sizes_are_those_of_the_settings(chunker: str) -> None:
    made = build_chunker(settings(chunker=chunker, chunk_size=77, chunk_overlap=7), SmallRuler(), SharedWords())
    assert "/77/7/" in made.recipe
    with pytest.raises(ConfigurationError, match=r"FOOTNOTE_CHUNK_SIZE \(77\).*FOOTNOTE_CHUNK_OVERLAP \(77\)"):
        build_chunker(settings(chunker=chunker, chunk_size=77, chunk_overlap=77), SmallRuler(), SharedWords())
