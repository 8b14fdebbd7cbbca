"""The manifest of the next generation, and whether a recipe fits the one that serves. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from rag.errors import ConfigurationError
from rag.store.base import SCHEMA, Recipe
from rag.types import CorpusInfo, Manifest


def corpus_named(manifest: Manifest, name: str) -> CorpusInfo:
    """The corpus of that name. Raises ConfigurationError, which says which there are."""
    corpus = manifest.corpora.get(name)
    if corpus is None:
        known = ", ".join(sorted(manifest.corpora)) or "none"
        raise ConfigurationError(f"no corpus is called {name!r}: indexed are {known}")
    return corpus


def next_manifest(base: Manifest | None, recipe: Recipe, generation: int, corpora: Sequence[CorpusInfo]) -> Manifest:
    """The corpora of `base`, with `corpora` in the place of those of the same name; empty ones vanish."""
    merged = {**(base.corpora if base is not None else {}), **{corpus.name: corpus for corpus in corpora}}
    return Manifest(
        generation=generation,
        embedder=recipe.embedder,
        dimensions=recipe.dimensions,
        chunker=recipe.chunker,
        schema=SCHEMA,
        built_at=datetime.now(UTC),
        corpora={name: corpus for name, corpus in sorted(merged.items()) if corpus.documents},
    )


def check_recipe(recipe: Recipe, manifest: Manifest) -> None:
    """Raises ConfigurationError when a generation cannot be a copy of what serves."""
    if manifest.embedder != recipe.embedder:
        raise ConfigurationError(
            f"the index was made with the embedder {manifest.embedder!r}, the settings name {recipe.embedder!r}: "
            "set FOOTNOTE_EMBEDDING__MODEL back, or make the index anew with `python -m indexer reindex`"
        )
    if manifest.schema != SCHEMA:
        raise ConfigurationError(
            f"the index has schema {manifest.schema}, this version writes schema {SCHEMA}: "
            "make the index anew with `python -m indexer reindex`"
        )
