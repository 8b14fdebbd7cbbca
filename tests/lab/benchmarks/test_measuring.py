"""What `lab/benchmarks/measuring.py` says that a file costs."""

from __future__ import annotations

from pathlib import Path

from indexer.extraction.sandbox.extract_job import ExtractedText, ExtractJob
from lab.benchmarks.measuring import open_measured
from tests.indexer.indexing import write


async def test_each_file_has_a_time_and_a_peak_of_its_own(tmp_path: Path) -> None:
    write(tmp_path, a_md="one", b_md="two " * 2_000_000)
    async with open_measured(1, seconds=60, memory_mb=500) as (pool, costs):
        for name in ("b.md", "a.md"):
            assert isinstance(await pool.extract(ExtractJob(tmp_path / name, "")), ExtractedText)
    small, large = costs[tmp_path / "a.md"], costs[tmp_path / "b.md"]
    assert 0 < small.seconds < 60 and small.peak_bytes > 1_000_000
    assert large.peak_bytes > small.peak_bytes + 1_000_000
