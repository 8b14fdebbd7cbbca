"""The corpus as an index in memory, with the scores of the store: cosines, and BM25 with the store's IDF."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from indexer.bootstrap import ModelRuler
from indexer.chunking.markdown import MarkdownChunker
from lab.training.corpus import TrainingCorpus
from rag.embedding.base import DenseModel, Tokens
from rag.embedding.sparse import Bm25, term_number
from rag.retrieval.base import QueryTerm
from rag.retrieval.idf import idf, weighed
from rag.types.chunks import Chunk, ChunkId, Span
from rag.types.documents import Document, DocumentId, Page

_BATCH: Final = 256


class TrainingIndex:
    """All chunks of a corpus, cut as the indexer cuts Markdown."""

    def __init__(self, corpus: TrainingCorpus, model: Tokens) -> None:
        self.corpus = corpus
        self.chunks = _cut(corpus, model)
        self._bm25 = Bm25()
        self._split: dict[str, list[str]] = {}
        self._postings: dict[int, list[tuple[int, float]]] = defaultdict(list)
        for number, chunk in enumerate(self.chunks):
            sparse = self._bm25.document(chunk.searchable)
            for term, weight in zip(sparse.indices.tolist(), sparse.values.tolist(), strict=True):
                self._postings[term].append((number, weight))
        count = len(self.chunks)
        self._idf = {term: idf(count, len(found)) for term, found in self._postings.items()}

    def bm25(self, question: str) -> npt.NDArray[np.float64]:
        """One score a chunk: shape (len(chunks),)."""
        scores = np.zeros(len(self.chunks))
        query = self._bm25.query(question)
        for term, weight in zip(query.indices.tolist(), query.values.tolist(), strict=True):
            for number, value in self._postings.get(term, ()):
                scores[number] += self._idf[term] * weight * value
        return scores

    def query_terms(self, question: str) -> tuple[QueryTerm, ...]:
        """The words of a question, weighed as the engine does."""
        words = self._bm25.query_words(question)
        return weighed(words, self._seen(term for word in words for term in word))

    def idf_of(self, word: str) -> float | None:
        """The IDF of a word; None where no chunk holds it."""
        seen = self._seen(term for terms in self._bm25.query_words(word) for term in terms)
        return min(seen.values(), default=None)

    def tokenize(self, text: str) -> Sequence[str]:
        """The terms of a text; each text is split once."""
        if text not in self._split:
            self._split[text] = self._bm25.terms(text)
        return self._split[text]

    def _seen(self, terms: Iterable[str]) -> dict[str, float]:
        """The IDF of each term that some chunk holds."""
        hashed = {term: term_number(term) for term in terms}
        return {term: self._idf[number] for term, number in hashed.items() if number in self._idf}


def embedded(texts: Iterable[str], model: DenseModel, kept: Path) -> dict[str, npt.NDArray[np.float32]]:
    """The vector of each text. What was embedded in an earlier run is read from the file `kept`, written anew here."""
    known: dict[str, npt.NDArray[np.float32]] = {}
    if kept.exists():
        with np.load(kept) as file:
            known = dict(zip(file["texts"].tolist(), file["vectors"], strict=True))
    wanted = dict.fromkeys(texts)
    missing = [text for text in wanted if text not in known]
    for start in range(0, len(missing), _BATCH):
        batch = missing[start : start + _BATCH]
        known |= dict(zip(batch, model.encode(batch), strict=True))
    found = {text: known[text] for text in wanted}
    np.savez(kept, texts=np.array(list(found)), vectors=np.stack(list(found.values())))
    return found


def _cut(corpus: TrainingCorpus, model: Tokens) -> list[Chunk]:
    chunker = MarkdownChunker(ModelRuler(model))
    chunks: list[Chunk] = []
    for number, source in enumerate(corpus.documents):
        document = Document(
            id=DocumentId(str(number)),
            corpus="training",
            uri=str(number),
            title=source.title,
            kind="markdown",
            paged=False,
            modified_at=datetime(2026, 1, 1, tzinfo=UTC),
            fingerprint="",
            labels=frozenset(),
        )
        for ordinal, piece in enumerate(chunker.cut([Page(1, source.text)], title=source.title)):
            text = source.text[piece.start : piece.end]
            span = Span(1, "", piece.start, piece.end)
            chunks.append(Chunk(ChunkId(str(len(chunks))), document, ordinal, text, (span,), tuple(piece.headings)))
    return chunks
