"""BM25 over whole documents or pages, by the library bm25s: the baseline that papers compare with."""

from __future__ import annotations

import logging
from typing import Any, Final

from lab.evaluation.sets.base import QuestionCorpus
from lab.evaluation.systems.base import FoundPassage, Ranking
from lab.evaluation.systems.whole import whole_texts
from rag.errors import ConfigurationError, EvaluationError
from rag.telemetry import Stopwatch

K1: Final = 0.9  # Anserini's defaults, by which the published figures for BEIR were made
B: Final = 0.4  # likewise
NAME: Final = "bm25-documents"


class Bm25Documents:
    """No chunks, no headings, English stemming and stop words."""

    def __init__(self, corpus: QuestionCorpus) -> None:
        """Reads the whole set. Raises ConfigurationError, EvaluationError."""
        try:
            import bm25s  # noqa: PLC0415  # three seconds, which only this baseline needs
            import Stemmer  # noqa: PLC0415  # likewise
        except ModuleNotFoundError as error:
            raise ConfigurationError(
                f"{NAME} needs bm25s: run `pip install -c constraints.txt '.[evaluation]'` in the folder of the source"
            ) from error
        logging.getLogger("bm25s").setLevel(logging.WARNING)  # it sets itself to DEBUG
        self.name = NAME
        texts = whole_texts(corpus)
        self._places = list(texts)
        self._bm25s: Any = bm25s
        self._stemmer: Any = Stemmer.Stemmer("english")
        self._index: Any = bm25s.BM25(k1=K1, b=B, method="lucene")
        tokens = self._tokens(list(texts.values()), ids=True)
        if not any(tokens.ids):
            raise EvaluationError(f"{corpus.source}: its documents hold no word that {NAME} looks for")
        self._index.index(tokens, show_progress=False)

    async def ask(self, question: str, *, limit: int, decide: bool = False) -> Ranking:
        """The best documents or pages that share a word with the question."""
        del decide  # it has no rule for that
        watch = Stopwatch()
        with watch.stage("retrieve"):
            [tokens] = self._tokens([question], ids=False)
            known = [token for token in tokens if token in self._index.vocab_dict]
            if not known:
                return Ranking([], watch.seconds)
            found, scores = self._index.retrieve([known], k=min(limit, len(self._places)), show_progress=False)
        ranked = zip(found[0], scores[0], strict=True)
        return Ranking(
            [FoundPassage((self._places[place],), float(score)) for place, score in ranked if score > 0], watch.seconds
        )

    def _tokens(self, texts: list[str], *, ids: bool) -> Any:
        return self._bm25s.tokenize(texts, stopwords="en", stemmer=self._stemmer, return_ids=ids, show_progress=False)
