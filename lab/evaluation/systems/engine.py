"""The modes of the engine itself: the retrievers and the gate that serve a chat."""

from __future__ import annotations

from lab.evaluation.systems.base import FoundPassage, Ranking
from rag.bootstrap.engine import Search
from rag.telemetry import Stopwatch
from rag.types.chunks import RetrievedChunk
from rag.types.scope import Scope


class EngineMode:
    """One mode of retrieving, and the gate over what it finds. Nothing is cached."""

    def __init__(self, search: Search, name: str, *, passages: int) -> None:
        """`passages`: how many an answer is written from, and therefore weighed. Raises ConfigurationError."""
        self.name = name
        self._search = search
        self._retriever = search.modes.retriever(name)
        self._passages = passages

    async def ask(self, question: str, *, limit: int, decide: bool = False) -> Ranking:
        """Retrieve, and weigh the passages that an answer would be written from. Raises StoreError."""
        scope, watch = Scope.everything(), Stopwatch()
        if decide:
            with watch.stage("embed"):  # for its time alone: `retrieve` embeds again
                await self._search.embedder.embed_query(question)
        with watch.stage("retrieve"):
            found = await self._retriever.retrieve(question, scope, limit=limit)
        decision = None
        if decide:
            with watch.stage("weigh"):
                decision = self._search.gate.decide(question, found)
        codes = tuple(notice.code for notice in found.notices)
        stages = {f"retrieve: {stage}": seconds for stage, seconds in found.timings.items()}
        return Ranking([passage_of(hit) for hit in found.chunks], {**watch.seconds, **stages}, decision, codes)


def passage_of(hit: RetrievedChunk) -> FoundPassage:
    """Where a chunk stands, in the file and in its copies."""
    pages = dict.fromkeys(span.page for span in hit.chunk.spans)
    documents = (hit.chunk.document, *hit.also)
    return FoundPassage(tuple((document.uri, page) for document in documents for page in pages), hit.probability)
