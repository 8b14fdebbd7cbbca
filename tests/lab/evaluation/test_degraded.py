"""Figures of a way that was degraded while it was measured do not pass for those of the way."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from lab.evaluation.asking import AskedQuestion, Asking, result_of
from lab.evaluation.results import IndexSummary
from lab.evaluation.sets.base import Question, QuestionSet
from lab.evaluation.systems.engine import EngineMode
from lab.evaluation.view import show_results
from rag.answering.gate import AnswerabilityGate
from rag.bootstrap.engine import Search
from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.sparse import Bm25
from rag.errors import ProviderError
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.modes import RetrievalModes
from rag.retrieval.query_expansion import NOT_WRITTEN
from rag.settings.groups import RetrievalSettings
from tests.documents import WordModel
from tests.fakes import ScriptedLLM
from tests.rag.answering.parts import a_filled_store

QUESTION = Question("1", "What do whales sing?", {"whales": 1})


async def test_a_model_that_fails_while_its_stage_is_measured_is_counted_and_shown(tmp_path: Path) -> None:
    async with a_filled_store(tmp_path, whales=["Blue whales sing."]) as store:
        dead = ScriptedLLM(ProviderError("x", "HTTP 503"))
        embedder = HybridEmbedder(WordModel(), Bm25())
        modes = RetrievalModes(RetrievalDeps(embedder, store, RetrievalSettings(), dead))
        way = EngineMode(
            Search(embedder, store, AnswerabilityGate(Bm25(), decline=0.2, caution=0.4), modes, Bm25()),
            "hybrid+queries",
            passages=3,
        )
        ranking = await way.ask(QUESTION.text, limit=3)
    assert (ranking.notices, len(ranking.passages)) == ((NOT_WRITTEN.code,), 1)
    asking = Asking(
        QuestionSet("whales", [QUESTION], by_page=False), way.name, [AskedQuestion(QUESTION, ranking)], [{}]
    )
    result = result_of(asking, IndexSummary(embedder="words", documents=1), passages=3, version="1", at="2026-01-01")
    assert result.degraded == {NOT_WRITTEN.code: 1}
    shown = io.StringIO()
    show_results(Console(file=shown, width=200), [result])
    assert f"hybrid+queries WAS DEGRADED ({NOT_WRITTEN.code} 1 times)" in shown.getvalue()
