"""What an asker may read."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from rag.types.documents import Document


@dataclass(frozen=True, slots=True)
class Scope:
    """What an asker may read. Every search demands one, so none can be made without it."""

    labels: frozenset[str]
    unlimited: bool = False
    within: str | None = None
    """Narrows further, to one corpus or folder that the asker named; it never widens."""

    @classmethod
    def nothing(cls) -> Scope:
        """For a channel that nobody has given a scope: fail closed."""
        return cls(frozenset())

    @classmethod
    def everything(cls) -> Scope:
        """For the operator's own terminal and for evaluation; never for a chat."""
        return cls(frozenset(), unlimited=True)

    def narrowed(self, label: str) -> Scope:
        """This scope, and inside it only what carries `label`."""
        return replace(self, within=label)

    def admits(self, document: Document) -> bool:
        """Whether a holder of this scope may read the document."""
        return self.admits_labels(document.labels)

    def admits_labels(self, labels: frozenset[str]) -> bool:
        """Whether a holder of this scope may read documents that bear these labels: nothing else decides."""
        if self.within is not None and self.within not in labels:
            return False
        return self.unlimited or not self.labels.isdisjoint(labels)

    @property
    def is_empty(self) -> bool:
        """Whether nothing can be found in it."""
        return not self.unlimited and not self.labels

    @property
    def key(self) -> str:
        """The same for equal scopes and for no others: part of every cache key."""
        return json.dumps([self.unlimited, sorted(self.labels), self.within])
