"""What each form and backend of the embedding model costs, and how near its vectors are to those in 32 bits by torch.

The passages are the chunks of a drive as the indexer cuts them, so that their length is that of real ones. All
forms run in turns in one process: the ratios hold anywhere.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from rag.bootstrap.models import convert_model
from rag.embedding.base import TextModel
from rag.embedding.choice import choose
from rag.embedding.exported import ExportedModel
from rag.embedding.graphs import OnnxGraph, OpenVinoGraph
from rag.embedding.minilm import MiniLM
from rag.embedding.profiles import MINILM_FP32
from rag.embedding.transformer import SentenceTransformerModel
from rag.settings.groups import EmbeddingSettings
from rag.store.edge import EdgeStore
from rag.types.vectors import Matrix
from tests.processes import run_program

QUESTION: Final = "How many days of leave do I get in my first year?"
ASKED: Final = 50
NEAREST: Final = 10
BATCH: Final = 64


async def passages(drive: Path, limit: int) -> list[str]:
    """The chunks of a drive, evenly spread."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"FOOTNOTE_DATA_DIR": folder}
        code, _, errors = await run_program("indexer", "index", str(drive), "--json", folder=Path(folder), **settings)
        if code:
            raise RuntimeError(errors)
        store = EdgeStore(Path(folder) / "index")
        texts = [row.chunk.searchable async for row in store.scan()]
        await store.aclose()
    return texts[:: max(len(texts) // limit, 1)][:limit]


@dataclass(slots=True)
class MeasuredForm:
    """A form of the model, and the best that it did: others on the machine make it slower, and nothing faster."""

    model: TextModel
    load_seconds: float
    seconds: float = math.inf
    query_seconds: float = math.inf
    rows: Matrix = field(default_factory=lambda: np.empty((0, 0), dtype=np.float32))

    async def once_more(self, texts: list[str]) -> None:
        """All passages, then a question many times over."""
        await self.model.encode_documents(texts[:8])
        began = time.perf_counter()
        batches = [await self.model.encode_documents(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)]
        self.seconds = min(self.seconds, time.perf_counter() - began)
        self.rows = np.vstack(batches)
        asked: list[float] = []
        for _ in range(ASKED):
            began = time.perf_counter()
            await self.model.encode_query(QUESTION)
            asked.append(time.perf_counter() - began)
        self.query_seconds = min(self.query_seconds, statistics.median(asked))

    def figures(self, reference: Matrix) -> dict[str, Any]:
        """Rates, and the vectors held against those of the reference."""
        cosines = (self.rows * reference).sum(axis=1)
        return {
            "name": self.model.name,
            "load_seconds": round(self.load_seconds, 1),
            "passages_per_second": round(len(self.rows) / self.seconds, 1),
            "query_ms": round(1000 * self.query_seconds, 1),
            "cosine_mean": round(float(cosines.mean()), 5),
            "cosine_min": round(float(cosines.min()), 5),
            "top_10_overlap": round(_overlap(self.rows, reference), 4),
        }


def _overlap(rows: Matrix, reference: Matrix) -> float:
    """The share of each passage's ten nearest others that both agree on."""
    ours, theirs = (_nearest(vectors) for vectors in (rows, reference))
    return float(np.mean([len(set(one) & set(other)) / NEAREST for one, other in zip(ours, theirs, strict=True)]))


def _nearest(rows: Matrix) -> list[list[int]]:
    alike = rows @ rows.T
    np.fill_diagonal(alike, -np.inf)
    return np.argsort(-alike, axis=1)[:, :NEAREST].tolist()


async def forms(model: str, folder: Path) -> Mapping[str, Callable[[], TextModel]]:
    """What there is of a model; the first is the reference. The converted ones are written here."""
    settings = EmbeddingSettings(model=model)
    fp32, int8 = folder / "fp32", folder / "int8"
    await convert_model(settings, fp32, int8=False)
    await convert_model(settings, int8, int8=True)
    prefixes = choose(settings).prefixes
    made: dict[str, Callable[[], TextModel]] = {
        "torch fp32": lambda: SentenceTransformerModel(model, batch_size=settings.batch_size, prefixes=prefixes),
        "onnxruntime fp32": lambda: ExportedModel(fp32, OnnxGraph),
        "onnxruntime int8": lambda: ExportedModel(int8, OnnxGraph),
    }
    if find_spec("openvino") is not None:
        made["OpenVINO fp32"] = lambda: ExportedModel(fp32, OpenVinoGraph)
    if model == MINILM_FP32:
        made["packaged int8 (onnxruntime)"] = MiniLM
    return made


async def run(drive: Path, model: str, *, limit: int, rounds: int) -> dict[str, Any]:
    """All forms of a model, in turns."""
    texts = await passages(drive, limit)
    measured: dict[str, MeasuredForm] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, make in (await forms(model, Path(folder))).items():
            began = time.perf_counter()
            built = await asyncio.to_thread(make)
            measured[name] = MeasuredForm(built, time.perf_counter() - began)
        for _ in range(rounds):
            for one in measured.values():
                await one.once_more(texts)
    first = next(iter(measured.values()))
    return {
        "model": model,
        "passages": len(texts),
        "mean_tokens": round(statistics.mean(len(first.model.token_ends(text)) for text in texts), 1),
        "cores": os.cpu_count(),
        "load_average": round(os.getloadavg()[0], 2),
        "forms": {name: one.figures(first.rows) for name, one in measured.items()},
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("drive", type=Path, help="a folder of documents")
    parser.add_argument("--model", default=MINILM_FP32, help="as FOOTNOTE_EMBEDDING__MODEL names it")
    parser.add_argument("--limit", type=int, default=400, help="passages")
    parser.add_argument("--rounds", type=int, default=3, help="the best of which counts")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    arguments = parser.parse_args()
    found = asyncio.run(run(arguments.drive, arguments.model, limit=arguments.limit, rounds=arguments.rounds))
    text = json.dumps(found, indent=2)
    print(text)
    if arguments.json is not None:
        arguments.json.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
