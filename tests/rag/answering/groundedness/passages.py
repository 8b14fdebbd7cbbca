"""Passages of an invented company, and answers held against them."""

from __future__ import annotations

from collections.abc import Sequence

from rag.answering.groundedness.checking import SupportCheck
from rag.answering.groundedness.passages import Passage, PassageReader
from rag.embedding.base import Embedder
from rag.embedding.sparse import Bm25
from rag.types.answers import Citation
from rag.types.chunks import Chunk, ChunkId, Span
from rag.types.groundedness import SentenceSupport
from tests.documents import a_document

LEAVE = (
    "Full-time staff have 30 days of annual leave, part-time staff have 20 days. "
    "Leave is approved by Petra Holm within 2 weeks. Unused leave lapses on 31 March 2026."
)
PARTS = "The pump CB-4471-K weighs 3.2 kg and costs €1,250. It is delivered within 48 hours by Orrin Freight."
SALES = "Sales rose from 1,412,300 euros in 2024 to 1,497,200 euros in 2025. The margin was 12.4 %."
TABLE = "| Plan | Seats | Price |\n|---|---|---|\n| Birch | 5 | €40 |\n| Maple | 25 | €180 |"
GERMAN = "Die Probezeit beträgt sechs Monate. Überstunden werden mit 25 Prozent vergütet. Die Kasse öffnet um 8.30 Uhr."


def a_citation(number: int, text: str, title: str = "Handbook") -> Citation:
    document = a_document(f"{number}.md", title=title)
    chunk = Chunk(ChunkId(f"c{number}"), document, 0, text, (Span(1, "", 0, len(text)),))
    return Citation(number, chunk, 1.0, "", 1, "")


def citations(*texts: str) -> list[Citation]:
    return [a_citation(number, text) for number, text in enumerate(texts, start=1)]


def a_passage(text: str) -> Passage:
    return PassageReader(Bm25().terms).passage(a_citation(1, text))


async def held(
    answer: str, *texts: str, question: str = "", embedder: Embedder | None = None
) -> Sequence[SentenceSupport]:
    """The verdicts on an answer whose sources [1], [2] … are these texts."""
    return await SupportCheck(Bm25().terms, embedder).check(answer, citations(*texts), question)
