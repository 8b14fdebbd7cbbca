"""The vectors of parents: the mean of their chunks', or that of a summary where a model writes them."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Protocol

import numpy as np

from indexer.chunking.base import Ruler
from rag.embedding.base import Embedder
from rag.errors import ProviderError
from rag.llm.base import LLM, FinishReason, Message, complete
from rag.prompts import render
from rag.types.chunks import EmbeddedChunk, Parent
from rag.types.vectors import Vector

log = logging.getLogger(__name__)

SENTENCES: Final = 4
MAX_TOKENS: Final = 300
PASSAGES_CHARS: Final = 16_000  # twelve chunks of 800 characters have 9,600


@dataclass(frozen=True, slots=True)
class Parents:
    """What stands above the chunks of one document."""

    rows: Sequence[Parent]
    warnings: tuple[str, ...] = ()


class ParentMaker(Protocol):
    """Makes parents."""

    @property
    def recipe(self) -> str:
        """What stands behind the chunker's recipe, so that a change of the way is seen; empty for the plain one."""
        ...

    async def above(self, rows: Sequence[EmbeddedChunk]) -> Parents:
        """The parents of a document's chunks, in order; none where the chunks name none."""
        ...


class MeanParents:
    """L2-normalised means: whatever the length of the chunks, nothing of them is left unread."""

    recipe = ""

    async def above(self, rows: Sequence[EmbeddedChunk]) -> Parents:
        """One parent a run of chunks that name the same."""
        return Parents([_mean(number, family) for number, family in enumerate(_families(rows))])


class SummaryParents:
    """Summaries written by a language model and embedded (Sarthi et al., "RAPTOR", ICLR 2024, sec. 3).

    Where the model fails, the mean stands in, and the document's warnings say so.
    """

    def __init__(self, llm: LLM, embedder: Embedder, ruler: Ruler, *, model: str) -> None:
        self.recipe = f"+summaries-1/{model}"
        self._llm = llm
        self._embedder = embedder
        self._ruler = ruler

    async def above(self, rows: Sequence[EmbeddedChunk]) -> Parents:
        """One parent a run of chunks that name the same."""
        parents: list[Parent] = []
        reasons: list[str] = []
        unread: list[int] = []
        for number, family in enumerate(_families(rows)):
            mean = _mean(number, family)
            passages = "\n\n".join(row.chunk.text for row in family)
            try:
                parents.append(await self._summarized(mean, passages[:PASSAGES_CHARS]))
                unread += [left_out] if (left_out := len(passages) - PASSAGES_CHARS) > 0 else []
            except ProviderError as error:
                log.warning("no summary was written", extra={"reason": str(error)})
                reasons.append(error.reason)
                parents.append(mean)
        warnings = _cut(unread, len(parents))
        if not reasons:
            return Parents(parents, warnings)
        what = f"{len(reasons)} of {len(parents)} summaries could not be written ({reasons[0]})"
        stands_in = "passages there are found by the mean of their vectors"
        remedy = "Run `python -m indexer reindex` when the model is back."
        return Parents(parents, (f"{what}: {stands_in}. {remedy}", *warnings))

    async def _summarized(self, mean: Parent, passages: str) -> Parent:
        fence = f"passages-{secrets.token_hex(4)}"  # drawn anew, so that no document can close it
        prompt = render(
            "summarize",
            sentences=str(SENTENCES),
            title=mean.document.title,
            fence=fence,
            passages=passages,
        )
        text, end = await complete(self._llm, [Message("user", prompt)], max_tokens=MAX_TOKENS)
        summary = " ".join(text.split())
        if not summary or end.reason is FinishReason.CONTENT_FILTER:
            raise ProviderError(self._llm.name, "it wrote nothing")
        summary = self._within_window(summary)
        [embedding] = await self._embedder.embed_documents([summary])
        return Parent(mean.id, mean.document, mean.ordinal, summary, embedding.dense)

    def _within_window(self, summary: str) -> str:
        """As much of it, in whole words, as the embedding model reads."""
        ends = self._ruler.ends(summary)
        if len(ends) <= self._ruler.max_tokens:
            return summary
        return summary[: ends[self._ruler.max_tokens - 2]].rpartition(" ")[0]


def _cut(unread: Sequence[int], summaries: int) -> tuple[str, ...]:
    """The warning about passages that are longer than what a model is given."""
    if not unread:
        return ()
    cut = f"{len(unread)} of {summaries} summaries were written from the first {PASSAGES_CHARS:,} characters"
    return (f"{cut} of their passages, {sum(unread):,} were left out.",)


def _families(rows: Sequence[EmbeddedChunk]) -> list[list[EmbeddedChunk]]:
    """The chunks by the parent that they name."""
    return [list(family) for parent, family in groupby(rows, lambda row: row.chunk.parent) if parent is not None]


def _mean(number: int, family: Sequence[EmbeddedChunk]) -> Parent:
    chunk = family[0].chunk
    if chunk.parent is None:
        raise ValueError("a chunk without a parent is in no family")
    total: Vector = np.stack([row.embedding.dense for row in family]).sum(axis=0)
    return Parent(chunk.parent, chunk.document, number, "", total / (np.linalg.norm(total) or 1.0))
