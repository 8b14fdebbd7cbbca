"""The semantic cache: how often the same question in other words finds its answer, and how often another does.

Of the pairs in lab/benchmarks/data/near_questions.jsonl one half serves for fitting (`--fit` prints its curve: the
bound `NEAR` and the tables of `rag.answering.likeness` were made with it), the other, of other subjects, for the
figures. With `--data-dir` and the index that `make demo` leaves there, it measures also what a hit saves.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import numpy as np

from rag.answering.answer_cache import AnswerMemory, Conditions
from rag.answering.likeness.guard import Likeness, likeness, read_question
from rag.answering.paraphrases import KEPT, NEAR, Paraphrases, known_words
from rag.bootstrap.engine import Engine, open_engine
from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.minilm import MiniLM
from rag.embedding.sparse import Bm25
from rag.settings import AnsweringSettings
from rag.telemetry import Counters
from rag.types import Answer, Outcome, Scope
from tests.processes import ROOT
from tests.rag.answering import MemoryCache

DATA: Final = ROOT / "lab" / "benchmarks" / "data" / "near_questions.jsonl"
BOUNDS: Final = (0.70, 0.75, 0.80, 0.85, 0.90, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99)
ALLOWED: Final = 0.005
"""The share of near questions that may be given another's answer."""
DRAWS: Final = 2000
HOUR: Final = timedelta(hours=1)
ANY: Final = Conditions(Scope.everything(), 1, "benchmark", "benchmark")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two questions, and what is thought of them."""

    one: str
    other: str
    same: bool
    subject: str
    kind: str
    language: str
    made: str
    cosine: float
    likeness: Likeness

    def is_hit(self, bound: float = NEAR) -> bool:
        """Whether the one would be given the answer of the other, the very same question too."""
        if ANY.key(self.one) == ANY.key(self.other):
            return True
        return self.likeness is not Likeness.DIFFERENT and self.cosine >= bound


async def judged(half: str, embedder: HybridEmbedder) -> list[Pair]:
    """The pairs of a half, both ways of asking compared as the cache does it."""
    rows = [row for line in DATA.read_text("utf-8").splitlines() if (row := json.loads(line))["half"] == half]
    texts = sorted({row[side] for row in rows for side in "ab"})
    vectors = {text: (await embedder.embed_query(text)).dense for text in texts}
    known = known_words()
    return [
        Pair(
            row["a"],
            row["b"],
            row["same"],
            row["subject"],
            row["kind"],
            row["lang"],
            row["made"],
            float(vectors[row["a"]] @ vectors[row["b"]]),
            likeness(read_question(row["a"], known=known), read_question(row["b"], known=known), known=known),
        )
        for row in rows
    ]


def curve(pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    """For each bound: false hits and hits by the cosine alone, and with the words read too."""
    return [
        {
            "bound": bound,
            "cosine_false": sum(pair.cosine >= bound for pair in pairs if not pair.same),
            "cosine_hits": sum(pair.cosine >= bound for pair in pairs if pair.same),
            "false": sum(pair.is_hit(bound) for pair in pairs if not pair.same),
            "hits": sum(pair.is_hit(bound) for pair in pairs if pair.same),
        }
        for bound in BOUNDS
    ]


def least_bound(pairs: Sequence[Pair]) -> float:
    """The least cosine that alone keeps false hits within what is allowed."""
    near = sorted((pair.cosine for pair in pairs if not pair.same), reverse=True)
    return near[int(ALLOWED * len(near))] + 1e-6


def report(pairs: Sequence[Pair], alone: float) -> dict[str, Any]:
    """Shares with their intervals. `alone`: the bound for the cosine without the words, fitted elsewhere."""
    same, near = ([pair for pair in pairs if pair.same is wanted] for wanted in (True, False))
    written = [pair for pair in near if pair.made == "written"]
    return {
        "same": len(same),
        "hits": share([pair.is_hit() for pair in same]),
        "hits_interval": by_subject(same),
        "hits_by_kind": by(same, lambda pair: pair.kind),
        "hits_by_language": by(same, lambda pair: pair.language),
        "near": len(near),
        "false": sum(pair.is_hit() for pair in near),
        "false_at_most": at_most(sum(pair.is_hit() for pair in near), len(near)),
        "near_written": len(written),
        "false_written": sum(pair.is_hit() for pair in written),
        "false_written_at_most": at_most(sum(pair.is_hit() for pair in written), len(written)),
        "cosine_alone": {
            "bound": round(alone, 4),
            "hits": share([pair.cosine >= alone for pair in same]),
            "false": sum(pair.cosine >= alone for pair in near),
            "false_at_our_bound": sum(pair.cosine >= NEAR for pair in near),
        },
    }


def share(found: Sequence[bool]) -> float:
    """Of all; 0 of none."""
    return round(sum(found) / len(found), 4) if found else 0.0


def by(pairs: Sequence[Pair], key: Callable[[Pair], str]) -> dict[str, str]:
    """Hits of all, by a property."""
    groups: defaultdict[str, list[bool]] = defaultdict(list)
    for pair in pairs:
        groups[key(pair)].append(pair.is_hit())
    return {name: f"{sum(found)} of {len(found)}" for name, found in sorted(groups.items())}


def by_subject(pairs: Sequence[Pair]) -> list[float]:
    """The middle 95 % of the share of hits when subjects are drawn anew: pairs of one subject resemble each other."""
    groups: defaultdict[str, list[bool]] = defaultdict(list)
    for pair in pairs:
        groups[pair.subject].append(pair.is_hit())
    counts = np.array([(sum(found), len(found)) for found in groups.values()])
    draws = np.random.default_rng(7).integers(0, len(counts), (DRAWS, len(counts)))
    sums = counts[draws].sum(axis=1)
    return [round(float(value), 4) for value in np.quantile(sums[:, 0] / sums[:, 1], [0.025, 0.975])]


def at_most(found: int, of: int) -> float:
    """The share below which the truth lies with 95 % (one-sided, Clopper & Pearson 1934; 3/n for none of n)."""
    low, high = found / of, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        chance = sum(math.comb(of, k) * middle**k * (1 - middle) ** (of - k) for k in range(found + 1))
        low, high = (middle, high) if chance > 0.05 else (low, middle)  # noqa: PLR2004  # 5 %
    return round(high, 5)


async def in_a_crowd(pairs: Sequence[Pair], embedder: HybridEmbedder) -> dict[str, Any]:
    """All that was kept at once in one place, as in a busy channel: what each question finds there first."""
    paraphrases = Paraphrases(MemoryCache(), embedder, HOUR)
    kept = {pair.one: pair.subject for pair in pairs}
    for question in kept:
        await paraphrases.keep(question, "here")
    same = {(pair.one, pair.other) for pair in pairs if pair.same}
    others = {(pair.one, pair.other) for pair in pairs if not pair.same}
    bases = {pair.other: pair.one for pair in pairs if pair.same}
    counts: Counter[str] = Counter()
    for question, subject in {pair.other: pair.subject for pair in pairs}.items():
        found = [other for other in await paraphrases.of(question, "here") if other != question]
        counts["asked"] += 1
        counts["found"] += bool(found)
        for other in found[:1]:
            base = bases.get(other, other)
            wrong = (other, question) in others or (base, question) in others or kept[other] != subject
            counts["wrong"] += wrong and (base, question) not in same
    return dict(counts)


async def savings(engine: Engine, questions: Sequence[str]) -> dict[str, Any]:
    """Milliseconds: an answer made of excerpts, without a model's time, and what is looked up instead."""
    made: list[float] = []
    answers: list[Answer] = []
    for question in questions:
        async for event in engine.answerer.answer(question, (), Scope.everything()):
            if isinstance(event, Answer) and event.citations and not event.cached:
                made.append(1000 * sum(event.timings.get(stage, 0.0) for stage in ("retrieve", "weigh", "write")))
                answers.append(replace(event, outcome=Outcome.ANSWERED, notices=()))
    if not answers:
        raise RuntimeError("all answers came from the cache: empty the folder `cache` in the data folder")
    conditions = Conditions(Scope.everything(), answers[0].generation, "benchmark", f"benchmark/{time.time_ns()}")
    embedder = HybridEmbedder(MiniLM(), Bm25())
    paraphrases = Paraphrases(engine.cache, embedder, HOUR)
    memory = AnswerMemory(engine.cache, HOUR, ledger=engine.store, counters=Counters(), paraphrases=paraphrases)
    for number in range(KEPT - len(answers)):
        await paraphrases.keep(f"What does rule {number} of the handbook say?", conditions.place)
    for answer in answers:
        await memory.remember(answer.question, conditions, answer)
    exact = [await timed(lambda q=answer.question: memory.recall(q, conditions)) for answer in answers]
    reworded = [f"Could you tell me, please: {answer.question}" for answer in answers]
    semantic = [await timed(lambda q=question: memory.recall(q, conditions)) for question in reworded]
    missed = [
        await timed(lambda q=question: memory.recall(q, conditions))
        for question in (f"Who wrote page {number} of the handbook?" for number in range(len(answers)))
    ]
    embedding = [await timed(lambda q=question: embedded(embedder, q)) for question in reworded]
    return {
        "answers": len(answers),
        "kept": KEPT,
        "embed_ms": quantiles([milliseconds for milliseconds, _ in embedding]),
        "made_ms": quantiles(made),
        "exact_ms": quantiles([milliseconds for milliseconds, found in exact if found]),
        "semantic_ms": quantiles([milliseconds for milliseconds, found in semantic if found]),
        "semantic_hits": sum(found for _, found in semantic),
        "miss_ms": quantiles([milliseconds for milliseconds, found in missed if not found]),
    }


