"""The one place of the engine that knows which class stands behind which port."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from importlib.resources import files
from pathlib import Path

from rag.answering.answerer import Answerer, Parts
from rag.answering.evidence import Judge
from rag.answering.remembered import AnswerMemory
from rag.answering.writing import Writer
from rag.cache import RedisCache, open_redis
from rag.embedded_cache import open_embedded
from rag.embedding.base import DenseModel, Embedder
from rag.embedding.cached import CachedModel
from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.minilm import PACKAGE, MiniLM
from rag.embedding.sparse import Bm25
from rag.embedding.transformer import PACKAGED, SentenceTransformerModel, packaged_folder
from rag.errors import ConfigurationError, IndexMissing
from rag.llm.base import LLM
from rag.llm.fallback import FallbackLLM
from rag.llm.pricing import Price, PricedLLM
from rag.llm.stall import Patience, WatchedLLM
from rag.retrieval import MODES
from rag.retrieval.base import Retriever
from rag.retrieval.distinct import Distinct
from rag.retrieval.hierarchical import without_parents
from rag.retrieval.rerank import CrossEncoderReranker, Reranked
from rag.settings import AnsweringSettings, EmbeddingSettings, EngineSettings, ProviderSettings, WritingSettings
from rag.store.base import SCHEMA, VectorStore
from rag.store.edge import EdgeStore
from rag.telemetry import Counters


@dataclass(frozen=True, slots=True)
class Engine:
    """All that a program that answers stands on."""

    embedder: Embedder
    store: VectorStore
    retriever: Retriever
    cache: RedisCache
    llm: FallbackLLM | None
    answerer: Answerer
    counters: Counters


def build_model(settings: EmbeddingSettings) -> DenseModel:
    """The dense model. Slow: seconds for anything but `minilm`. Raises ConfigurationError."""
    if settings.model == "minilm":
        return MiniLM()
    return SentenceTransformerModel(settings.model, batch_size=settings.batch_size)


def model_place(settings: EmbeddingSettings) -> str:
    """Where the dense model comes from: its folder, or the hub. Raises ConfigurationError where it is not installed."""
    if settings.model == "minilm":
        return str(files(PACKAGE))
    folder = packaged_folder() if settings.model == PACKAGED else Path(settings.model)
    return str(folder.absolute()) if folder.is_dir() else f"the model hub ({settings.model})"


@asynccontextmanager
async def open_store(settings: EngineSettings) -> AsyncGenerator[VectorStore]:
    """The vector store that the settings name."""
    if settings.qdrant_url is None:
        store: VectorStore = EdgeStore(settings.data_dir / "index")
    else:
        from rag.store.server import connect  # noqa: PLC0415  # the client costs a second, which many do not need

        key = settings.qdrant_api_key
        store = connect(
            str(settings.qdrant_url),
            api_key=None if key is None else key.get_secret_value(),
            alias=settings.store.collection,
        )
    try:
        yield store
    finally:
        await store.aclose()


@asynccontextmanager
async def open_engine(settings: AnsweringSettings) -> AsyncGenerator[Engine]:
    """Build the engine, and close what it opened. Raises ConfigurationError, StoreError."""
    async with AsyncExitStack() as stack:
        cache = await stack.enter_async_context(_open_cache(settings))
        store = await stack.enter_async_context(open_store(settings))
        llm = await stack.enter_async_context(open_llm(settings))
        model = await asyncio.to_thread(build_model, settings.embedding)
        bm25 = Bm25()
        embedder = HybridEmbedder(CachedModel(model, cache), bm25)
        await _check_index(store, embedder, settings.retrieval.mode)
        retriever = await asyncio.to_thread(_build_retriever, settings, embedder, store)
        counters = Counters()
        writer = Writer(
            llm,
            bm25.terms,
            models="|".join(f"{provider.base_url} {provider.model}" for provider in _providers(settings)),
            context_chars=settings.answer.context_chars,
            max_tokens=settings.llm.max_tokens,
            excerpts=settings.answer.excerpts,
        )
        memory = AnswerMemory(cache, timedelta(hours=settings.answer.cache_hours))
        way = settings.retrieval
        name = f"{way.mode}/{way.candidates}/{way.reranker}/{way.rerank_pool}"
        parts = Parts(store, embedder.name, retriever, name, Judge(store, bm25), writer, llm, memory, counters)
        answerer = Answerer(parts, passages=settings.retrieval.passages)
        yield Engine(embedder, store, retriever, cache, llm, answerer, counters)


@asynccontextmanager
async def _open_cache(settings: AnsweringSettings) -> AsyncGenerator[RedisCache]:
    if settings.redis_url is not None:
        async with open_redis(settings.redis_url.get_secret_value()) as cache:
            yield cache
    else:
        async with open_embedded(settings.data_dir / "cache") as cache:
            yield cache


@asynccontextmanager
async def open_llm(settings: WritingSettings) -> AsyncGenerator[FallbackLLM | None]:
    """All providers as one, or None where none is configured. Raises ConfigurationError."""
    providers = _providers(settings)
    if not providers:
        yield None
        return
    from rag.llm.openai import OPENAI_URL, TEMPERATURE, OpenAILLM  # noqa: PLC0415  # about a second, which many do not need

    async with AsyncExitStack() as stack:
        llms: list[LLM] = []
        for provider in providers:
            client = OpenAILLM(
                name=provider.name,
                model=provider.model,
                api_key=None if provider.api_key is None else provider.api_key.get_secret_value(),
                base_url=OPENAI_URL if provider.base_url is None else str(provider.base_url),
                temperature=None if provider.reasoning else TEMPERATURE,
                limit_parameter="max_completion_tokens" if provider.reasoning else "max_tokens",
            )
            stack.push_async_callback(client.aclose)
            priced = PricedLLM(client, model=provider.model, overrides=_prices(settings))
            llms.append(WatchedLLM(priced, _patience(settings)))
        yield FallbackLLM(llms)


def _providers(settings: WritingSettings) -> Sequence[ProviderSettings]:
    if settings.llm_model is None:
        if settings.openai_api_key or settings.openai_base_url or settings.llm.fallbacks:
            raise ConfigurationError(
                "a language model's server or key is set, but LLM_MODEL is not: name the model, or unset "
                "OPENAI_API_KEY, OPENAI_BASE_URL and FOOTNOTE_LLM__FALLBACKS to answer with excerpts only"
            )
        return []
    if settings.openai_api_key is None and settings.openai_base_url is None:
        raise ConfigurationError(
            "LLM_MODEL is set, but neither OPENAI_API_KEY (for OpenAI) nor OPENAI_BASE_URL (for another server) is"
        )
    primary = ProviderSettings(
        name="primary",
        base_url=settings.openai_base_url,
        model=settings.llm_model,
        api_key=settings.openai_api_key,
        reasoning=settings.llm.reasoning,
    )
    return [primary, *settings.llm.fallbacks]


def _prices(settings: WritingSettings) -> dict[str, Price]:
    return {model: Price(Decimal(str(into)), Decimal(str(out))) for model, (into, out) in settings.llm.prices.items()}


def _patience(settings: WritingSettings) -> Patience:
    llm = settings.llm
    return Patience(first=llm.first_token_seconds, between=llm.silence_seconds, total=llm.total_seconds)


def _build_retriever(settings: AnsweringSettings, embedder: Embedder, store: VectorStore) -> Retriever:
    wanted = settings.retrieval
    retriever = Distinct(MODES[wanted.mode](embedder, store, candidates=wanted.candidates))
    if not wanted.reranker:
        return retriever
    return Reranked(retriever, CrossEncoderReranker(wanted.reranker), pool=wanted.rerank_pool)


async def _check_index(store: VectorStore, embedder: Embedder, mode: str) -> None:
    """A question is embedded with the model that the index was made with, and finds parents there, or not at all."""
    try:
        manifest = await store.manifest()
    except IndexMissing:
        return  # the first drop may still come; each question says so until then
    if manifest.schema != SCHEMA:
        raise ConfigurationError(
            f"the index has schema {manifest.schema}, this version reads schema {SCHEMA}: make it anew with "
            "`python -m indexer reindex`"
        )
    if manifest.embedder != embedder.name:
        raise ConfigurationError(
            f"the index was made with the embedder {manifest.embedder!r}, the settings name {embedder.name!r}: set "
            "FOOTNOTE_EMBEDDING__MODEL back, or make the index anew with `python -m indexer reindex`"
        )
    if mode == "hierarchical" and (reason := without_parents(manifest.chunker)):
        raise ConfigurationError(reason)
