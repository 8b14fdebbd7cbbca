"""What is said where an index was made with another embedder than asks it."""

from __future__ import annotations

from rag.store.manifests import embedder_difference, words_difference


def test_the_same_embedder_differs_in_nothing() -> None:
    assert embedder_difference("small + bm25/1", "small + bm25/1") == ""
    assert words_difference("small + bm25/1", "bm25/1") == ""


def test_where_words_alone_are_split_in_another_way_the_model_is_not_blamed() -> None:
    told = embedder_difference("a + b + bm25/1", "a + b + bm25/2")
    assert "'bm25/1'" in told and "'bm25/2'" in told and "this version splits words in another way" in told
    assert "`python -m indexer reindex`, then restart the bot" in told and "FOOTNOTE_EMBEDDING__MODEL" not in told
    assert words_difference("a + b + bm25/1", "bm25/2") == told


def test_another_model_is_named_whatever_its_words() -> None:
    for own in ("base + bm25/1", "base + bm25/2", "base"):
        told = embedder_difference("small + bm25/1", own)
        assert "'small + bm25/1'" in told and repr(own) in told and "set FOOTNOTE_EMBEDDING__MODEL back" in told


def test_names_without_words_are_models_alone() -> None:
    assert "set FOOTNOTE_EMBEDDING__MODEL back" in embedder_difference("letters", "words")
    assert words_difference("letters", "bm25/1") == ""
