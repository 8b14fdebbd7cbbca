"""The identifiers of a sentence looked up in its passages. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from rag.answering.groundedness.passages import Line, Passage
from rag.text.codes import codes_of, holds_code
from rag.types.groundedness import Lack, Missing


def missing_codes(line: Line, passages: Sequence[Passage], given: Line) -> list[Missing]:
    """Those that no passage holds. What the question (`given`) says needs no source."""
    keys = frozenset(codes_of(given.words)).union(*(passage.codes for passage in passages))
    return [Missing(Lack.CODE, code) for code in codes_of(line.words).values() if not holds_code(code, keys)]
