"""A question comes in, a reply goes out. What platform it is on, nobody here knows."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final, Protocol

from bot.memory import ThreadMemory
from rag.errors import FootnoteError
from rag.types.answers import Answer, Citation, Delta, StageBegun, Turn
from rag.types.scope import Scope
from rag.uris import label_of

log = logging.getLogger(__name__)

APOLOGY: Final = "Something on my side failed, so there is no answer. It is logged; please ask again in a minute."


@dataclass(frozen=True, slots=True)
class Mention:
    """A question put to the bot."""

    channel: str
    thread: str
    """Unique among all threads of all workspaces."""
    user: str
    text: str
    direct: bool = False
    """Asked in a direct message: the scope is the asker's, not a channel's."""
    within: str | None = None
    """A corpus or folder that the asker narrows the question to."""
    earlier: tuple[Turn, ...] = ()
    """What was said in the thread before, for a bot that is called into the middle of it."""
    mode: str | None = None
    """How passages are retrieved, where it is to be in another mode than the settings say."""


class Reply(Protocol):
    """One answer on its way to the screen. A chat platform is one class that does this.

    The calls come in this order: any number of `progress` and `append`, then exactly one of `finish` and `fail`.
    """

    async def progress(self, text: str) -> None:
        """A line to show while the reader waits; plain text of ours."""
        ...

    async def append(self, text: str) -> None:
        """More of the answer, as Markdown."""
        ...

    async def finish(self, answer: Answer) -> None:
        """The answer is complete: what was appended is `answer.text`. Show sources and notices, take controls away."""
        ...

    async def fail(self, apology: str) -> None:
        """There will be no answer. What was appended stays, with the apology under it."""
        ...


class Linker(Protocol):
    """Makes the link that opens a citation's file at its page."""

    def url(self, citation: Citation) -> str:
        """An https or http URL of ours; empty where the original cannot be opened by a link."""
        ...


class Access(Protocol):
    """Says who may read what (`bot.access.Scopes`)."""

    def of(self, channel: str, *, user: str = "", direct: bool = False) -> Scope:
        """The scope of a question asked there by this person."""
        ...


class Answers(Protocol):
    """The engine as a conversation sees it (`rag.answering.answerer.Answerer`)."""

    def answer(
        self, question: str, history: Sequence[Turn], scope: Scope, *, mode: str | None = None
    ) -> AsyncGenerator[StageBegun | Delta | Answer, None]:
        """Progress and text as they come, then exactly one Answer. Raises FootnoteError."""
        ...


class Conversation:
    """Scope, memory and answer put together. One for all platforms of a program."""

    def __init__(self, answers: Answers, memory: ThreadMemory, scopes: Access) -> None:
        self._answers = answers
        self._memory = memory
        self._scopes = scopes

    async def respond(self, mention: Mention, reply: Reply) -> Answer | None:
        """Answer the mention into the reply; every question ends in `finish` or `fail`.

        Returns the answer, or None where it failed.
        """
        try:
            answer = await self._answer(mention, reply)
        except FootnoteError:
            log.exception("no answer", extra={"channel": mention.channel})
            await reply.fail(APOLOGY)
            return None
        await reply.finish(answer)
        await self._memory.remember(mention.thread, [Turn("user", mention.text), Turn("assistant", answer.text)])
        return answer

    async def _answer(self, mention: Mention, reply: Reply) -> Answer:
        scope = self._scopes.of(mention.channel, user=mention.user, direct=mention.direct)
        if mention.within is not None:
            scope = scope.narrowed(label_of(mention.within))
        history = await self._memory.recall(mention.thread) or mention.earlier
        answer: Answer | None = None
        async with aclosing(self._answers.answer(mention.text, history, scope, mode=mention.mode)) as events:
            async for event in events:
                match event:
                    case StageBegun():
                        await reply.progress(event.text)
                    case Delta():
                        await reply.append(event.text)
                    case Answer():
                        answer = event
        if answer is None:
            raise AssertionError("the engine ended without an answer")
        return answer