async def embedded(embedder: HybridEmbedder, question: str) -> None:
    """The part of a look-up that a search needs, too."""
    await embedder.embed_query(question)


async def timed(call: Callable[[], Awaitable[Answer | None]]) -> tuple[float, bool]:
    """Milliseconds, and whether there was an answer."""
    began = time.perf_counter()
    answer = await call()
    return 1000 * (time.perf_counter() - began), answer is not None


def quantiles(values: Sequence[float]) -> dict[str, float]:
    """p50 and p95."""
    return {f"p{q}": round(float(np.percentile(values, q)), 2) for q in (50, 95)} if values else {}


async def measure(*, fit: bool, data_dir: Path | None) -> dict[str, Any]:
    """All that was asked for."""
    embedder = HybridEmbedder(MiniLM(), Bm25())
    fitted = await judged("fit", embedder)
    if fit:
        return {"fitted_on": "fit", "curve": curve(fitted), "cosine_alone": round(least_bound(fitted), 4)}
    pairs = await judged("held_out", embedder)
    result: dict[str, Any] = {
        "fitted_on": "fit",
        "reported_on": "held_out",
        "bound": NEAR,
        **report(pairs, least_bound(fitted)),
        "in_a_crowd": await in_a_crowd(pairs, embedder),
    }
    if data_dir is not None:
        rows = [json.loads(line) for line in (ROOT / "demo" / "questions.jsonl").read_text("utf-8").splitlines()]
        async with open_engine(AnsweringSettings(data_dir=data_dir)) as engine:
            result["time"] = await savings(engine, [row["question"] for row in rows if row["kind"] != "follow-up"])
    return result


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fit", action="store_true", help="the curve of the half that serves for fitting, instead")
    parser.add_argument("--data-dir", type=Path, help="a data folder with an index of the demo: what a hit saves")
    parser.add_argument("--json", action="store_true", help="JSON instead of lines")
    arguments = parser.parse_args()
    result = asyncio.run(measure(fit=arguments.fit, data_dir=arguments.data_dir))
    if arguments.json:
        print(json.dumps(result, indent=2))
        return
    for row in result.pop("curve", []):
        print("  ".join(f"{name} {value}" for name, value in row.items()))
    for name, value in result.items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
