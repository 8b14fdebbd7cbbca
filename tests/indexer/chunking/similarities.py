"""A small true similarity: what a model says of texts, without its weights."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


class SharedWords:
    """Texts are alike as far as they share words."""

    name = "shared words"

    def __init__(self) -> None:
        self.characters = 0
        """All that was compared so far."""

    def of_neighbours(self, texts: Sequence[str]) -> list[float]:
        """One fewer than there are texts."""
        self.characters += sum(map(len, texts))
        words = [set(text.lower().split()) for text in texts]
        return [len(one & two) / (len(one | two) or 1) for one, two in pairwise(words)]
