"""Which form of a model runs, and on what: told by the settings and the files that are there; nothing is loaded."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal

from rag.embedding.base import Tokens
from rag.embedding.export_card import ExportedTokens, is_exported, read_card
from rag.embedding.packaged import packaged_folder
from rag.embedding.profiles import MINILM, MINILM_FP32, Prefixes, card_of, reranker_of
from rag.embedding.tokens import ModelTokens, WordPieces, small_files
from rag.errors import ConfigurationError
from rag.settings.groups import EmbeddingSettings

Backend = Literal["torch", "onnx", "openvino"]
TITLES: Final[dict[Backend, str]] = {"torch": "torch", "onnx": "onnxruntime", "openvino": "OpenVINO"}
_PACKAGED: Final = (MINILM, "small")
_SETTING: Final = "FOOTNOTE_EMBEDDING__BACKEND"


@dataclass(frozen=True, slots=True)
class Choice:
    """What is to be built."""

    form: Literal["packaged", "exported", "transformer"]
    backend: Backend
    folder: Path | None
    """Of an exported model."""
    prefixes: Prefixes | None
    """Those that the settings name, instead of the model's own."""

    @property
    def title(self) -> str:
        """The backend, as people call it."""
        return TITLES[self.backend]


def choose(settings: EmbeddingSettings) -> Choice:
    """The fastest form that is installed and has files, or the one that is asked for.

    Raises ConfigurationError where that one cannot run the model.
    """
    model, asked = settings.model, settings.backend
    prefixes = _prefixes(settings)
    if model in _PACKAGED:
        if asked not in ("auto", "onnx"):
            raise ConfigurationError(
                f"{_SETTING}={asked} cannot run {model!r}, which is packaged in 8 bits for onnxruntime: set auto, or "
                f"FOOTNOTE_EMBEDDING__MODEL={MINILM_FP32}"
            )
        if prefixes is not None:
            raise ConfigurationError(
                f"{model!r} was trained without prefixes: unset FOOTNOTE_EMBEDDING__QUERY_PREFIX and "
                "FOOTNOTE_EMBEDDING__DOCUMENT_PREFIX, or take another FOOTNOTE_EMBEDDING__MODEL"
            )
        return Choice("packaged", "onnx", None, None)
    folder = Path(model)
    if is_exported(folder):
        return Choice("exported", _of_exported(folder, asked), folder, prefixes)
    if asked not in ("auto", "torch"):
        raise ConfigurationError(
            f"{_SETTING}={asked} needs an exported model, which {model!r} is not: write one with "
            f"`python -m indexer convert {model} FOLDER` and name that folder in FOOTNOTE_EMBEDDING__MODEL, or set auto"
        )
    return Choice("transformer", "torch", None, prefixes)


def reranker_for(settings: EmbeddingSettings) -> str:
    """The cross-encoder that goes with the model; empty where none is known. Raises ConfigurationError."""
    folder = Path(settings.model)
    return reranker_of(read_card(folder).model if is_exported(folder) else settings.model)


def light_tokens(settings: EmbeddingSettings) -> Tokens | None:
    """How the model of the settings counts, without its weights; None where only the loaded model can say.

    Raises ConfigurationError.
    """
    choice = choose(settings)
    if choice.form == "packaged":
        return WordPieces()
    if choice.folder is not None:
        return ExportedTokens(choice.folder, choice.prefixes)
    card = card_of(settings.model)
    packaged = settings.model == MINILM_FP32
    folder = packaged_folder() if packaged else small_files(settings.model if card is None else card.hub)
    prefixes = choice.prefixes or (None if card is None else card.prefixes)
    return None if folder is None else ModelTokens.of(folder, prefixes)


def _of_exported(folder: Path, asked: str) -> Backend:
    """OpenVINO is the faster one in 32 bits, onnxruntime in 8 (docs/adr/0013-model-profiles.md)."""
    rounded = read_card(folder).precision != "fp32"
    match asked:
        case "torch":
            raise ConfigurationError(
                f"{_SETTING}=torch cannot run {str(folder)!r}, which is an exported model: set auto, or name the model "
                "that it was made of in FOOTNOTE_EMBEDDING__MODEL"
            )
        case "openvino" if rounded:
            raise ConfigurationError(
                f"{_SETTING}=openvino does not run {str(folder)!r}, which is in 8 bits: onnxruntime is faster there. "
                "Set auto, or write the folder anew without --int8"
            )
        case "openvino":
            return "openvino"
        case "auto" if not rounded and find_spec("openvino") is not None:
            return "openvino"
        case _:
            return "onnx"


def _prefixes(settings: EmbeddingSettings) -> Prefixes | None:
    query, document = settings.query_prefix, settings.document_prefix
    return None if query is None and document is None else Prefixes(query or "", document or "")
