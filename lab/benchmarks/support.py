"""How well answers are told that their passages bear out from those that they do not, and what telling costs.

Sentences of answers about an invented company, correct ones and ones that were spoilt in known ways. The bounds of the
check are fitted on one half (`--fit`); all figures are of the other, which shares no subject with it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any, Final

from lab.benchmarks.support_figures import FLAGGED, Sentence, milliseconds, report, section, table
from rag.answering.groundedness.checking import SupportCheck
from rag.answering.groundedness.findings import BOUNDS, SupportBounds
from rag.embedding.base import Embedder
from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.minilm import MiniLM
from rag.embedding.sparse import Bm25
from rag.types.answers import Citation
from rag.types.chunks import Chunk, ChunkId, Span
from rag.types.documents import Document, DocumentId
from rag.types.groundedness import SentenceSupport, Support
from rag.types.vectors import Embedding

DATA: Final = Path(__file__).parent / "data" / "supported_answers.jsonl"
FALSE_ALARMS: Final = 0.02
"""The most correct sentences that may be called in question, when bounds are fitted."""
GRID: Final[Mapping[str, Sequence[float]]] = {
    "lead": (0.2, 0.3, 0.4),
    "exchanged": (0.06, 0.08, 0.12),
    "like": (0.45, 0.5, 0.55, 0.6),
    "said": (0.5, 0.6, 0.8),
    "words": (0.2, 0.3),
    "found": (0.05, 0.1),
}


class Remembering:
    """An Embedder that embeds each text once: fitting asks for the same ones again and again."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self._kept: dict[str, Embedding] = {}
        self.name = inner.name
        self.dimensions = inner.dimensions

    async def embed_documents(self, texts: Sequence[str]) -> list[Embedding]:
        """One embedding a text, in order."""
        new = [text for text in dict.fromkeys(texts) if text not in self._kept]
        self._kept |= zip(new, await self._inner.embed_documents(new), strict=True)
        return [self._kept[text] for text in texts]

    async def embed_query(self, text: str) -> Embedding:
        """The embedding of a question."""
        return await self._inner.embed_query(text)


def citations_of(passages: Sequence[Mapping[str, Any]]) -> list[Citation]:
    """The passages as an answer cites them."""
    return [_citation(passage) for passage in passages]


def _citation(passage: Mapping[str, Any]) -> Citation:
    number, text = passage["number"], passage["text"]
    document = Document(
        DocumentId(f"d{number}"),
        "drive",
        passage["title"],
        passage["title"],
        "markdown",
        paged=False,
        modified_at=datetime(2026, 1, 1, tzinfo=UTC),
        fingerprint="",
        labels=frozenset(),
    )
    chunk = Chunk(ChunkId(f"c{number}"), document, 0, text, (Span(1, "", 0, len(text)),), tuple(passage["headings"]))
    return Citation(number, chunk, 1.0, "", 1, "")


def text_of(sentences: Sequence[Mapping[str, Any]]) -> tuple[str, list[int]]:
    """The answer's text, and where each sentence begins."""
    text, starts = "", []
    for sentence in sentences:
        piece = sentence["text"]
        text += ("\n" if piece.startswith("- ") else " ") if text else ""
        starts.append(len(text))
        text += piece
    return text, starts


async def checked(bases: Sequence[Mapping[str, Any]], check: SupportCheck) -> tuple[list[Sentence], list[float]]:
    """Every sentence of every answer with its verdict; and the milliseconds that each answer took."""
    sentences: list[Sentence] = []
    took: list[float] = []
    for base in bases:
        citations = citations_of(base["passages"])
        for answer in base["answers"]:
            text, starts = text_of(answer["sentences"])
            began = time.perf_counter()
            supports = await check.check(text, citations)
            took.append(1000 * (time.perf_counter() - began))
            ends = [*starts[1:], len(text) + 1]
            for row, start, end in zip(answer["sentences"], starts, ends, strict=True):
                own = [support for support in supports if start <= support.start < end]
                worst = max(own, key=lambda support: support.verdict in FLAGGED, default=_unseen(start, end))
                sentences.append(
                    Sentence(
                        base["id"],
                        base["lang"],
                        answer["corruption"],
                        row["label"],
                        row["kind"],
                        row.get("right"),
                        row["text"],
                        worst,
                    )
                )
    return sentences, took


def _unseen(start: int, end: int) -> SentenceSupport:
    return SentenceSupport(start, end, Support.NOT_CHECKED)


async def fitted(
    bases: Sequence[Mapping[str, Any]], terms: Callable[[str], Sequence[str]], embedder: Embedder
) -> SupportBounds:
    """The bounds that find most while no more than `FALSE_ALARMS` of the correct sentences are called in question."""
    best, most = BOUNDS, -1.0
    for bounds in _near(BOUNDS):
        found = report((await checked(bases, SupportCheck(terms, embedder, bounds)))[0])
        recall, alarms = found["recall"]["share"], found["false_alarms"]["share"]
        print(f"{bounds}: recall {recall}, false alarms {alarms}", file=sys.stderr)
        if alarms <= FALSE_ALARMS and recall > most:
            best, most = bounds, recall
    return best


def _near(bounds: SupportBounds) -> Iterator[SupportBounds]:
    """The bounds as they are, then with numbers' varied, then with meanings' varied."""
    yield bounds
    for names in (("lead", "exchanged"), ("like", "words"), ("said", "found")):
        for values in product(*(GRID[name] for name in names)):
            yield replace(bounds, **dict(zip(names, values, strict=True)))


async def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="answers with their passages, as JSON lines")
    parser.add_argument(
        "--fit", action="store_true", help="look for bounds on the half that is for that, and print them"
    )
    parser.add_argument("--half", default="held_out", choices=["held_out", "fit"], help="the half that is reported")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--section", type=Path, help="write the figures to this file, as a section of the results page")
    arguments = parser.parse_args()
    bases = [json.loads(line) for line in arguments.data.read_text(encoding="utf-8").splitlines()]
    half = [base for base in bases if base["half"] == arguments.half]
    bm25 = Bm25()
    embedder = HybridEmbedder(MiniLM(), bm25)
    if arguments.fit:
        print(await fitted([base for base in bases if base["half"] == "fit"], bm25.terms, Remembering(embedder)))
        return
    await checked(half[:3], SupportCheck(bm25.terms, embedder))  # warm
    sentences, with_meaning = await checked(half, SupportCheck(bm25.terms, embedder))
    _, by_words = await checked(half, SupportCheck(bm25.terms, None))
    result = {
        "answers": len(with_meaning),
        "bases": len(half),
        **report(sentences),
        "ms_an_answer": milliseconds(with_meaning),
        "ms_an_answer_by_words_alone": milliseconds(by_words),
    }
    if arguments.section is not None:
        text = json.dumps(section(result), indent=1, ensure_ascii=False)
        arguments.section.write_text(f"{text}\n", encoding="utf-8")
    print(json.dumps(result, indent=2, ensure_ascii=False) if arguments.json else table(result))


if __name__ == "__main__":
    asyncio.run(main())
