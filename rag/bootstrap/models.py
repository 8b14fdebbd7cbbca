"""The embedding model that the settings name, built, converted, or told of."""

from __future__ import annotations

import asyncio
import logging
import time
from importlib.resources import files
from pathlib import Path

from rag.embedding.base import DenseModel, TextModel
from rag.embedding.choice import choose
from rag.embedding.export import Fidelity, check_likeness, export, require_packages
from rag.embedding.export_card import CARD
from rag.embedding.exported import ExportedModel
from rag.embedding.graphs import OnnxGraph, OpenVinoGraph
from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.minilm import PACKAGE, MiniLM
from rag.embedding.packaged import packaged_folder
from rag.embedding.profiles import MINILM_FP32, card_of
from rag.embedding.sparse import Bm25
from rag.embedding.transformer import SentenceTransformerModel
from rag.errors import ConfigurationError
from rag.settings.groups import EmbeddingSettings

log = logging.getLogger(__name__)


def build_model(settings: EmbeddingSettings) -> TextModel:
    """The dense model. Slow: seconds for anything but `small`. Raises ConfigurationError."""
    choice = choose(settings)
    began = time.monotonic()
    match choice.form, choice.folder:
        case "packaged", _:
            model: TextModel = MiniLM()
        case "exported", Path() as folder:
            graph = OpenVinoGraph if choice.backend == "openvino" else OnnxGraph
            model = ExportedModel(folder, graph, prefixes=choice.prefixes)
        case _:
            model = SentenceTransformerModel(settings.model, batch_size=settings.batch_size, prefixes=choice.prefixes)
    told = {"model": model.name, "backend": choice.title, "seconds": round(time.monotonic() - began, 2)}
    log.debug("the embedding model is ready", extra=told)
    return model


def embedder_name(model: DenseModel) -> str:
    """What the manifest of an index says that is made with this model."""
    return HybridEmbedder(model, Bm25()).name


async def convert_model(settings: EmbeddingSettings, folder: Path, *, int8: bool) -> Fidelity:
    """Write the model as a folder that runs without torch, and hold it against the original.

    Raises ConfigurationError where it cannot be written so, or does not compute what the original does.
    """
    choice = choose(settings)
    if choice.form != "transformer":
        raise ConfigurationError(f"{settings.model!r} needs no torch as it is: there is nothing to convert")
    await asyncio.to_thread(require_packages)
    original = await asyncio.to_thread(
        SentenceTransformerModel, settings.model, batch_size=settings.batch_size, prefixes=choice.prefixes
    )
    await asyncio.to_thread(export, original, folder, int8=int8)
    written = await asyncio.to_thread(ExportedModel, folder, OnnxGraph, prefixes=choice.prefixes)
    try:
        return await check_likeness(original, written, int8=int8)
    except ConfigurationError:
        (folder / CARD).unlink()  # nobody shall take it for a model
        raise


def model_place(settings: EmbeddingSettings) -> str:
    """What runs the dense model, and where it comes from: its folder, or the hub.

    Raises ConfigurationError where it is not installed.
    """
    choice = choose(settings)
    card = card_of(settings.model)
    if choice.form == "packaged":
        place = str(files(PACKAGE))
    elif settings.model == MINILM_FP32:
        place = str(packaged_folder())
    elif card is None and Path(settings.model).is_dir():
        place = str(Path(settings.model).absolute())
    else:
        place = f"the model hub ({settings.model if card is None else card.hub})"
    return f"{place}, run by {choice.title}"
