"""How long a question takes to be retrieved for, and the memory that it takes, in embedded indexes of several sizes.

The drives are made up (`lab/benchmarks/synthetic.py`): what is found says nothing of quality, and nothing is
fitted here. The time of a mode is that of its searches; embedding the question is a stage of its own, with the
packaged model. Where a mode has a stage that reads texts (`late`, `cross`), its own model reads these made-up ones.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from indexer.extraction.sandbox.worker import status_bytes
from lab.benchmarks.synthetic import DIMENSIONS, SyntheticDrive, SyntheticQuestion
from rag.embedding.minilm import MiniLM
from rag.embedding.sparse import Bm25
from rag.retrieval import BASES
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.modes import RetrievalModes
from rag.settings.groups import RetrievalSettings
from rag.store.base import Recipe
from rag.store.edge import EdgeStore
from rag.types.chunks import EmbeddedChunk
from rag.types.index import CorpusInfo
from rag.types.scope import Scope
from rag.types.vectors import Embedding

SIZES: Final = (1_000, 10_000, 100_000)
QUESTIONS: Final = 200
WARM_UP: Final = 10
PASSAGES: Final = 8
EVERYTHING: Final = Scope.everything()
SCOPES: Final = {
    "everything": EVERYTHING,
    "one of 9 departments": Scope(frozenset({"drive/department3"})),
    "one of 97 projects": Scope(frozenset({"drive/department3/project3"})),
}
REAL: Final = (
    "How many vacation days do I get in my first year?",
    "Who has to sign an invoice of more than 10,000 euros?",
    "What is the notice period after the probation?",
    "Where do I report a lost laptop?",
    "Which torque do the bolts of the front axle need?",
    "Is the budget of 2026 higher than that of 2025?",
    "How do I book a meeting room in the Berlin office?",
    "What does error code E-4471 mean?",
)


@dataclass(frozen=True, slots=True)
class Given:
    """An Embedder that knows its questions."""

    known: Mapping[str, Embedding]
    name: str = "made up"
    dimensions: int = DIMENSIONS

    async def embed_documents(self, texts: Sequence[str]) -> list[Embedding]:
        """As `embed_query`."""
        return [self.known[text] for text in texts]

    async def embed_query(self, text: str) -> Embedding:
        """The embedding that was given with the text."""
        return self.known[text]


async def build(folder: Path, chunks: int) -> float:
    """Seconds that it takes to write the index."""
    began = time.perf_counter()
    store = EdgeStore(folder)
    async with store.write(Recipe("made up", DIMENSIONS, "made up")) as writer:
        documents = 0
        for record, rows in SyntheticDrive(chunks).documents():
            await writer.put(record, rows)
            documents += 1
        await writer.commit([CorpusInfo("drive", "/srv/drive", documents, chunks, datetime(2026, 1, 1, tzinfo=UTC))])
    await store.aclose()
    return time.perf_counter() - began


async def measure(folder: Path, chunks: int, names: Sequence[str]) -> dict[str, Any]:
    """Times of each mode in milliseconds, and memory in MB; in a process that has done nothing else."""
    store = EdgeStore(folder)
    before_mb = _memory_mb("VmRSS")
    await store.manifest()
    asked = await _questions(store, chunks)
    embedder = Given({question.text: question.embedding for question in asked})
    stages: dict[str, Any] = {}
    for name in names:
        modes = RetrievalModes(
            RetrievalDeps(embedder, store, RetrievalSettings(mode=name), tokens=MiniLM() if "late" in name else None)
        )
        for title, scope in SCOPES.items():
            where = name if scope is EVERYTHING else f"{name}, {title}"
            stages[where] = await _measured(modes, asked, scope, limit=PASSAGES)
    hybrid = RetrievalModes(RetrievalDeps(embedder, store, RetrievalSettings(mode="hybrid")))
    for limit in (40, 100):
        stages[f"hybrid, {limit} passages"] = await _measured(hybrid, asked, EVERYTHING, limit=limit)
    search_mb = _memory_mb("VmHWM")
    stages["embed"] = await _embedding()
    await store.aclose()
    return {
        "chunks": chunks,
        "questions": len(asked),
        "stages": stages,
        "memory_mb": {"before": before_mb, "peak of searching": search_mb, "peak with the model": _memory_mb("VmHWM")},
    }


async def _questions(store: EdgeStore, chunks: int) -> list[SyntheticQuestion]:
    """About chunks that stand anywhere: a scan goes by ids, which are scattered."""
    drive = SyntheticDrive(chunks, seed=11)
    rows: list[EmbeddedChunk] = []
    async with aclosing(store.scan()) as scan:
        async for row in scan:
            rows.append(row)
            if len(rows) == QUESTIONS + WARM_UP:
                break
    return [drive.question(row) for row in rows]


async def _measured(
    modes: RetrievalModes, asked: Sequence[SyntheticQuestion], scope: Scope, *, limit: int
) -> dict[str, float]:
    retriever = modes.retriever()
    found = 0

    async def ask(question: SyntheticQuestion) -> None:
        nonlocal found
        result = await retriever.retrieve(question.text, scope, limit=limit)
        found += question.answer in {hit.chunk.id for hit in result.chunks}

    times = await _times(ask, asked)
    return {**times, "found": round(found / len(asked), 3)}


async def _embedding() -> dict[str, float]:
    model, bm25 = MiniLM(), Bm25()

    async def embed(text: str) -> None:
        await model.encode_query(text)
        bm25.query(text)

    return await _times(embed, [*REAL] * 10)


async def _times(call: Callable[[Any], Awaitable[None]], subjects: Sequence[Any]) -> dict[str, float]:
    """p50 and p95 in milliseconds, without the first few."""
    seconds: list[float] = []
    for subject in subjects:
        began = time.perf_counter()
        await call(subject)
        seconds.append(time.perf_counter() - began)
    kept = sorted(seconds[WARM_UP:])
    return {
        "p50_ms": round(1000 * statistics.median(kept), 2),
        "p95_ms": round(1000 * kept[int(0.95 * (len(kept) - 1))], 2),
    }


def _memory_mb(field: str) -> float:
    return round(status_bytes(os.getpid(), field) / 1e6, 1)


def _build(folder: Path, chunks: int) -> float:
    return asyncio.run(build(folder, chunks))


def _measure(folder: Path, chunks: int, names: Sequence[str]) -> dict[str, Any]:
    return asyncio.run(measure(folder, chunks, names))


def run(folder: Path, sizes: Sequence[int], names: Sequence[str]) -> list[dict[str, Any]]:
    """Each size in processes of its own: one that builds where nothing is built yet, and one that asks."""
    results: list[dict[str, Any]] = []
    for chunks in sizes:
        index = folder / str(chunks)
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=context, max_tasks_per_child=1) as processes:
            built = None if (index / "CURRENT").exists() else processes.submit(_build, index, chunks).result()
            result = processes.submit(_measure, index, chunks, names).result()
        size = sum(path.stat().st_size for path in index.rglob("*") if path.is_file())
        results.append({**result, "built_seconds": built and round(built, 1), "disk_mb": round(size / 1e6, 1)})
    return results


def _print(result: Mapping[str, Any]) -> None:
    print(f"\n{result['chunks']:,} chunks, {result['questions']} questions; memory in MB: {result['memory_mb']}")
    for stage, figures in result["stages"].items():
        found = f"   found {figures['found']:.3f}" if "found" in figures else ""
        print(f"  {stage:<36} p50 {figures['p50_ms']:8.2f} ms   p95 {figures['p95_ms']:8.2f} ms{found}")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, nargs="+", default=SIZES)
    parser.add_argument("--ways", nargs="+", default=[name for name in BASES if name != "hierarchical"])
    parser.add_argument("--folder", type=Path, help="keep the indexes here, and take those that are here")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        results = run(options.folder or Path(scratch), options.chunks, options.ways)
    if options.json:
        print(json.dumps(results, indent=2))
        return
    for result in results:
        _print(result)


if __name__ == "__main__":
    main()
