"""The benchmark of retrieval, on a drive that is small enough for a test."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lab.benchmarks.retrieval import build, measure
from lab.benchmarks.synthetic import SyntheticDrive


async def test_each_way_that_is_named_is_measured_and_finds_what_was_asked_for(tmp_path: Path) -> None:
    await build(tmp_path, 40)
    figures = await measure(tmp_path, 40, ["bm25", "hybrid"])
    assert (figures["chunks"], figures["questions"]) == (40, 40)
    assert {"bm25", "hybrid", "hybrid, one of 9 departments", "hybrid, 100 passages", "embed"} <= figures[
        "stages"
    ].keys()
    for stage in figures["stages"].values():
        assert 0 < stage["p50_ms"] <= stage["p95_ms"]
    assert figures["stages"]["hybrid, 100 passages"]["found"] == 1.0
    assert figures["stages"]["hybrid, one of 9 departments"]["found"] < 1.0


def test_a_drive_is_the_same_each_time_and_of_the_size_that_was_asked_for() -> None:
    once, again = ([row for _, rows in SyntheticDrive(30).documents() for row in rows] for _ in range(2))
    assert len(once) == len({row.chunk.id for row in once}) == 30
    for one, other in zip(once, again, strict=True):
        assert one.chunk == other.chunk
        assert np.array_equal(one.embedding.dense, other.embedding.dense)
        assert abs(float(np.linalg.norm(one.embedding.dense)) - 1) < 1e-5
        assert one.embedding.sparse.indices.size > 20
