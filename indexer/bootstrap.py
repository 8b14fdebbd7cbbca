"""The one place of the indexer that knows which class stands behind which port."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from indexer.chunking import CHUNKERS
from indexer.chunking.base import Chunker, Ruler
from indexer.extraction import EXTRACTORS
from indexer.extraction.base import Aids
from indexer.pipeline import Pipeline
from indexer.recipe import Recipes
from indexer.settings import IndexerSettings
from rag.bootstrap import build_model
from rag.embedding.base import DenseModel
from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.sparse import Bm25
from rag.errors import ConfigurationError
from rag.store.base import VectorStore


@asynccontextmanager
async def open_pipeline(settings: IndexerSettings, store: VectorStore) -> AsyncGenerator[Pipeline]:
    """The way of files into the store. Slow: it loads the embedding model. Raises ConfigurationError."""
    model = await asyncio.to_thread(build_model, settings.embedding)
    embedder = HybridEmbedder(model, Bm25())
    chunker = build_chunker(settings, ModelRuler(model))
    yield Pipeline(
        store=store,
        embedder=embedder,
        chunker=chunker,
        recipes=Recipes(EXTRACTORS, chunker.recipe, embedder.name),
        aids=build_aids(settings),
        readers=settings.extractors,
        file_seconds=settings.file_seconds,
    )


def build_aids(settings: IndexerSettings) -> Aids:
    """What extractors may use beside the file. Raises ConfigurationError."""
    libreoffice = settings.libreoffice
    if libreoffice is None:
        found = shutil.which("soffice")
        libreoffice = None if found is None else Path(found)
    elif not libreoffice.is_file():
        raise ConfigurationError(
            f"FOOTNOTE_LIBREOFFICE is {str(libreoffice)!r}, which is no file: name the program soffice, or unset it"
        )
    return Aids(
        passwords=tuple(password.get_secret_value() for password in settings.passwords),
        ocr_languages=tuple(settings.ocr_languages),
        libreoffice=libreoffice,
    )


def build_chunker(settings: IndexerSettings, ruler: Ruler) -> Chunker:
    """The chunker that the settings name. Raises ConfigurationError."""
    sizes = {"size": settings.chunk_size, "overlap": settings.chunk_overlap}
    return CHUNKERS[settings.chunker](ruler, **{name: size for name, size in sizes.items() if size is not None})


class ModelRuler:
    """Measures text by the tokens of the model that will read it."""

    def __init__(self, model: DenseModel) -> None:
        self._model = model
        self.max_tokens = model.max_tokens

    def ends(self, text: str) -> Sequence[int]:
        """The end of each token as a character offset, ascending."""
        return self._model.token_ends(text)
