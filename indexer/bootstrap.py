"""The one place of the indexer that knows which class stands behind which port."""

from __future__ import annotations

import asyncio
import logging
import shutil
import threading
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache, partial
from pathlib import Path
from typing import Final

import numpy as np

from indexer.chunking import CHUNKERS
from indexer.chunking.base import Chunker, Ruler, Similarity
from indexer.chunking.tokens import SIZE as TOKENS
from indexer.extraction import FORMATS
from indexer.extraction.base import ExtractionContext
from indexer.extraction.formats.converted.pandoc import installed_pandoc
from indexer.extraction.ocr.languages import check_languages
from indexer.extraction.sandbox.pool import open_pool
from indexer.pipeline.parents import MeanParents, ParentMaker, SummaryParents
from indexer.pipeline.pipeline import Pipeline
from indexer.pipeline.recipe import Recipes
from indexer.settings import IndexerSettings
from rag.embedding.base import DenseModel, Tokens
from rag.embedding.choice import light_tokens
from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.sparse import Bm25
from rag.errors import ConfigurationError
from rag.settings.engine import WritingSettings
from rag.settings.groups import EmbeddingSettings
from rag.settings.loading import read_values
from rag.store.base import VectorStore

log = logging.getLogger(__name__)

CHARACTERS_OF_A_TOKEN: Final = 5  # in English, the space included; fewer in all other languages
SIMILARITY_TEXTS: Final = 64  # compared at once: each is embedded once but for the last, which begins the next batch


_OCR_SHARE: Final = 0.6
"""Of the time that a file may take: the pages that OCR has come to are kept, where all would be lost in the end."""


@asynccontextmanager
async def open_pipeline(settings: IndexerSettings, store: VectorStore) -> AsyncGenerator[Pipeline]:
    """The way of files into the store. Slow: it loads the embedding model. Raises ConfigurationError."""
    model = await asyncio.to_thread(_load_model, settings.embedding)
    embedder = build_embedder(model)
    ruler = ModelRuler(model)
    chunker = build_chunker(settings, ruler, ModelSimilarity(lambda: model))
    async with _open_parent_maker(settings, embedder, ruler) as parents:
        context = build_extraction_context(settings)
        yield Pipeline(
            store=store,
            embedder=embedder,
            chunker=chunker,
            recipes=Recipes(FORMATS, chunker.recipe + parents.recipe, embedder.name, context, _limits(settings)),
            parents=parents,
            context=context,
            open_pool=partial(
                open_pool, settings.extractors, seconds=settings.file_seconds, memory_mb=settings.file_memory_mb
            ),
        )


def build_embedder(model: DenseModel) -> HybridEmbedder:
    """What makes the vectors of the index, its dense ones with this model."""
    return HybridEmbedder(model, Bm25())


@asynccontextmanager
async def _open_parent_maker(
    settings: IndexerSettings, embedder: HybridEmbedder, ruler: Ruler
) -> AsyncGenerator[ParentMaker]:
    """Raises ConfigurationError."""
    if not settings.summaries:
        yield MeanParents()
        return
    if settings.chunker != "hierarchical":
        raise ConfigurationError(
            f"FOOTNOTE_SUMMARIES needs FOOTNOTE_CHUNKER=hierarchical, which is {settings.chunker!r}: set it, or unset "
            "FOOTNOTE_SUMMARIES"
        )
    from rag.bootstrap.providers import open_llm  # noqa: PLC0415  # half a second, which `inspect` does not need

    # Read here and not with the rest: a program is given no secret that it does not use.
    writing = read_values(WritingSettings)
    async with open_llm(writing) as llm:
        if llm is None or writing.llm_model is None:
            raise ConfigurationError("FOOTNOTE_SUMMARIES needs a model that writes: set LLM_MODEL, or unset it")
        yield SummaryParents(llm, embedder, ruler, model=writing.llm_model)


