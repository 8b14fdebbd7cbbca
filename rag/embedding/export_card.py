"""The folder that `python -m indexer convert` writes: its card, and how its model counts text."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, PositiveInt, ValidationError

from rag.embedding.identity import Precision
from rag.embedding.profiles import Pooling, Prefixes
from rag.embedding.tokens import Tokenization, prefix_tokens, reading_of, whole_texts
from rag.errors import ConfigurationError

CARD: Final = "footnote.json"
GRAPH: Final = "model.onnx"
TOKENIZER: Final = "tokenizer.json"


class ExportCard(BaseModel):
    """What stands in `footnote.json`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    model: str
    """What it was made of: the hub name, or the name of the folder."""
    precision: Precision
    pooling: Pooling
    reads: PositiveInt
    """Tokens of one text, special ones and prefix included."""
    query_prefix: str = ""
    document_prefix: str = ""
    weights: str
    """A digest of what the vectors come from: the original weights, or the graph where it was rounded."""
    sha256: Mapping[str, str]
    """Of each file beside this one."""

    @property
    def prefixes(self) -> Prefixes:
        """What is read before a text."""
        return Prefixes(self.query_prefix, self.document_prefix)


def is_exported(folder: Path) -> bool:
    """Whether the folder was written by `convert`."""
    return (folder / CARD).is_file()


def read_card(folder: Path) -> ExportCard:
    """The card of an exported model. Raises ConfigurationError."""
    try:
        return ExportCard.model_validate_json((folder / CARD).read_bytes())
    except (OSError, ValidationError) as error:
        raise ConfigurationError(f"{folder / CARD} cannot be read: {error}; {_ANEW}") from error


class ExportedTokens:
    """How an exported model counts text; no weights are loaded."""

    def __init__(self, folder: Path, prefixes: Prefixes | None = None) -> None:
        """`prefixes`: instead of those that the card names. Raises ConfigurationError."""
        self.card = read_card(folder)
        self.prefixes = prefixes or self.card.prefixes
        check_file(folder, self.card, TOKENIZER)
        self._tokenizer = whole_texts(folder / TOKENIZER)
        special = self._tokenizer.num_special_tokens_to_add(is_pair=False)
        self.max_tokens = self.card.reads - special - prefix_tokens(self._tokenizer, self.prefixes.document)

    def token_ends(self, text: str) -> Sequence[int]:
        """The end of each token as a character offset, ascending."""
        return [end for _, end in self._tokenizer.encode(text, add_special_tokens=False).offsets]

    def read(self, prefix: str, text: str) -> Tokenization:
        """What the model reads of both."""
        return reading_of(self._tokenizer, text, prefix=prefix, reads=self.card.reads)


def check_file(folder: Path, card: ExportCard, name: str) -> None:
    """Raises ConfigurationError where a file is not the one that was written."""
    path = folder / name
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ConfigurationError(f"the exported model lacks {path} ({error.strerror}): {_ANEW}") from error
    if digest != card.sha256.get(name):
        raise ConfigurationError(f"{path} is not the file that was written with its {CARD}: {_ANEW}")


_ANEW: Final = "copy the folder anew, or write it anew with `python -m indexer convert`"
