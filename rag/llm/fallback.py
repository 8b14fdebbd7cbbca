"""Several LLMs as one: the next is asked when one fails before its first word."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from rag.errors import ConfigurationError, NoProviderLeft, ProviderError, RequestRefused
from rag.llm.base import LLM, Event, Finished, Message
from rag.llm.breaker import Breaker
from rag.types.answers import Delta

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Provider:
    llm: LLM
    breaker: Breaker
    failures: int = field(default=0)
    last: str = field(default="")

    def failed(self, error: ProviderError) -> None:
        self.failures += 1
        self.last = error.reason
        if not isinstance(error, RequestRefused):  # one reader's odd request must not shut out all others
            self.breaker.failed()


class FallbackLLM:
    """Falls back on ProviderError alone: a bug or a cancelled task is not a reason to pay twice.

    A provider that failed twice in a row is left alone for half a minute, so that not every question waits for the
    same stall.
    """

    def __init__(self, llms: Sequence[LLM], *, clock: Callable[[], float] = time.monotonic) -> None:
        """Asks in the given order.

        Raises:
            ConfigurationError: There is none, or two have the same name.
        """
        names = [llm.name for llm in llms]
        if not names:
            raise ConfigurationError("no LLM provider is configured: at least one is needed")
        if len(set(names)) < len(names):
            raise ConfigurationError(f"two LLM providers have the same name: {', '.join(names)}")
        self._providers = [_Provider(llm, Breaker(clock)) for llm in llms]
        self.name = " > ".join(names)

    @property
    def failures(self) -> Mapping[str, int]:
        """How often each provider failed since the start, by name, in the order of asking: a snapshot."""
        return {provider.llm.name: provider.failures for provider in self._providers}

    @property
    def resting(self) -> Sequence[str]:
        """The providers whose last tries all failed, by name."""
        return [provider.llm.name for provider in self._providers if provider.breaker.is_open]

    async def stream(self, messages: Sequence[Message], *, max_tokens: int) -> AsyncGenerator[Event, None]:
        """The stream of the first provider that speaks.

        Raises:
            ProviderError: The one that had begun to speak failed: a second voice would contradict it.
            NoProviderLeft: None spoke; it carries why each did not, in the order of asking.
        """
        errors: list[ProviderError] = []
        for provider in self._providers:
            if not provider.breaker.admits():
                errors.append(ProviderError(provider.llm.name, f"not asked: it has just failed ({provider.last})"))
                continue
            spoken = False
            try:
                async with aclosing(provider.llm.stream(messages, max_tokens=max_tokens)) as events:
                    async for event in events:
                        if isinstance(event, Finished):
                            provider.breaker.succeeded()
                        spoken = spoken or isinstance(event, Delta)
                        yield event
            except ProviderError as error:
                provider.failed(error)
                log.warning("provider failed", extra={"provider": provider.llm.name, "reason": error.reason})
                if spoken:
                    raise
                errors.append(error)
            else:
                return
        raise NoProviderLeft(errors)
