"""The manifest of the next generation, and whether a recipe fits the one that serves. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from rag.errors import ConfigurationError
from rag.store.base import SCHEMA, Recipe
from rag.types.index import CorpusInfo, Manifest

_PLUS: Final = " + "
"""Between the two halves of an embedder's name (`rag/embedding/hybrid.py`)."""


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


def embedder_difference(indexed: str, own: str) -> str:
    """What the index was made with and what this program embeds with, where they differ, and the remedy; else empty.

    Both are names of a HybridEmbedder: the model, ` + `, and how words are split.
    """
    if indexed == own:
        return ""
    (model, _, _), (own_model, _, own_words) = indexed.rpartition(_PLUS), own.rpartition(_PLUS)
    if model and model == own_model:
        return words_difference(indexed, own_words)
    return (
        f"the index was made with the embedder {indexed!r}, the settings name {own!r}: set FOOTNOTE_EMBEDDING__MODEL "
        "back, or make the index anew with `python -m indexer reindex`"
    )


def words_difference(indexed: str, own_words: str) -> str:
    """How the index splits words and how this program does, where they differ, and the remedy; else empty.

    It can be told without the model: `own_words` is the recipe of words alone.
    """
    _, plus, words = indexed.rpartition(_PLUS)
    if not plus or words == own_words:
        return ""
    return (
        f"the index splits words by {words!r}, this program by {own_words!r}: this version splits words in another "
        "way: run `python -m indexer reindex`, then restart the bot"
    )


def check_recipe(recipe: Recipe, manifest: Manifest) -> None:
    """Raises ConfigurationError when a generation cannot be a copy of what serves."""
    if difference := embedder_difference(manifest.embedder, recipe.embedder):
        raise ConfigurationError(difference)
    if manifest.schema != SCHEMA:
        raise ConfigurationError(
            f"the index has schema {manifest.schema}, this version writes schema {SCHEMA}: "
            "make the index anew with `python -m indexer reindex`"
        )
