"""A way of retrieving in one word: a base, then stages in the order in which they go over what was found."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Collection
from dataclasses import dataclass

from rag.errors import ConfigurationError
from rag.retrieval import MODES, STAGES
from rag.retrieval.base import Retriever
from rag.retrieval.deduplicated import Deduplicated
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.hierarchical import HierarchicalRetriever, without_parents
from rag.retrieval.ranked import Appraised
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
        """Why an index cannot be searched in this way; empty where it can."""
        return without_parents(manifest.chunker) if MODES[self.base] is HierarchicalRetriever else ""


def mode_of(text: str) -> RetrievalMode:
    """The way that is spelt `base[+stage…]`.

    Raises ConfigurationError, which names what is unknown and what there is.
    """
    base, *stages = [part.strip().casefold() for part in text.split("+")]
    if base not in MODES:
        raise ConfigurationError(f"{text!r} is no way of retrieving: it begins with {_unknown(base, MODES)}")
    for place, stage in enumerate(stages):
        if stage not in STAGES:
            raise ConfigurationError(f"{text!r} is no way of retrieving: as a stage it names {_unknown(stage, STAGES)}")
        if stage in stages[:place]:
            raise ConfigurationError(f"{text!r} is no way of retrieving: it names the stage {stage!r} twice")
    return RetrievalMode(base, tuple(stages))


def _unknown(part: str, known: Collection[str]) -> str:
    return f"{part!r}, and what there is are {', '.join(known)} (written as base or base+stage, like 'hybrid+cross')"


class RetrievalModes:
    """The retrievers of one program, each built when its way is first asked for. Threads may share it."""

    def __init__(self, means: RetrievalDeps) -> None:
        """`means.settings.mode` is the way that is taken where none is named."""
        self._means = means
        self._built: dict[RetrievalMode, Retriever] = {}
        self._building = threading.Lock()

    def retriever(self, name: str | None = None) -> Retriever:
        """The retriever of a way. Slow where a model is loaded. Raises ConfigurationError."""
        way = self.way(name)
        with self._building:
            if way not in self._built:
                retriever: Retriever = Deduplicated(MODES[way.base](self._means))
                for stage in way.stages:
                    retriever = STAGES[stage](retriever, self._means)
                self._built[way] = Appraised(retriever, self._means)
            return self._built[way]

    async def ready(self, name: str | None = None) -> Retriever:
        """As `retriever`; what is not built yet is built in a thread."""
        return self._built.get(self.way(name)) or await asyncio.to_thread(self.retriever, name)

    def way(self, name: str | None = None) -> RetrievalMode:
        """The way of that name, or the one that is set. Raises ConfigurationError."""
        return mode_of(self._means.settings.mode if name is None else name)

    def recipe(self, name: str | None = None) -> str:
        """Changes with all that decides what a way finds in an index: part of what a kept answer depends on."""
        settings = self._means.settings.model_dump_json(exclude={"mode"})
        return f"{self.way(name)}/{hashlib.sha256(settings.encode()).hexdigest()[:8]}/{self._means.weights.name}"

    async def check(self, name: str | None = None) -> None:
        """Build the retriever of a way, and see whether it can search the index that serves.

        Raises ConfigurationError where it cannot, IndexMissing, StoreError.
        """
        await self.ready(name)
        if reason := self.way(name).reason_against(await self._means.store.manifest()):
            raise ConfigurationError(reason)
