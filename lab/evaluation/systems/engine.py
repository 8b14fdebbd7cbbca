"""The ways of the engine itself: the retrievers and the rule of evidence that serve a chat."""

from __future__ import annotations

from lab.evaluation.systems.base import FoundPassage, Ranking, Weight
from rag.bootstrap.engine import Search
from rag.telemetry import Stopwatch
from rag.types.chunks import ScoredChunk
from rag.types.scope import Scope


class EngineWay:
    """One way of retrieving, and the judge of what it finds. Nothing is cached."""

    def __init__(self, search: Search, name: str, *, passages: int) -> None:
        """`passages`: how many an answer is written from, and therefore weighed. Raises ConfigurationError."""
        self.name = name
        self._search = search
        self._retriever = search.ways.retriever(name)
        self._passages = passages

    async def ask(self, question: str, *, limit: int, weigh: bool = False) -> Ranking:
        """Retrieve, and weigh the passages that an answer would be written from. Raises StoreError."""
        scope, watch = Scope.everything(), Stopwatch()
        if weigh:
            with watch.stage("embed"):  # for its time alone: `retrieve` embeds again
                await self._search.embedder.embed_query(question)
        with watch.stage("retrieve"):
            hits = await self._retriever.retrieve(question, scope, limit=limit)
        weight = None
        if weigh:
            with watch.stage("weigh"):
                evidence = self._search.judge.weigh(question, hits)
            weight = Weight(evidence.strength, evidence.verdict)
        codes = tuple(notice.code for notice in hits.notices)
        stages = {f"retrieve: {stage}": seconds for stage, seconds in hits.timings.items()}
        return Ranking([passage_of(hit) for hit in hits.chunks], {**watch.seconds, **stages}, weight, codes)


def passage_of(hit: ScoredChunk) -> FoundPassage:
    """Where a chunk stands, in the file and in its copies."""
    pages = dict.fromkeys(span.page for span in hit.chunk.spans)
    documents = (hit.chunk.document, *hit.also)
    return FoundPassage(tuple((document.uri, page) for document in documents for page in pages), hit.score)
