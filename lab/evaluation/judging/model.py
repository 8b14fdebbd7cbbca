"""The model that judges: asked for JSON, read strictly, asked once more, and then not believed."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from rag.errors import ProviderError
from rag.llm.base import LLM, Finished, Message, complete
from rag.prompts import render
from rag.types.answers import Usage

log = logging.getLogger(__name__)

MAX_TOKENS: Final = 2_000
TRIES: Final = 2
QUOTED_CHARS: Final = 4_000
"""Of a reply that cannot be read, as much is shown to the model again."""
NOTHING: Final = "{}"
"""Stands for an empty reply: servers refuse an empty message."""
UNREADABLE: Final = "unreadable"
UNREACHABLE: Final = "unreachable"
_FENCED: Final = re.compile(r"\A```(?:json)?\s*\n(.*)\n```\Z", re.DOTALL)
"""The mark-up that many models put around code; nothing else may stand around the JSON."""

M = TypeVar("M", bound="JudgeForm")


class JudgeForm(BaseModel):
    """What a judge fills in: these keys, of these types, and no others."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


@dataclass(frozen=True, slots=True)
class Filled(Generic[M]):
    """The form, or why there is none."""

    form: M | None
    why: str = ""
    """`UNREADABLE` or `UNREACHABLE`; empty where there is a form."""


class JudgeModel:
    """One model for all judgements of a run; it counts what they cost."""

    def __init__(self, llm: LLM) -> None:
        self._llm = llm
        self._models: Counter[str] = Counter()
        self.usage = Usage()
        self.retries = 0
        self.unpriced = 0
        """Calls whose price is not known: the cost is higher than `usage` says."""

    @property
    def models(self) -> Sequence[str]:
        """Those that judged, as their providers name them; more than one where providers changed on the way."""
        return sorted(self._models)

    @property
    def calls(self) -> int:
        """How many were answered."""
        return sum(self._models.values())

    async def fill(self, kind: type[M], prompt: str, check: Callable[[M], str] = lambda _: "") -> Filled[M]:
        """Ask for a form. `check` says what is wrong with one that has the right keys; empty where nothing is."""
        asked = Message("user", prompt)
        messages = [asked]
        for attempt in range(TRIES):
            self.retries += attempt
            try:
                text, end = await complete(self._llm, messages, max_tokens=MAX_TOKENS)
            except ProviderError as error:
                log.warning("the judge cannot be reached", extra={"reason": str(error)})
                return Filled(None, UNREACHABLE)
            self._count(end)
            form, reason = _read(text, kind)
            reason = reason if form is None else check(form)
            if form is not None and not reason:
                return Filled(form)
            log.info("the judge's reply cannot be read", extra={"form": kind.__name__, "attempt": attempt + 1})
            said = Message("assistant", text[:QUOTED_CHARS].strip() or NOTHING)
            messages = [asked, said, Message("user", render("judge_again", reason=reason))]
        return Filled(None, UNREADABLE)

    def _count(self, end: Finished) -> None:
        self._models[end.model] += 1
        self.usage += end.usage
        self.unpriced += not end.priced


def _read(text: str, kind: type[M]) -> tuple[M | None, str]:
    """The form, or what is wrong with the text."""
    text = text.strip()
    fenced = _FENCED.match(text)
    try:
        return kind.model_validate_json(fenced[1] if fenced else text), ""
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(map(str, problem["loc"]))
        return None, f"{place}: {problem['msg']}" if place else problem["msg"]
