"""A small true ruler: what a word-piece tokenizer does, without its vocabulary."""

from __future__ import annotations

import re
from dataclasses import dataclass

_WORD = re.compile(r"[\u2e80-\ud7ff\uf900-\ufaff]|[^\W\u2e80-\ud7ff\uf900-\ufaff]+|[^\w\s]")
_PIECE_CHARS = 4


@dataclass(frozen=True, slots=True)
class SmallRuler:
    """Each East Asian character and each sign is a token, and so is each begun group of four letters of a word."""

    max_tokens: int = 254

    def ends(self, text: str) -> list[int]:
        """The end of each token."""
        ends: list[int] = []
        for word in _WORD.finditer(text):
            ends.extend(range(word.start() + _PIECE_CHARS, word.end(), _PIECE_CHARS))
            ends.append(word.end())
        return ends
