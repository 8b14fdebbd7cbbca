"""What the tests of Slack's side put in the place of the engine, the cache and the drive."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from rag.errors import FootnoteError
from rag.types.answers import Answer, Citation, Delta, Outcome, StageBegun, Turn
from rag.types.chunks import Chunk, ChunkId, Span
from rag.types.documents import Document, DocumentId
from rag.types.scope import Scope
from tests.slack_emulator.message import Message
from tests.slack_emulator.server import SlackEmulator

DAYS = "Annual leave is 25 days [1]."


def said(*messages: Message) -> str:
    """The text of answers, streamed or in blocks."""
    blocks = [block["text"] for message in messages for block in message.blocks if block["type"] == "markdown"]
    return "".join(message.markdown for message in messages) + "".join(blocks)


def kinds(message: Message) -> list[str]:
    """The types of a message's blocks."""
    return [block["type"] for block in message.blocks]


def answers_in(slack: SlackEmulator, question: Message) -> list[Message]:
    """What the bot wrote below a question."""
    return [message for message in slack.thread(question.channel, question.ts) if message.from_app]


async def until_shown(slack: SlackEmulator, question: Message, text: str) -> Message:
    """The bot's message below the question that says `text`, once it does."""

    def shown() -> list[Message]:
        return [message for message in answers_in(slack, question) if text in said(message)]

    await slack.until(lambda: bool(shown()), what=repr(text))
    return shown()[0]


async def eventually(holds: Callable[[], bool]) -> None:
    """Return once it holds, which it must within some seconds; for what the emulator does not announce."""
    for _ in range(1_000):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came to hold")


class DictCache:
    """A cache in a dictionary; entries stay for as long as the test."""

    def __init__(self) -> None:
        self.rows: dict[str, bytes] = {}
        self.ttls: dict[str, timedelta] = {}

    async def get(self, key: str) -> bytes | None:
        await asyncio.sleep(0)
        return self.rows.get(key)

    async def set(self, key: str, value: bytes, ttl: timedelta) -> None:
        await asyncio.sleep(0)
        self.rows[key], self.ttls[key] = value, ttl

    async def add(self, key: str, ttl: timedelta) -> bool:
        await asyncio.sleep(0)
        if key in self.rows:
            return False
        self.rows[key], self.ttls[key] = b"", ttl
        return True

    async def delete(self, key: str) -> None:
        await asyncio.sleep(0)
        self.rows.pop(key, None)


class DeadCache(DictCache):
    """A cache whose server is gone: it forgets at once and grants every claim."""

    async def get(self, key: str) -> bytes | None:
        await asyncio.sleep(0)
        return None

    async def add(self, key: str, ttl: timedelta) -> bool:
        await asyncio.sleep(0)
        return True


class OpenAccess:
    """Everybody may read everything."""

    def of(self, channel: str, *, user: str = "", direct: bool = False) -> Scope:
        return Scope.everything()


class PageLinks:
    """Links as the bot's own server has them."""

    def url(self, citation: Citation) -> str:
        return f"http://127.0.0.1:8000/files/{citation.chunk.document.id}#page={citation.page}"


Line = str | StageBegun | Answer | float | Exception | asyncio.Event


@dataclass
class ScriptedAnswers:
    """Says its lines to every question: text is streamed, a number is a silence in seconds, an event is waited for."""

    script: Sequence[Line]
    asked: list[tuple[str, tuple[Turn, ...], Scope]] = field(default_factory=list[tuple[str, tuple[Turn, ...], Scope]])

    async def answer(
        self, question: str, history: Sequence[Turn], scope: Scope, *, mode: str | None = None
    ) -> AsyncGenerator[StageBegun | Delta | Answer, None]:
        assert mode is None
        self.asked.append((question, tuple(history), scope))
        for line in self.script:
            match line:
                case str():
                    yield Delta(line)
                case asyncio.Event():
                    await line.wait()
                case Exception():
                    raise line
                case StageBegun() | Answer():
                    yield line
                case _:
                    await asyncio.sleep(line)


def ready() -> ScriptedAnswers:
    """A bot that knows its answer at once."""
    return ScriptedAnswers([StageBegun("Searching …"), DAYS, an_answer()])


class BrokenError(FootnoteError):
    """An error of the house, on purpose."""


def an_answer(text: str = DAYS, *, outcome: Outcome = Outcome.ANSWERED, citations: int = 1) -> Answer:
    return Answer(text, outcome, tuple(a_citation(number + 1) for number in range(citations)))


def a_citation(
    number: int = 1,
    *,
    uri: str = "HR/leave.pdf",
    page: int = 12,
    label: str = "",
    paged: bool = True,
    headings: tuple[str, ...] = (),
    excerpt: str = "Every employee has 25 days of annual leave.",
) -> Citation:
    document = Document(
        id=DocumentId("d1"),
        corpus="drive",
        uri=uri,
        title="Leave policy",
        kind="pdf",
        paged=paged,
        modified_at=datetime(2026, 1, 1, tzinfo=UTC),
        fingerprint="f1",
        labels=frozenset({"drive"}),
    )
    chunk = Chunk(ChunkId("c1"), document, 0, excerpt, (Span(page, label, 0, len(excerpt)),), headings)
    return Citation(number, chunk, 1.0, excerpt, page, label)