def _limits(settings: IndexerSettings) -> str:
    """What one file may take, as a recipe names it."""
    return f"{settings.file_seconds} s, {settings.file_memory_mb} MB"


def build_extraction_context(settings: IndexerSettings) -> ExtractionContext:
    """What extractors may use beside the file. Raises ConfigurationError."""
    libreoffice = settings.libreoffice
    if libreoffice is None:
        found = shutil.which("soffice")
        libreoffice = None if found is None else Path(found)
    elif not libreoffice.is_file():
        raise ConfigurationError(
            f"FOOTNOTE_LIBREOFFICE is {str(libreoffice)!r}, which is no file: name the program soffice, or unset it"
        )
    check_languages(settings.ocr_languages)
    return ExtractionContext(
        passwords=tuple(password.get_secret_value() for password in settings.passwords),
        ocr_languages=tuple(settings.ocr_languages),
        ocr_seconds=_OCR_SHARE * settings.file_seconds,
        libreoffice=libreoffice,
        pandoc=installed_pandoc(),
    )


def build_chunker(settings: IndexerSettings, ruler: Ruler, similarity: Similarity | None = None) -> Chunker:
    """The chunker that the settings name; without `similarity`, a model is loaded when the chunker first asks for it.

    Raises ConfigurationError.
    """
    _warn_of_cap(settings, ruler)
    sizes = {"size": settings.chunk_size, "overlap": settings.chunk_overlap}
    return CHUNKERS[settings.chunker](
        ruler,
        similarity or ModelSimilarity(lambda: _load_model(settings.embedding)),
        **{name: size for name, size in sizes.items() if size is not None},
    )


def _warn_of_cap(settings: IndexerSettings, ruler: Ruler) -> None:
    """Say at start that chunks will be smaller than the setting; nothing that the model would not read is cut off."""
    if settings.chunker == "tokens":
        size, reads, unit = settings.chunk_size or TOKENS, ruler.max_tokens, "tokens"
    else:
        size, reads, unit = settings.chunk_size or 0, ruler.max_tokens * CHARACTERS_OF_A_TOKEN, "characters of English"
    if size > reads:
        log.warning(
            "chunks will be smaller than FOOTNOTE_CHUNK_SIZE: the embedding model reads less",
            extra={"chunk_size": size, "model_reads": reads, "unit": unit},
        )


def build_ruler(settings: EmbeddingSettings) -> Ruler:
    """The ruler of the model that the settings name, without its weights wherever that can be.

    Raises ConfigurationError.
    """
    return ModelRuler(light_tokens(settings) or _load_model(settings))


def _load_model(settings: EmbeddingSettings) -> DenseModel:
    from rag.bootstrap.models import build_model  # noqa: PLC0415  # half a second, which a look at a file can do without

    return build_model(settings)


class ModelRuler:
    """Measures text by the tokens of the model that will read it."""

    def __init__(self, model: Tokens) -> None:
        self._model = model
        self.max_tokens = model.max_tokens

    def ends(self, text: str) -> Sequence[int]:
        """The end of each token as a character offset, ascending."""
        return self._model.token_ends(text)


class ModelSimilarity:
    """Compares texts by the vectors of the model that searches them, which is had when it is first needed."""

    def __init__(self, load: Callable[[], DenseModel]) -> None:
        self._load = cache(load)
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The model's."""
        return self._model().name

    def of_neighbours(self, texts: Sequence[str]) -> Sequence[float]:
        """The cosine between each text and the next; of a long one, what the model reads of it."""
        alike: list[float] = []
        for start in range(0, len(texts) - 1, SIMILARITY_TEXTS):
            rows = self._model().encode(texts[start : start + SIMILARITY_TEXTS + 1])
            alike += np.einsum("ij,ij->i", rows[:-1], rows[1:]).tolist()
        return alike

    def _model(self) -> DenseModel:
        with self._lock:  # files are cut side by side: they wait for one model
            return self._load()
