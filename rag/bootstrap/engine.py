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
from rag.cache.redis import RedisCache
from rag.embedding.base import Embedder, TextModel
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
class Engine:
    """All that a program that answers stands on."""

    embedder: Embedder
    store: VectorStore
    modes: RetrievalModes
    cache: RedisCache
    llm: FallbackLLM | None
    answerer: Answerer
    counters: Counters
    backend: str
    """What runs the embedding model."""


@dataclass(frozen=True, slots=True)
class Search:
    """What finds and weighs, without the cache and the answers: the part of the engine that is measured."""

    embedder: Embedder
    store: VectorStore
    gate: AnswerabilityGate
    modes: RetrievalModes


@asynccontextmanager
async def open_engine(settings: AnsweringSettings) -> AsyncGenerator[Engine]:
    """Build the engine, and close what it opened. Raises ConfigurationError, StoreError."""
    way = _way(settings)
    async with AsyncExitStack() as stack:
        cache = await stack.enter_async_context(open_cache(settings))
        store = await stack.enter_async_context(open_store(settings))
        llm = await stack.enter_async_context(open_llm(settings))
        model = await asyncio.to_thread(build_model, settings.embedding)
        bm25 = Bm25()
        embedder = HybridEmbedder(CachedModel(model, cache), bm25)
        await _check_index(store, embedder, way)
        means = _means(settings, embedder, store, llm, model, bm25=bm25)
        modes = RetrievalModes(means)
        await asyncio.to_thread(modes.retriever)
        counters = Counters()
        writer = Writer(
            llm,
            bm25.terms,
            models="|".join(f"{provider.base_url} {provider.model}" for provider in providers(settings)),
            context_chars=settings.answer.context_chars,
            max_tokens=settings.llm.max_tokens,
            excerpts=settings.answer.excerpts,
        )
        ttl = timedelta(hours=settings.answer.cache_hours)
        answer_cache = AnswerCache(cache, ttl, ledger=store, counters=counters)
        check = SupportCheck(bm25.terms, embedder)
        parts = AnswererParts(store, embedder.name, modes, _gate(means), writer, check, llm, answer_cache, counters)
        answerer = Answerer(parts, passages=settings.retrieval.passages)
        backend = choose(settings.embedding).title
        log.info("the engine is ready", extra={"model": model.name, "backend": backend, "way": str(way)})
        yield Engine(embedder, store, modes, cache, llm, answerer, counters, backend)


@asynccontextmanager
async def open_search(settings: AnsweringSettings, model: TextModel) -> AsyncGenerator[Search]:
    """What searches the index as `open_engine` does, with a model that was built before. Raises ConfigurationError."""
    way = _way(settings)
    async with open_store(settings) as store, open_llm(settings) as llm:
        bm25 = Bm25()
        embedder = HybridEmbedder(model, bm25)
        await _check_index(store, embedder, way)
        means = _means(settings, embedder, store, llm, model, bm25=bm25)
        yield Search(embedder, store, _gate(means), RetrievalModes(means))


def _way(settings: AnsweringSettings) -> RetrievalMode:
    """The way that is set. Raises ConfigurationError; before anything slow is built."""
    try:
        way = mode_of(settings.retrieval.mode)
    except ConfigurationError as error:
        raise ConfigurationError(f"FOOTNOTE_RETRIEVAL__MODE: {error}") from None
    if settings.retrieval.reranker and "cross" not in way.stages:
        log.warning("FOOTNOTE_RETRIEVAL__MODE has no `+cross`: the reranker is used only where a request asks for it")
    return way


def _means(
    settings: AnsweringSettings,
    embedder: Embedder,
    store: VectorStore,
    llm: LLM | None,
    model: TextModel,
    *,
    bm25: Bm25,
) -> RetrievalDeps:
    name = settings.retrieval.reranker or reranker_for(settings.embedding)

    @lru_cache(maxsize=1)
    def reranker() -> Reranker:
        return CrossEncoderReranker(name) if name else no_reranker()

    return RetrievalDeps(
        embedder,
        store,
        settings.retrieval,
        llm,
        model,
        reranker,
        bm25,  # the embedder's own: what it has learned of words is kept once
        _weights(settings.retrieval.ranker, model),
    )


def _weights(file: str, model: TextModel) -> Weights:
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


def _gate(means: RetrievalDeps) -> AnswerabilityGate:
    return AnswerabilityGate(means.bm25, decline=means.weights.decline, caution=means.weights.caution)


async def _check_index(store: VectorStore, embedder: Embedder, way: RetrievalMode) -> None:
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
    if reason := way.reason_against(manifest):
        raise ConfigurationError(reason)
    await check_vectors(store, embedder)
