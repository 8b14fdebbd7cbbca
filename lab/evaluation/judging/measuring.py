"""A whole judging: sets indexed by the real indexer, asked through the engine that serves chats, answers judged."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import Progress

from lab.evaluation.drive import drive_of
from lab.evaluation.indexing import index, settings_for, work_of
from lab.evaluation.judging.model import JudgeModel
from lab.evaluation.judging.results import JudgedSet, judged_set
from lab.evaluation.judging.session import JudgedAnswer, Session
from lab.evaluation.sets.base import QuestionCorpus, QuestionSet
from lab.evaluation.settings import EvaluationSettings
from rag.bootstrap.engine import Engine, open_engine
from rag.bootstrap.models import build_model, embedder_name
from rag.bootstrap.providers import open_llm
from rag.errors import ConfigurationError
from rag.llm.base import LLM
from rag.retrieval.modes import mode_of

NO_PROVIDER: Final = (
    "judging needs a language model that writes the answers and one that judges them: set LLM_MODEL, and "
    "OPENAI_API_KEY or OPENAI_BASE_URL; figures of retrieval need none: `python -m lab.evaluation run`"
)


@dataclass(frozen=True, slots=True)
class JudgingPlan:
    """What is to be judged."""

    corpora: Sequence[QuestionCorpus]
    work: Path
    limit: int | None = None
    """At most so many questions of each kind."""
    mode: str | None = None
    """The retrieval mode; the settings' where None."""
    judge: str | None = None
    """The model that judges, of the provider that writes; the one that writes when None."""


async def judge_sets(plan: JudgingPlan, settings: EvaluationSettings, console: Console) -> list[JudgedSet]:
    """Each set, in order. Progress goes to `console`.

    Raises ConfigurationError before anything is indexed where no model is configured; EvaluationError, StoreError.
    """
    if settings.llm_model is None:
        raise ConfigurationError(NO_PROVIDER)
    if plan.mode is not None:
        settings = settings.model_copy(
            update={"retrieval": settings.retrieval.model_copy(update={"mode": str(mode_of(plan.mode))})}
        )
    async with open_llm(_of_the_judge(settings, plan.judge)) as llm:
        if llm is None:
            raise ConfigurationError(NO_PROVIDER)
        name = embedder_name(await asyncio.to_thread(build_model, settings.embedding))
        judged: list[JudgedSet] = []
        for corpus in plan.corpora:
            own = settings_for(corpus, plan.work, settings, name)
            console.print(f"{corpus.name}: indexing", style="dim", markup=False, highlight=False)
            await index(drive_of(corpus, work_of(corpus, plan.work)), corpus, own)
            async with open_engine(own) as engine:
                for questions in corpus.sets:
                    rows, judge = await _asked(engine, llm, questions.first(plan.limit), console)
                    judged.append(_figures(questions.name, own.retrieval.mode, rows, judge))
        return judged


def _of_the_judge(settings: EvaluationSettings, model: str | None) -> EvaluationSettings:
    """One model alone: figures by several judges would not be comparable."""
    llm = settings.llm.model_copy(update={"fallbacks": []})
    return settings.model_copy(update={"llm": llm, "llm_model": model or settings.llm_model})


async def _asked(
    engine: Engine, llm: LLM, questions: QuestionSet, console: Console
) -> tuple[Sequence[JudgedAnswer], JudgeModel]:
    """The questions of a set, judged, and who did: one that has counted them alone."""
    judge = JudgeModel(llm)
    session = Session(engine.answerer, engine.embedder, judge)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(f"{questions.name}, judged", total=len(questions.all))
        return await session.judge_all(questions.all, lambda: progress.advance(task)), judge


def _figures(name: str, mode: str, rows: Sequence[JudgedAnswer], judge: JudgeModel) -> JudgedSet:
    today, version = datetime.now(UTC).date().isoformat(), metadata.version("footnote")
    return judged_set(name, mode, rows, judge, version=version, at=today)
