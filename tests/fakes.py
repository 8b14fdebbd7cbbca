"""Small true stand-ins for our ports. Each passes the contract of the port that it stands in for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import TypeAlias

from rag.errors import ProviderError
from rag.llm.base import Event, Finished, FinishReason, Message, Reasoning
from rag.types.answers import Delta, Usage

Line: TypeAlias = str | Reasoning | float | ProviderError | FinishReason


class ScriptedLLM:
    """Says what it was told to say, to every prompt the same.

    A float is a silence in seconds, a ProviderError is raised where it stands, a FinishReason is how the answer ends.
    """

    def __init__(self, *script: Line, name: str = "scripted", usage: Usage | None = None) -> None:
        self.name = name
        self.script = script
        self.usage = usage or Usage(input_tokens=10, output_tokens=5)
        self.heard: list[tuple[Message, ...]] = []
        self.closed = 0
        """How many streams have ended, on whichever way."""

    async def stream(self, messages: Sequence[Message], *, max_tokens: int) -> AsyncGenerator[Event, None]:
        self.heard.append(tuple(messages))
        reason = FinishReason.STOP
        try:
            for line in self.script:
                match line:
                    case FinishReason():
                        reason = line
                    case str():
                        yield Delta(line)
                    case Reasoning():
                        yield line
                    case ProviderError():
                        raise line
                    case _:
                        await asyncio.sleep(line)
            yield Finished(self.usage, reason, self.name)
        finally:
            self.closed += 1
