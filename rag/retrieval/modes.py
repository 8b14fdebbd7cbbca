"""A retrieval mode in one word: a base, then stages in the order in which they go over what was found."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Collection
from dataclasses import dataclass

from rag.errors import ConfigurationError
from rag.retrieval import BASES, LAST_STEP, STAGES
from rag.retrieval.base import Retriever
from rag.retrieval.calibrator import Calibrator
from rag.retrieval.deduplicated import Deduplicated
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.hierarchical import HierarchicalRetriever, without_parents
from rag.types.index import Manifest


@dataclass(frozen=True, slots=True)
class RetrievalMode:
    """What FOOTNOTE_RETRIEVAL__MODE says, taken apart."""

    base: str
    stages: tuple[str, ...] = ()

    def __str__(self) -> str:
        """As `mode_of` reads it."""
        return "+".join([self.base, *self.stages])

    def reason_against(self, manifest: Manifest) -> str:
        """Why an index cannot be searched in this mode; empty where it can."""
        return without_parents(manifest.chunker) if BASES[self.base] is HierarchicalRetriever else ""


def mode_of(text: str) -> RetrievalMode:
    """The mode that is spelt `base[+stage…]`.

    Raises ConfigurationError, which names what is unknown and what there is.
    """
    base, *stages = [part.strip().casefold() for part in text.split("+")]
    if base not in BASES:
        raise ConfigurationError(f"{text!r} is no retrieval mode: it begins with {_unknown(base, BASES)}")
    for place, stage in enumerate(stages):
        if stage not in STAGES:
            raise ConfigurationError(f"{text!r} is no retrieval mode: as a stage it names {_unknown(stage, STAGES)}")
        if stage in stages[:place]:
            raise ConfigurationError(f"{text!r} is no retrieval mode: it names the stage {stage!r} twice")
    return RetrievalMode(base, tuple(stages))


def _unknown(part: str, known: Collection[str]) -> str:
    return f"{part!r}, and what there is are {', '.join(known)} (written as base or base+stage, like 'hybrid+cross')"


class RetrievalModes:
    """What retrieves in one program, each mode built when it is first asked for. Threads may share it."""

    def __init__(self, deps: RetrievalDeps) -> None:
        """`deps.settings.mode` is the mode that is taken where none is named."""
        self._deps = deps
        self._built: dict[RetrievalMode, Calibrator] = {}
        self._building = threading.Lock()

    def retriever(self, name: str | None = None) -> Calibrator:
        """What retrieves in a mode. Slow where a model is loaded. Raises ConfigurationError."""
        mode = self.mode(name)
        with self._building:
            if mode not in self._built:
                retriever: Retriever = Deduplicated(BASES[mode.base](self._deps))
                for stage in mode.stages:
                    retriever = STAGES[stage](retriever, self._deps)
                self._built[mode] = LAST_STEP(retriever, self._deps)
            return self._built[mode]

    async def ready(self, name: str | None = None) -> Calibrator:
        """As `retriever`; what is not built yet is built in a thread."""
        return self._built.get(self.mode(name)) or await asyncio.to_thread(self.retriever, name)

    def mode(self, name: str | None = None) -> RetrievalMode:
        """The mode of that name, or the one that is set. Raises ConfigurationError."""
        return mode_of(self._deps.settings.mode if name is None else name)

    def recipe(self, name: str | None = None) -> str:
        """Changes with all that decides what a mode finds in an index: part of what a cached answer depends on."""
        settings = self._deps.settings.model_dump_json(exclude={"mode"})
        return f"{self.mode(name)}/{hashlib.sha256(settings.encode()).hexdigest()[:8]}/{self._deps.weights.name}"

    async def check(self, name: str | None = None) -> None:
        """Build what retrieves in a mode, and see whether it can search the index that serves.

        Raises ConfigurationError where it cannot, IndexMissing, StoreError.
        """
        await self.ready(name)
        if reason := self.mode(name).reason_against(await self._deps.store.manifest()):
            raise ConfigurationError(reason)
