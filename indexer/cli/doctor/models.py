"""Whether the embedding model works, and whether the index was made with it."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from typing import Final

import numpy as np

from indexer.bootstrap import ModelRuler, ModelSimilarity, build_chunker, build_embedder
from indexer.cli.doctor.base import CheckResult, failed, ok, warning
from indexer.settings import IndexerSettings
from indexer.units import counted
from rag.bootstrap.models import build_model, model_place
from rag.bootstrap.stores import open_store
from rag.cache.redis import open_redis
from rag.embedding.base import DenseModel
from rag.errors import ConfigurationError, FootnoteError, IndexMissing
from rag.settings.engine import AnsweringSettings
from rag.store.base import SCHEMA, VectorStore
from rag.store.manifests import embedder_difference
from rag.types.index import Manifest
from rag.types.scope import Scope

_QUESTION: Final = "How many days of leave do I get?"
_NEAR: Final = "Every employee has thirty days of paid leave."
_FAR: Final = "The pump is lubricated with oil of grade 46."
_LENGTH_ALLOWED: Final = 1e-3


async def check_model(settings: IndexerSettings) -> tuple[DenseModel | None, CheckResult]:
    """The model, if it loads, and whether it tells what is alike from what is not."""
    began = time.monotonic()
    try:
        model = await asyncio.to_thread(build_model, settings.embedding)
        where = await asyncio.to_thread(model_place, settings.embedding)
    except ConfigurationError as error:
        return None, failed("model", str(error))
    seconds = time.monotonic() - began
    question = await model.encode_query(_QUESTION)
    rows = await model.encode_documents([_NEAR, _FAR])
    near, far = rows @ question
    lengths = np.linalg.norm(np.vstack([question, rows]), axis=1)
    says = f"{model.name} from {where}, {model.dimensions} dimensions, reads {model.max_tokens} tokens"
    if rows.shape != (2, model.dimensions) or np.abs(lengths - 1).max() > _LENGTH_ALLOWED or not near > far:
        remedy = "Take another FOOTNOTE_EMBEDDING__MODEL, or install this one anew."
        return None, failed("model", f"{says}: its vectors make no sense", remedy)
    return model, ok("model", f"{says}; loaded in {seconds:.1f} s, and it tells texts apart")


async def check_store(settings: IndexerSettings, model: DenseModel | None) -> list[CheckResult]:
    """Whether the store answers, and whether the next run goes on with what is in it."""
    try:
        async with open_store(settings) as store:
            manifest = await store.manifest()
            fits = await asyncio.to_thread(_check_recipe, settings, model, manifest)
            return [await _check_search(store, manifest, model), *fits]
    except IndexMissing as error:
        if settings.qdrant_url is None and (settings.data_dir / "index" / "CURRENT").exists():
            return [failed("store", str(error))]
        return [warning("store", str(error), "Index a drive; until then the bot finds nothing.")]
    except FootnoteError as error:
        remedy = "" if settings.qdrant_url is None else "Check the server that QDRANT_URL names, and QDRANT_API_KEY."
        return [failed("store", str(error), remedy)]


async def _check_search(store: VectorStore, manifest: Manifest, model: DenseModel | None) -> CheckResult:
    chunks = sum(corpus.chunks for corpus in manifest.corpora.values())
    says = f"generation {manifest.generation}, schema {manifest.schema}, {counted(chunks, 'chunk')}"
    if model is None or model.dimensions != manifest.dimensions:
        return ok("store", says)
    found = await store.search([await model.encode_query(_QUESTION)], Scope.everything(), limit=1)
    if chunks and not found.rankings[0]:
        return failed("store", f"{says}, of which a search finds none", "Run `python -m indexer reindex`.")
    return ok("store", f"{says}; it can be searched")


def _check_recipe(settings: IndexerSettings, model: DenseModel | None, manifest: Manifest) -> list[CheckResult]:
    """The index held against the settings."""
    findings: list[CheckResult] = []
    if manifest.schema != SCHEMA:
        says = f"it has schema {manifest.schema}, this version writes schema {SCHEMA}"
        findings.append(failed("index", says, "Run `python -m indexer reindex`."))
    if model is None:
        return findings
    if difference := embedder_difference(manifest.embedder, build_embedder(model).name):
        findings.append(failed("index", difference))
    try:
        chunker = build_chunker(settings, ModelRuler(model), ModelSimilarity(lambda: model)).recipe
    except ConfigurationError as error:
        return [*findings, failed("chunker", str(error))]
    if manifest.chunker != chunker:
        says = f"it was cut by {manifest.chunker}, the settings say {chunker}"
        findings.append(warning("index", says, "The next run of `index` reads all files anew; nothing else is to do."))
    return findings or [ok("index", f"made as the settings say: {chunker}")]


async def check_cache(settings: AnsweringSettings) -> CheckResult:
    """Whether the server keeps what it is given."""
    if settings.redis_url is None:
        return ok("cache", "REDIS_URL is not set: the bot starts a cache of its own")
    key, value = "doctor", b"well"
    try:
        async with open_redis(settings.redis_url.get_secret_value()) as cache:
            await cache.set(key, value, timedelta(minutes=1))
            kept = await cache.get(key)
            await cache.delete(key)
    except ConfigurationError as error:
        return failed("cache", str(error))
    if kept != value:
        return failed(
            "cache", "the server of REDIS_URL answers, but does not keep values", "Check its memory and rights."
        )
    return ok("cache", "the server of REDIS_URL answers and keeps values")
