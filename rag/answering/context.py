"""Found chunks as numbered, fenced sources."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from rag.types.chunks import RetrievedChunk, context_line


@dataclass(frozen=True, slots=True)
class Context:
    """What a model is given to read."""

    sources: Sequence[RetrievedChunk]
    """Source Sn of the prompt is sources[n - 1]."""
    text: str


def pack(hits: Sequence[RetrievedChunk], *, budget: int) -> Context:
    """Number the hits from S1, best first, until `budget` characters are full; the first is cut rather than left out.

    Each stands in a fence whose name is drawn anew for each question, so that no document can close it.
    """
    fence = f"source-{secrets.token_hex(4)}"
    sources: list[RetrievedChunk] = []
    blocks: list[str] = []
    left = budget
    for hit in hits:
        chunk = hit.chunk
        title = context_line(chunk.document.title, chunk.headings).replace('"', "'")
        head = f'<{fence} id="S{len(sources) + 1}" title="{title}" page="{chunk.label or chunk.page}">\n'
        tail = f"\n</{fence}>"
        room = left - len(head) - len(tail)
        if blocks and len(chunk.text) > room:
            break
        block = head + chunk.text[: max(room, 0)] + tail
        sources.append(hit)
        blocks.append(block)
        left -= len(block) + 2
    return Context(tuple(sources), "\n\n".join(blocks))
