"""A mention goes in, a reply comes out: whatever happens on the way, the reply is ended once."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field

import pytest

from bot.conversation import APOLOGY, Conversation, Mention
from bot.memory import ThreadMemory
from rag.errors import FootnoteError
from rag.types.answers import Answer, Delta, Outcome, StageBegun, Turn
from rag.types.scope import Scope
from tests.rag.answering.parts import MemoryCache


class Everything:
    """Whoever asks may read all."""

    def of(self, channel: str, *, user: str = "", direct: bool = False) -> Scope:
        del channel, user, direct
        return Scope.everything()


@dataclass
class Answers:
    """Says the same to every question; counts how often it was left before its end, or came to it."""

    error: FootnoteError | None = None
    asked: list[tuple[str, tuple[Turn, ...], Scope, str | None]] = field(
        default_factory=list[tuple[str, tuple[Turn, ...], Scope, str | None]]
    )
    ended: int = 0

    async def answer(
        self, question: str, history: Sequence[Turn], scope: Scope, *, mode: str | None = None
    ) -> AsyncGenerator[StageBegun | Delta | Answer, None]:
        self.asked.append((question, tuple(history), scope, mode))
        try:
            yield StageBegun("Searching …")
            yield Delta("Thirty")
            if self.error is not None:
                raise self.error
            yield Delta(" days.")
            yield Answer("Thirty days.", Outcome.ANSWERED)
        finally:
            self.ended += 1


@dataclass
class Screen:
    """A Reply that keeps what it is told, and may break at the first text."""

    breaks: bool = False
    calls: list[str] = field(default_factory=list[str])

    async def progress(self, text: str) -> None:
        self.calls.append(f"progress {text}")

    async def append(self, text: str) -> None:
        if self.breaks:
            raise FootnoteError("the screen is gone")
        self.calls.append(f"append {text}")

    async def finish(self, answer: Answer) -> None:
        self.calls.append(f"finish {answer.text}")

    async def fail(self, apology: str) -> None:
        self.calls.append(f"fail {apology}")


def a_conversation(answers: Answers) -> Conversation:
    return Conversation(answers, ThreadMemory(MemoryCache()), Everything())


MENTION = Mention("C1", "T1", "U1", "How many days?", within="hr/leave", mode="dense")


async def test_an_answer_is_shown_as_it_comes_and_remembered_for_the_next_question_of_its_thread() -> None:
    answers, screen = Answers(), Screen()
    conversation = a_conversation(answers)
    assert await conversation.respond(MENTION, screen) == Answer("Thirty days.", Outcome.ANSWERED)
    assert screen.calls == ["progress Searching …", "append Thirty", "append  days.", "finish Thirty days."]
    await conversation.respond(MENTION, Screen())
    scope = Scope.everything().narrowed("hr/leave")
    thread = (Turn("user", "How many days?"), Turn("assistant", "Thirty days."))
    assert answers.asked == [("How many days?", (), scope, "dense"), ("How many days?", thread, scope, "dense")]


@pytest.mark.parametrize("breaks", [True, False], ids=["the screen", "the engine"])
async def test_what_breaks_ends_in_one_apology_and_the_engine_is_left_with_nothing_open(*, breaks: bool) -> None:
    answers = Answers(error=None if breaks else FootnoteError("no index"))
    screen = Screen(breaks=breaks)
    conversation = a_conversation(answers)
    assert await conversation.respond(MENTION, screen) is None
    assert screen.calls[-1] == f"fail {APOLOGY}"
    assert [call.split()[0] for call in screen.calls].count("fail") == 1
    assert answers.ended == 1
    await conversation.respond(MENTION, Screen())
    assert answers.asked[-1][1] == ()  # nothing of it is remembered
