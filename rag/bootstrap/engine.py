"""All that a program stands on that answers, or that measures how answers are found."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from pathlib import Path

from rag.answering.answer_cache import AnswerCache
from rag.answering.answerer import Answerer, AnswererParts
from rag.answering.gate import AnswerabilityGate
from rag.answering.groundedness.checking import SupportCheck
from rag.answering.writing import Writer
from rag.bootstrap.models import build_model
from rag.bootstrap.providers import open_llm, providers
from rag.bootstrap.stores import open_cache, open_store
from rag.cache.base import MonitoredCache
from rag.embedding.base import DenseModel, Embedder, TextModel, TokenModel
from rag.embedding.cached import CachedModel
from rag.embedding.choice import choose, reranker_for
from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.sparse import Bm25
from rag.errors import ConfigurationError, IndexMissing
from rag.llm.base import LLM
from rag.llm.fallback import FallbackLLM
from rag.retrieval.base import Reranker
from rag.retrieval.deps import RetrievalDeps, no_reranker
from rag.retrieval.index_check import check_vectors
from rag.retrieval.modes import RetrievalMode, RetrievalModes, mode_of
from rag.retrieval.ranking.model import Weights, load_weights
from rag.retrieval.rerank import CrossEncoderReranker
from rag.settings.engine import AnsweringSettings
from rag.store.base import SCHEMA, VectorStore
from rag.store.manifests import embedder_difference
from rag.telemetry import Counters

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ports:
    """What an engine is built over: adapters that the settings name, or fakes."""

    store: VectorStore
    cache: MonitoredCache
    model: DenseModel
    tokens: TokenModel | None = None
    """The model, where it tells the vectors of a text's tokens."""
    llm: FallbackLLM | None = None


@dataclass(frozen=True, slots=True)
class Search:
    """What finds and decides, without the cache and the answers: the part of the engine that is measured."""

    embedder: Embedder
    store: VectorStore
    gate: AnswerabilityGate
    modes: RetrievalModes
    bm25: Bm25
    """The embedder's own: what it has learned of words is kept once."""


@dataclass(frozen=True, slots=True)
class Engine:
    """All that a program that answers stands on."""

    embedder: Embedder
    store: VectorStore
    modes: RetrievalModes
    cache: MonitoredCache
    llm: FallbackLLM | None
    answerer: Answerer
    counters: Counters
    backend: str
    """What runs the embedding model that the settings name."""


@asynccontextmanager
async def open_engine(settings: AnsweringSettings) -> AsyncGenerator[Engine]:
    """Open what the settings name, build the engine over it, and close it. Raises ConfigurationError, StoreError."""
    mode = _mode(settings)
    async with AsyncExitStack() as stack:
        cache = await stack.enter_async_context(open_cache(settings))
        store = await stack.enter_async_context(open_store(settings))
        llm = await stack.enter_async_context(open_llm(settings))
        model = await asyncio.to_thread(build_model, settings.embedding)
        engine = build_engine(settings, Ports(store, cache, model, model, llm))
        await _check_index(store, engine.embedder, mode)
        await asyncio.to_thread(engine.modes.retriever)  # now: a model that a stage lacks is told at the start
        log.info("the engine is ready", extra={"model": model.name, "backend": engine.backend, "mode": str(mode)})
        yield engine


