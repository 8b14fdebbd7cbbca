"""Any sentence-transformers model, by hub name or folder: for GPUs and for other models than the packaged one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from rag.embedding.base import TokenVectors
from rag.embedding.encoder import token_vectors
from rag.embedding.identity import PROBE, digest_of, fingerprint, name_of
from rag.embedding.packaged import packaged_folder
from rag.embedding.profiles import MINILM_FP32, Pooling, Prefixes, card_of, pooling_in, prefixes_in
from rag.embedding.tokens import SPECIAL_TOKENS, UNKNOWN_LENGTH, small_files, span_behind
from rag.embedding.whole_weights import whole_weights
from rag.errors import ConfigurationError
from rag.types.vectors import Matrix, Vector

T = TypeVar("T")

PACKAGED_LABEL: Final = "all-MiniLM-L6-v2"
_UNUSED: Final = "pooler."
"""Weights that some models have, and nobody uses: they may be drawn at random."""


class SentenceTransformerModel:
    """A SentenceTransformer behind our port, in 32 bits. One text at a time reaches the model, whoever asks."""

    def __init__(self, model: str, *, batch_size: int, prefixes: Prefixes | None = None) -> None:
        """Load it.

        Args:
            model: A hub name, a folder, the name of a profile, or MINILM_FP32.
            batch_size: Texts that it reads at once.
            prefixes: Instead of those that its card or its files name.

        Raises:
            ConfigurationError: It is not there, is damaged, or is not what its name says.
        """
        card = card_of(model)
        source = str(packaged_folder()) if model == MINILM_FP32 else model if card is None else card.hub
        self._model: Any = load(source, model)
        self._batch_size = batch_size
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="embedding")
        # Where texts are cut off is a state of a tokenizer: one that measures would change it for the one that reads.
        self._measuring: Any = deepcopy(self._model.tokenizer)
        said = (
            self._model.prompts if card is None else {"query": card.prefixes.query, "document": card.prefixes.document}
        )
        self.prefixes = prefixes or prefixes_in(said)
        self.dimensions: int = self._model.get_embedding_dimension()
        self.reads = int(self._model.max_seq_length or UNKNOWN_LENGTH)
        self.pooling: Pooling | None = _pooling_of(self._model)
        if card is not None and (card.dimensions, card.pooling) != (self.dimensions, self.pooling):
            raise ConfigurationError(
                f"{card.hub} is not the model that it should be ({self.dimensions} dimensions, pooling {self.pooling}; "
                f"expected {card.dimensions} and {card.pooling}): fetch its files anew, all of them"
            )
        self.max_tokens = self.reads - SPECIAL_TOKENS - self._prefix_tokens()
        self.label = PACKAGED_LABEL if model == MINILM_FP32 else Path(source).name if Path(source).is_dir() else source
        self.weights = digest_of(_bytes_of(self._model))
        probe = self._model.tokenizer(PROBE, truncation=True, max_length=self.reads, verbose=False)["input_ids"]
        mark = fingerprint(self.weights, pooling=self.pooling or "own", reads=self.reads, probe=probe)
        self.name = name_of(self.label, "fp32", mark, self.prefixes)

    def token_ends(self, text: str) -> Sequence[int]:
        """The end of each token as a character offset, ascending."""
        return [end for _, end in _cut(self._measuring, text)["offset_mapping"]]

    def encode(self, texts: Sequence[str]) -> Matrix:
        """One row a text, in order: shape (len(texts), dimensions)."""
        return self._reading.submit(self._rows, self._model.encode_document, texts, self.prefixes.document).result()

    async def encode_documents(self, texts: Sequence[str]) -> Matrix:
        """Likewise, in a thread."""
        return await asyncio.to_thread(self.encode, texts)

    async def encode_query(self, text: str) -> Vector:
        """One vector: shape (dimensions,)."""
        return (await self._read(self._rows, self._model.encode_query, [text], self.prefixes.query))[0]

    async def encode_document_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """The tokens of each text, in order."""
        return await self._read(self._tokens, self._model.encode_document, texts, self.prefixes.document)

    async def encode_query_tokens(self, text: str) -> TokenVectors:
        """The tokens of a question."""
        return (await self._read(self._tokens, self._model.encode_query, [text], self.prefixes.query))[0]

    def parts(self) -> tuple[Any, Any]:
        """The transformer, from ids to token vectors, and its tokenizer: for who writes it in another form."""
        transformer = self._model[0]
        return getattr(transformer, "model", None) or transformer.auto_model, self._model.tokenizer

    async def _read(self, work: Callable[..., T], encode: Any, texts: Sequence[str], prefix: str) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._reading, work, encode, texts, prefix)

    def _rows(self, encode: Any, texts: Sequence[str], prefix: str) -> Matrix:
        rows = encode(
            list(texts), prompt=prefix, batch_size=self._batch_size, normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(rows, dtype=np.float32).reshape(len(texts), self.dimensions)

    def _tokens(self, encode: Any, texts: Sequence[str], prefix: str) -> list[TokenVectors]:
        hidden = encode(
            list(texts),
            prompt=prefix,
            batch_size=self._batch_size,
            output_value="token_embeddings",
            show_progress_bar=False,
        )
        return [
            token_vectors(rows.float().cpu().numpy(), self._spans(prefix, text))
            for rows, text in zip(hidden, texts, strict=True)
        ]

    def _spans(self, prefix: str, text: str) -> list[tuple[int, int] | None]:
        """Where each token that the model reads stands in the text."""
        how = {"truncation": True, "max_length": self.reads, "add_special_tokens": True}
        cut = _cut(self._model.tokenizer, prefix + text, **how)
        places = zip(cut["offset_mapping"], cut["special_tokens_mask"], strict=True)
        return [None if special else span_behind(span, prefix) for span, special in places]

    def _prefix_tokens(self) -> int:
        text = "a"  # as `tokens.prefix_tokens`
        return len(self.token_ends(self.prefixes.document + text)) - len(self.token_ends(text))


def _cut(tokenizer: Any, text: str, **how: Any) -> Any:
    default = {"add_special_tokens": False, "truncation": False, "verbose": False}
    return tokenizer(text, return_offsets_mapping=True, return_special_tokens_mask=True, **(default | how))


def load(source: str, model: str) -> Any:
    """The SentenceTransformer of a folder or hub name, in 32 bits; `model` is its name in the settings.

    Raises ConfigurationError.
    """
    setting = "FOOTNOTE_EMBEDDING__MODEL"
    try:
        from safetensors import SafetensorError  # noqa: PLC0415  # comes with the next
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415  # ten seconds: torch
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f"{setting}={model!r} needs sentence-transformers: run `pip install -c constraints.txt '.[torch]'` in "
            "the folder of the source, or name a folder that `python -m indexer convert` wrote where it is installed"
        ) from error
    if not Path(source).is_dir() and small_files(source) is None:  # the next would try again and again for a minute
        raise _not_there(source, model, "the model hub does not give it")
    try:
        with whole_weights(model, setting, unused=_UNUSED):
            # Many files are in 16 bits, which a CPU computes slowly, and which are other vectors.
            return SentenceTransformer(source, model_kwargs={"dtype": "float32"})
    except (OSError, ValueError, SafetensorError) as error:
        raise _not_there(source, model, type(error).__name__) from error


def _not_there(source: str, model: str, reason: str) -> ConfigurationError:
    of_profile = "" if model in (source, MINILM_FP32) else f", which is {source},"
    return ConfigurationError(
        f"the embedding model {model!r}{of_profile} cannot be loaded ({reason}): name a folder that holds a "
        "sentence-transformers model, or one that the model hub knows and this machine can reach, or one that `python "
        "-m indexer convert` wrote on a machine that can"
    )


def _pooling_of(model: Any) -> Pooling | None:
    """None where vectors are made in another way than a graph of ours can: then only this library runs the model."""
    kinds = [type(module).__name__ for module in model]
    if kinds not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]):
        return None
    return pooling_in(model[1].get_config_dict())


def _bytes_of(model: Any) -> Iterator[memoryview]:
    """Each weight that changes a vector."""
    for name, weight in model.named_parameters():
        if _UNUSED not in name:
            yield memoryview(weight.detach().float().cpu().contiguous().numpy()).cast("B")
