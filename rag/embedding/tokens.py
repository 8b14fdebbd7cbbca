"""How a model counts text, without the model's weights: what is cut must be measured long before it is embedded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

from tokenizers import Tokenizer
from tokenizers.implementations.bert_wordpiece import BertWordPieceTokenizer

READS: Final = 256  # word pieces, the two special ones included: the card of all-MiniLM-L6-v2 on max_seq_length
SPECIAL_TOKENS: Final = 2
"""One before the text and one behind it, as encoders read."""
_UNKNOWN_LENGTH: Final = 512
_TOKENIZER: Final = "tokenizer.json"
_SMALL_FILES: Final = (
    _TOKENIZER,
    "config.json",
    "modules.json",
    "sentence_bert_config.json",
    "tokenizer_config.json",
)
_HARMLESS: Final = frozenset({"max_seq_length", "transformer_task", "modality_config", "module_output_name"})
"""What `sentence_bert_config.json` may say without another way of counting."""


class WordPieces:
    """The tokenizer of all-MiniLM-L6-v2."""

    def __init__(self) -> None:
        self.max_tokens = READS - SPECIAL_TOKENS
        with as_file(files("rag.embedding") / "minilm" / "vocab.txt") as path:
            self._tokenizer = BertWordPieceTokenizer(str(path), lowercase=True)

    def token_ends(self, text: str) -> Sequence[int]:
        """The end of each word piece as a character offset, ascending."""
        return [end for _, end in self._tokenizer.encode(text, add_special_tokens=False).offsets]

    def ids(self, text: str) -> list[int]:
        """What the model reads: the word pieces between [CLS] and [SEP]."""
        pieces: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids[: self.max_tokens]
        return [_CLS, *pieces, _SEP]


_CLS: Final = 101  # the vocabulary's line of [CLS], counted from 0
_SEP: Final = 102


class ModelTokens:
    """The tokenizer of a sentence-transformers model, from the small files that stand beside its weights."""

    def __init__(self, tokenizer: Tokenizer, max_tokens: int) -> None:
        self._tokenizer = tokenizer
        self.max_tokens = max_tokens

    @classmethod
    def of(cls, folder: Path) -> ModelTokens | None:
        """None where these files do not tell all: then only the loaded model can say how it counts."""
        source = folder / _TOKENIZER
        encoder = _told(folder / "sentence_bert_config.json")
        if not source.is_file() or not _is_plain(folder) or not _HARMLESS.issuperset(encoder):
            return None
        reads = encoder.get("max_seq_length") or min(
            _told(folder / "tokenizer_config.json").get("model_max_length") or _UNKNOWN_LENGTH,
            _told(folder / "config.json").get("max_position_embeddings") or _UNKNOWN_LENGTH,
        )
        tokenizer = Tokenizer.from_file(str(source))
        tokenizer.no_truncation()  # the file may say to cut: then nobody would see what was too long
        tokenizer.no_padding()
        return cls(tokenizer, int(reads) - SPECIAL_TOKENS)

    def token_ends(self, text: str) -> Sequence[int]:
        """The end of each token as a character offset, ascending."""
        return [end for _, end in self._tokenizer.encode(text, add_special_tokens=False).offsets]


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
