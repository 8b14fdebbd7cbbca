"""A model with weights that nobody trained is not taken for one."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from rag.embedding.transformer import SentenceTransformerModel
from rag.errors import ConfigurationError
from rag.retrieval.rerank import CrossEncoderReranker
from tests.embedding_models import a_bare_model, a_cross_encoder

pytestmark = pytest.mark.needs("torch")


def without(folder: Path, is_lost: Callable[[str], bool]) -> Path:
    """The folder with some weights taken out of its file."""
    from safetensors.numpy import load_file, save_file  # noqa: PLC0415  # part of an extra

    weights = load_file(folder / "model.safetensors")
    kept = {name: weight for name, weight in weights.items() if not is_lost(name)}
    assert len(kept) < len(weights)
    save_file(kept, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def test_a_model_that_is_no_cross_encoder_is_refused_as_a_reranker(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"classifier.*FOOTNOTE_RETRIEVAL__RERANKER"):
        CrossEncoderReranker(str(a_bare_model(tmp_path / "bi")))


def test_a_reranker_whose_file_lost_its_head_is_refused_also_where_the_library_is_told_to_be_silent(
    tmp_path: Path,
) -> None:
    folder = a_cross_encoder(tmp_path / "cross")
    CrossEncoderReranker(str(folder))
    logger = logging.getLogger("transformers.modeling_utils")
    logger.setLevel(logging.ERROR)
    try:
        with pytest.raises(ConfigurationError, match="lacks 2 of its weights"):
            CrossEncoderReranker(str(without(folder, lambda name: "classifier" in name)))
        assert logger.level == logging.ERROR
    finally:
        logger.setLevel(logging.NOTSET)


def test_an_embedding_model_with_a_layer_missing_is_refused_and_one_without_the_unused_pooler_is_not(
    tmp_path: Path,
) -> None:
    folder = without(a_bare_model(tmp_path / "bi"), lambda name: name.startswith("pooler"))
    assert SentenceTransformerModel(str(folder), batch_size=2).dimensions == 16
    with pytest.raises(ConfigurationError, match=r"lacks 16 of its weights.*FOOTNOTE_EMBEDDING__MODEL"):
        SentenceTransformerModel(str(without(folder, lambda name: "layer.1" in name)), batch_size=2)
