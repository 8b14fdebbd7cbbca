"""A whole measurement: sets read, indexed by the real indexer, and asked in each way."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from lab.evaluation.asking import Asking, Depth, ask_all, result_of
from lab.evaluation.drive import drive_of
from lab.evaluation.indexing import index, settings_for, work_of
from lab.evaluation.results import IndexSummary, Result
from lab.evaluation.sets.base import QuestionCorpus, QuestionSet
from lab.evaluation.settings import EvaluationSettings
from lab.evaluation.systems import BASELINES
from lab.evaluation.systems.base import MeasuredMode
from lab.evaluation.systems.engine import EngineMode
from rag.bootstrap.engine import Search, open_search
from rag.bootstrap.models import build_model, embedder_name
from rag.embedding.base import TextModel


@dataclass(frozen=True, slots=True)
class MeasurementPlan:
    """What is to be measured."""

    corpora: Sequence[QuestionCorpus]
    modes: Sequence[str]
    work: Path
    limit: int | None = None
    """At most so many questions of each kind."""
    misses: bool = False


@dataclass(frozen=True, slots=True)
class MeasuredSystem:
    """One way over one set: its figures, and what they come from."""

    result: Result
    asking: Asking


async def measure(plan: MeasurementPlan, settings: EvaluationSettings, console: Console) -> list[MeasuredSystem]:
    """Each set in each way, in order. Progress goes to `console`.

    Raises ConfigurationError before anything is indexed for a way that is not there; EvaluationError, StoreError.
    """
    model = await asyncio.to_thread(build_model, settings.embedding)
    measured: list[MeasuredSystem] = []
    for corpus in plan.corpora:
        measured += await _Measuring(plan, settings, model, console, corpus).run()
    return measured


class _Measuring:
    """One corpus."""

    def __init__(
        self,
        plan: MeasurementPlan,
        settings: EvaluationSettings,
        model: TextModel,
        console: Console,
        corpus: QuestionCorpus,
    ) -> None:
        self._plan = plan
        self._settings = settings_for(corpus, plan.work, settings, embedder_name(model))
        self._model = model
        self._console = console
        self._corpus = corpus

    async def run(self) -> list[MeasuredSystem]:
        async with open_search(self._settings, self._model) as search:
            ways = [self._way(mode, search) for mode in self._plan.modes]
            searched: IndexSummary | None = None
            if any(isinstance(way, EngineMode) for way in ways):
                self._say("indexing")
                report = await index(drive_of(self._corpus, self._folder), self._corpus, self._settings)
                searched = await _index(search, report)
                for way in ways:
                    if isinstance(way, EngineMode):
                        await search.modes.check(way.name)
            bare = IndexSummary(embedder=self._model.name, documents=len(self._corpus.texts))
            return [
                await self._ask(way, questions, searched if searched and isinstance(way, EngineMode) else bare)
                for way in ways
                for questions in self._corpus.sets
            ]

    @property
    def _folder(self) -> Path:
        return work_of(self._corpus, self._plan.work)

    def _way(self, mode: str, search: Search) -> MeasuredMode:
        if mode in BASELINES:
            self._say(f"reading for {mode}")
            return BASELINES[mode](self._corpus, self._model, self._folder)
        return EngineMode(search, mode, passages=self._settings.retrieval.passages)

    async def _ask(self, way: MeasuredMode, questions: QuestionSet, searched: IndexSummary) -> MeasuredSystem:
        questions = questions.first(self._plan.limit)
        retrieval = self._settings.retrieval
        depth = Depth(retrieval.passages, retrieval.candidates, misses=self._plan.misses)
        self._say(f"asking {len(questions.all)} questions by {way.name}")
        with Progress(console=self._console, transient=True, disable=not self._console.is_terminal) as progress:
            task = progress.add_task(f"{questions.name}, {way.name}", total=len(questions.all))
            asking = await ask_all(way, questions, depth, lambda: progress.advance(task))
        today = datetime.now(UTC).date().isoformat()
        version = metadata.version("footnote")
        return MeasuredSystem(
            result_of(asking, searched, passages=retrieval.passages, version=version, at=today), asking
        )

    def _say(self, text: str) -> None:
        self._console.print(f"{self._corpus.name}: {text}", style="dim", markup=False, highlight=False)


async def _index(search: Search, report: Mapping[str, Any]) -> IndexSummary:
    manifest = await search.store.manifest()
    corpora = manifest.corpora.values()
    return IndexSummary(
        embedder=manifest.embedder,
        chunker=manifest.chunker,
        documents=sum(corpus.documents for corpus in corpora),
        chunks=sum(corpus.chunks for corpus in corpora),
        unread=sum(len(drive["failed"]) + len(drive["still_failed"]) for drive in report["drives"]),
    )
