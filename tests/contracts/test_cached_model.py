"""A model that remembers questions gives what the model inside it gives."""

from __future__ import annotations

from datetime import timedelta

import numpy as np

from rag.embedding.cached import CachedModel
from rag.types.vectors import Vector
from tests.documents import WordModel
from tests.rag.answering.parts import MemoryCache


class CountingModel(WordModel):
    def __init__(self, name: str = WordModel.name) -> None:
        self.name = name
        self.asked: list[str] = []

    async def encode_query(self, text: str) -> Vector:
        self.asked.append(text)
        return await super().encode_query(text)


async def test_a_question_is_encoded_once_and_a_document_each_time() -> None:
    inner, cache = CountingModel(), MemoryCache()
    model = CachedModel(inner, cache)
    first, again = await model.encode_query("blue whales"), await model.encode_query("blue whales")
    assert np.array_equal(first, again) and first.dtype == again.dtype == np.float32
    assert np.array_equal(first, await WordModel().encode_query("blue whales"))
    await model.encode_query("Blue whales")
    assert inner.asked == ["blue whales", "Blue whales"]
    kept = dict(cache.kept)
    rows = await model.encode_documents(["blue whales"])
    assert np.array_equal(rows[0], first) and cache.kept == kept


async def test_two_models_on_one_cache_do_not_share() -> None:
    cache, one, other = MemoryCache(), CountingModel("one"), CountingModel("other")
    await CachedModel(one, cache).encode_query("blue whales")
    await CachedModel(other, cache).encode_query("blue whales")
    assert other.asked == ["blue whales"]


async def test_bytes_of_another_length_are_not_taken_for_a_vector() -> None:
    inner, cache = CountingModel(), MemoryCache()
    model = CachedModel(inner, cache)
    vector = await model.encode_query("blue whales")
    [key] = cache.kept
    for broken in (b"", b"\x00", vector.tobytes()[:-4], vector.tobytes() * 2):
        await cache.set(key, broken, timedelta(hours=1))
        assert np.array_equal(await model.encode_query("blue whales"), vector)
    assert len(inner.asked) == 5
