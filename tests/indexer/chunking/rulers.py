"""Small true rulers: what a word-piece tokenizer does, without its vocabulary."""

from __future__ import annotations

import re

_WORD = re.compile(r"[\u2e80-\ud7ff\uf900-\ufaff]|[^\W\u2e80-\ud7ff\uf900-\ufaff]+|[^\w\s]")
_PIECE_CHARS = 4


class SmallRuler:
    """Each East Asian character and each sign is a token, and so is each begun group of four letters of a word."""

    def __init__(self, max_tokens: int = 254) -> None:
        self.max_tokens = max_tokens

    def ends(self, text: str) -> list[int]:
        """The end of each token."""
        ends: list[int] = []
        for word in _WORD.finditer(text):
            ends.extend(range(word.start() + _PIECE_CHARS, word.end(), _PIECE_CHARS))
            ends.append(word.end())
        return ends


class CountingRuler(SmallRuler):
    """Counts what it has measured."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.characters = 0

    def ends(self, text: str) -> list[int]:
        self.calls += 1
        self.characters += len(text)
        return super().ends(text)
