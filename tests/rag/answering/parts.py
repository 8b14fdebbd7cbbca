"""An Answerer over a few real documents in the real embedded store, with a model of words and a scripted LLM."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rag.answering.answerer import Answerer
from rag.bootstrap.engine import Ports, build_engine
from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.sparse import Bm25
from rag.llm.base import LLM
from rag.llm.fallback import FallbackLLM
from rag.settings.engine import AnsweringSettings
from rag.settings.groups import AnswerSettings, LLMSettings, RetrievalSettings
from rag.store.base import Recipe, VectorStore
from rag.store.edge import EdgeStore
from rag.telemetry import Counters
from rag.types.answers import Answer, Delta, Turn
from rag.types.index import CorpusInfo
from rag.types.scope import Scope
from tests.documents import DIMENSIONS, WordModel, a_document, a_record, embedded

EMBEDDER = HybridEmbedder(WordModel(), Bm25()).name


class MemoryCache:
    """A Cache in this process; it forgets nothing."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.is_healthy = True
        self.failures = 0

    async def get(self, key: str) -> bytes | None:
        return self.kept.get(key)

    async def set(self, key: str, value: bytes, ttl: timedelta) -> None:
        self.kept[key] = value

    async def add(self, key: str, ttl: timedelta) -> bool:
        return key not in self.kept and self.kept.setdefault(key, b"1") == b"1"

    async def delete(self, key: str) -> None:
        self.kept.pop(key, None)


async def fill(store: VectorStore, embedder: str = EMBEDDER, **texts: Sequence[str]) -> None:
    """One generation more. A document's name has two underscores for each slash of its uri."""
    async with store.write(Recipe(embedder, DIMENSIONS, "whole"), fresh=embedder != EMBEDDER) as writer:
        for name, passages in texts.items():
            document = a_document(name.replace("__", "/"), title=name.rsplit("__", 1)[-1])
            await writer.put(a_record(document, chunks=len(passages)), await embedded(document, *passages))
        await writer.commit([CorpusInfo("drive", "/srv/drive", len(texts), 1, datetime(2026, 1, 1, tzinfo=UTC))])


@asynccontextmanager
async def a_filled_store(folder: Path, **texts: Sequence[str]) -> AsyncGenerator[EdgeStore]:
    store = EdgeStore(folder / "index")
    try:
        await fill(store, EMBEDDER, **texts)
        yield store
    finally:
        await store.aclose()


def an_answerer(
    store: VectorStore,
    llm: LLM | None = None,
    cache: MemoryCache | None = None,
    *,
    counters: Counters | None = None,
    retrieval: RetrievalSettings | None = None,
) -> Answerer:
    """The engine's, over these ports, whatever the environment says."""
    settings = AnsweringSettings.model_construct(
        retrieval=retrieval or RetrievalSettings(candidates=20, passages=6),
        answer=AnswerSettings(context_chars=4000, excerpts=3),
        llm=LLMSettings(max_tokens=100),
    )
    fallback = None if llm is None else FallbackLLM([llm])
    ports = Ports(store, cache or MemoryCache(), WordModel(), llm=fallback)
    return build_engine(settings, ports, counters=counters).answerer


async def asked(
    answerer: Answerer,
    question: str,
    scope: Scope | None = None,
    history: Sequence[Turn] = (),
    mode: str | None = None,
) -> Answer:
    """The finished answer; its text is what was shown on the way."""
    shown: list[str] = []
    answers: list[Answer] = []
    async with asyncio.timeout(60):
        async for event in answerer.answer(question, history, scope or Scope.everything(), mode=mode):
            match event:
                case Delta():
                    assert not answers
                    shown.append(event.text)
                case Answer():
                    answers.append(event)
                case _:
                    assert event.text
    [answer] = answers
    assert "".join(shown) == answer.text
    return answer
