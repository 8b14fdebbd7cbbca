"""The real indexer over the files of a set: a process of its own, as an operator starts it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.evaluation.sets.base import QuestionCorpus
from lab.evaluation.settings import EvaluationSettings, chunking, indexer_environment
from rag.errors import ConfigurationError, EvaluationError
from rag.program import MISCONFIGURED
from rag.store.base import SCHEMA


def work_of(corpus: QuestionCorpus, work: Path) -> Path:
    """The folder of a set below the work folder: one for each set, wherever sets of one name stand."""
    place = hashlib.sha256(str(corpus.source).encode()).hexdigest()[:8]
    return work.absolute() / f"{corpus.name}-{place}"


def settings_for(corpus: QuestionCorpus, work: Path, settings: EvaluationSettings, embedder: str) -> EvaluationSettings:
    """The settings by which the index of the set is made and searched: of each embedder and chunker one of its own.

    On a Qdrant server it bears a name of its own, too: an index that serves is never touched.
    """
    recipe = json.dumps([embedder, SCHEMA, chunking()], sort_keys=True)
    digest = hashlib.sha256(recipe.encode()).hexdigest()[:8]
    folder = work_of(corpus, work)
    store = settings.store.model_copy(
        update={"collection": f"{settings.store.collection}_evaluation_{folder.name}-{digest}"}
    )
    return settings.model_copy(update={"data_dir": folder / f"index-{digest}", "store": store})


async def index(drive: Path, corpus: QuestionCorpus, settings: EvaluationSettings) -> Mapping[str, Any]:
    """Bring the index up to the drive; what the indexer says of it. Its progress goes to stderr.

    Only what is new or changed is read. Raises EvaluationError, and ConfigurationError for what the indexer cannot
    work by; it has said more on stderr.
    """
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    # `reindex` and all drives of a file are not for us: the one folder is named.
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "indexer",
        "index",
        str(drive),
        "--name",
        corpus.name,
        "--json",
        env=indexer_environment(settings.data_dir, settings.store.collection),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        output, _ = await process.communicate()
    except asyncio.CancelledError:
        process.send_signal(signal.SIGTERM)  # what is done is kept: the next run goes on
        await process.wait()
        raise
    if process.returncode == MISCONFIGURED:
        raise ConfigurationError(f"the set {corpus.name!r} cannot be indexed by these settings")
    if process.returncode:
        raise EvaluationError(f"the indexer ended with {process.returncode} over the set {corpus.name!r} ({drive})")
    report: Mapping[str, Any] = json.loads(output)
    return report
