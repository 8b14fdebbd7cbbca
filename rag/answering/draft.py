"""What a model writes, as the reader is shown it: numbered, and not a word before it is known whether it declines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rag.answering.citations import Numberer
from rag.answering.decline import DeclineWatch
from rag.llm.base import Event, Finished, Reasoning
from rag.types.answers import Delta

MODEL_DECLINED: Final = "The passages that I found in the documents that may be read here do not answer this."


class Draft:
    """One answer while its model streams. Whatever is handed out is shown: it is never taken back."""

    def __init__(self, sources: int) -> None:
        """`sources`: how many the model was given."""
        self._numberer = Numberer(sources)
        self._watch = DeclineWatch()
        self.text = ""
        """What was shown so far."""
        self.end: Finished | None = None
        """How the stream ended; None where it broke off."""

    def take(self, event: Event) -> str:
        """What can be shown now that the model has sent this."""
        match event:
            case Delta():
                return self._show(self._numberer.feed(self._watch.feed(event.text)))
            case Finished():
                self.end = event
            case Reasoning():
                pass
        return ""

    def close(self) -> str:
        """What was still held back; nothing where the model wrote only blanks."""
        last = self._numberer.feed(self._watch.close()) + self._numberer.close()
        if self.declined:
            return self._show(MODEL_DECLINED)
        return self._show(last) if self.text or last.strip() else ""

    @property
    def declined(self) -> bool:
        """Whether the model said that its sources do not answer."""
        return self._watch.declined

    @property
    def cited(self) -> Sequence[int]:
        """The sources in the order of their numbers, counted from 0."""
        return self._numberer.order

    def _show(self, text: str) -> str:
        self.text += text
        return text