def build_engine(settings: AnsweringSettings, ports: Ports, *, counters: Counters | None = None) -> Engine:
    """An engine over these ports, which stay the caller's to close. Raises ConfigurationError."""
    counters = counters or Counters()
    search = _search(settings, ports.store, CachedModel(ports.model, ports.cache), tokens=ports.tokens, llm=ports.llm)
    terms = search.bm25.terms
    writer = Writer(
        ports.llm,
        terms,
        models="|".join(f"{provider.base_url} {provider.model}" for provider in providers(settings)),
        context_chars=settings.answer.context_chars,
        max_tokens=settings.llm.max_tokens,
        excerpts=settings.answer.excerpts,
    )
    ttl = timedelta(hours=settings.answer.cache_hours)
    parts = AnswererParts(
        store=ports.store,
        embedder_name=search.embedder.name,
        modes=search.modes,
        gate=search.gate,
        writer=writer,
        check=SupportCheck(terms, search.embedder),
        llm=ports.llm,
        cache=AnswerCache(ports.cache, ttl, ledger=ports.store, counters=counters),
        counters=counters,
    )
    answerer = Answerer(parts, passages=settings.retrieval.passages)
    backend = choose(settings.embedding).title
    return Engine(search.embedder, ports.store, search.modes, ports.cache, ports.llm, answerer, counters, backend)


@asynccontextmanager
async def open_search(settings: AnsweringSettings, model: TextModel) -> AsyncGenerator[Search]:
    """What searches the index as `open_engine` does, with a model that was built before. Raises ConfigurationError."""
    mode = _mode(settings)
    async with open_store(settings) as store, open_llm(settings) as llm:
        search = _search(settings, store, model, tokens=model, llm=llm)
        await _check_index(store, search.embedder, mode)
        yield search


def _mode(settings: AnsweringSettings) -> RetrievalMode:
    """The mode that is set. Raises ConfigurationError; before anything slow is built."""
    try:
        mode = mode_of(settings.retrieval.mode)
    except ConfigurationError as error:
        raise ConfigurationError(f"FOOTNOTE_RETRIEVAL__MODE: {error}") from None
    if settings.retrieval.reranker and "cross" not in mode.stages:
        log.warning("FOOTNOTE_RETRIEVAL__MODE has no `+cross`: the reranker is used only where a request asks for it")
    return mode


def _search(
    settings: AnsweringSettings, store: VectorStore, model: DenseModel, *, tokens: TokenModel | None, llm: LLM | None
) -> Search:
    bm25 = Bm25()
    embedder = HybridEmbedder(model, bm25)
    weights = _weights(settings.retrieval.ranker, model)
    name = settings.retrieval.reranker or reranker_for(settings.embedding)

    @lru_cache(maxsize=1)
    def reranker() -> Reranker:
        return CrossEncoderReranker(name) if name else no_reranker()

    deps = RetrievalDeps(embedder, store, settings.retrieval, llm, tokens, reranker, bm25, weights)
    gate = AnswerabilityGate(bm25, decline=weights.decline, caution=weights.caution)
    return Search(embedder, store, gate, RetrievalModes(deps), bm25)


def _weights(file: str, model: DenseModel) -> Weights:
    try:
        weights = load_weights(Path(file)) if file else load_weights()
    except ConfigurationError as error:
        raise ConfigurationError(f"FOOTNOTE_RETRIEVAL__RANKER: {error}" if file else str(error)) from error
    if weights.embedder != model.name:
        log.warning(
            "the ranker was fitted on another embedding model: its order still holds, but probabilities, and with them "
            "what is declined, do not; fit it with `python -m lab.training.ranker` and set FOOTNOTE_RETRIEVAL__RANKER",
            extra={"fitted_on": weights.embedder, "model": model.name},
        )
    return weights


async def _check_index(store: VectorStore, embedder: Embedder, mode: RetrievalMode) -> None:
    """A question is embedded with the model that the index was made with, and finds what it needs there, or nothing."""
    try:
        manifest = await store.manifest()
    except IndexMissing:
        return  # the first drop may still come; each question says so until then
    if manifest.schema != SCHEMA:
        raise ConfigurationError(
            f"the index has schema {manifest.schema}, this version reads schema {SCHEMA}: make it anew with "
            "`python -m indexer reindex`"
        )
    if difference := embedder_difference(manifest.embedder, embedder.name):
        raise ConfigurationError(difference)
    if reason := mode.reason_against(manifest):
        raise ConfigurationError(reason)
    await check_vectors(store, embedder)
