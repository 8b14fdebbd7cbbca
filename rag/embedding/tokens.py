"""How a model counts text, without the model's weights: what is cut must be measured long before it is embedded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

from tokenizers import Tokenizer
from tokenizers.implementations.bert_wordpiece import BertWordPieceTokenizer

from rag.embedding.profiles import Prefixes, prefixes_in
from rag.errors import ConfigurationError

PACKAGE: Final = "rag.embedding"
VOCABULARY_SHA256: Final = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
READS: Final = 256  # word pieces, the two special ones included: the card of all-MiniLM-L6-v2 on max_seq_length
SPECIAL_TOKENS: Final = 2
"""One before the text and one behind it, as encoders read."""
UNKNOWN_LENGTH: Final = 512
_TOKENIZER: Final = "tokenizer.json"
_PROMPTS: Final = "config_sentence_transformers.json"
_SMALL_FILES: Final = (
    _TOKENIZER,
    _PROMPTS,
    "config.json",
    "modules.json",
    "sentence_bert_config.json",
    "tokenizer_config.json",
)
_HARMLESS: Final = frozenset({"max_seq_length", "transformer_task", "modality_config", "module_output_name"})
"""What `sentence_bert_config.json` may say without another way of counting."""


@dataclass(frozen=True, slots=True)
class Tokenization:
    """A text as a model reads it."""

    ids: Sequence[int]
    """Its tokens, special ones and those of a prefix included."""
    spans: Sequence[tuple[int, int] | None]
    """Where each stands in the text, as character offsets; None for what is not of the text."""


def reading_of(tokenizer: Tokenizer, text: str, *, prefix: str, reads: int) -> Tokenization:
    """The first `reads` tokens of prefix and text, special ones included."""
    encoding = tokenizer.encode(prefix + text, add_special_tokens=False)
    encoding.truncate(reads - tokenizer.num_special_tokens_to_add(is_pair=False))
    whole = tokenizer.post_process(encoding)
    places = zip(whole.offsets, whole.special_tokens_mask, strict=True)
    return Tokenization(whole.ids, [None if special else span_behind(span, prefix) for span, special in places])


def span_behind(span: tuple[int, int], prefix: str) -> tuple[int, int] | None:
    """Where a token of prefix and text stands in the text; None for one of the prefix."""
    start, end = (place - len(prefix) for place in span)
    return (max(start, 0), end) if end > 0 else None


class WordPieces:
    """The tokenizer of all-MiniLM-L6-v2."""

    def __init__(self) -> None:
        self.max_tokens = READS - SPECIAL_TOKENS
        with as_file(files(PACKAGE) / "minilm" / "vocab.txt") as path:
            _check_vocabulary(path)
            self._tokenizer = BertWordPieceTokenizer(str(path), lowercase=True)

    def token_ends(self, text: str) -> Sequence[int]:
        """The end of each word piece as a character offset, ascending."""
        return [end for _, end in self._tokenizer.encode(text, add_special_tokens=False).offsets]

    def ids(self, text: str) -> list[int]:
        """What the model reads: the word pieces between [CLS] and [SEP]."""
        return list(self.read(text).ids)

    def read(self, text: str) -> Tokenization:
        """What the model reads, and where it stands in the text."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        encoding.truncate(self.max_tokens)
        return Tokenization([_CLS, *encoding.ids, _SEP], [None, *encoding.offsets, None])


_CLS: Final = 101  # the vocabulary's line of [CLS], counted from 0
_SEP: Final = 102


def _check_vocabulary(path: Path) -> None:
    """Other word pieces would give other vectors without a word. Raises ConfigurationError."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "none"
    if digest != VOCABULARY_SHA256:
        raise ConfigurationError(
            f"{path} is missing or is not the vocabulary of the packaged model (sha256 {digest}, expected "
            f"{VOCABULARY_SHA256}): install footnote anew"
        )


class ModelTokens:
    """The tokenizer of a sentence-transformers model, from the small files that stand beside its weights."""

    def __init__(self, tokenizer: Tokenizer, max_tokens: int) -> None:
        self._tokenizer = tokenizer
        self.max_tokens = max_tokens

    @classmethod
    def of(cls, folder: Path, prefixes: Prefixes | None = None) -> ModelTokens | None:
        """None where these files do not tell all: then only the loaded model can say how it counts.

        `prefixes`: those that the model is read with; None for those that its files name.
        """
        source = folder / _TOKENIZER
        encoder = _told(folder / "sentence_bert_config.json")
        if not source.is_file() or not _is_plain(folder) or not _HARMLESS.issuperset(encoder):
            return None
        reads = encoder.get("max_seq_length") or min(
            _told(folder / "tokenizer_config.json").get("model_max_length") or UNKNOWN_LENGTH,
            _told(folder / "config.json").get("max_position_embeddings") or UNKNOWN_LENGTH,
        )
        tokenizer = whole_texts(source)
        prefix = (prefixes or prefixes_in(_told(folder / _PROMPTS).get("prompts") or {})).document
        return cls(tokenizer, int(reads) - SPECIAL_TOKENS - prefix_tokens(tokenizer, prefix))

    def token_ends(self, text: str) -> Sequence[int]:
        """The end of each token as a character offset, ascending."""
        return [end for _, end in self._tokenizer.encode(text, add_special_tokens=False).offsets]


def whole_texts(file: Path) -> Tokenizer:
    """The tokenizer of a file, which cuts nothing off: the file may say to, and nobody would see what was too long."""
    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def prefix_tokens(tokenizer: Tokenizer, prefix: str) -> int:
    """How many tokens less a model reads of a text that has this before it."""
    text = "a"  # a space at the prefix's end is part of what follows it, for many tokenizers
    with_prefix, alone = (tokenizer.encode(read, add_special_tokens=False) for read in (prefix + text, text))
    return len(with_prefix.ids) - len(alone.ids)


def small_files(model: str) -> Path | None:
    """The folder of a model on this machine or, for a hub name, of the files that tokens need; None without a hub."""
    if Path(model).is_dir():
        return Path(model)
    try:
        from huggingface_hub import snapshot_download  # noqa: PLC0415  # half a second, which the packaged model saves

        return Path(snapshot_download(model, allow_patterns=list(_SMALL_FILES)))
    except (OSError, ValueError):  # the hub's errors are of these kinds; loading the model says what is wrong
        return None


def _is_plain(folder: Path) -> bool:
    """Whether the model begins with a transformer whose files stand in the folder itself."""
    modules = folder / "modules.json"
    steps: list[dict[str, Any]] = json.loads(modules.read_text(encoding="utf-8")) if modules.is_file() else []
    return bool(steps) and str(steps[0].get("type", "")).endswith(".Transformer") and not steps[0].get("path")


def _told(path: Path) -> dict[str, Any]:
    """What a file of settings says, without what it leaves open; empty where there is none."""
    said: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {name: value for name, value in said.items() if value}
