"""One question, or a conversation, in the operator's own terminal: the same Conversation as in Slack."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import sys
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from rich.console import Console

from bot.access import Scopes
from bot.console import ConsoleReply, SilentReply, as_json, failure_as_json
from bot.conversation import Conversation, Linker, Mention
from bot.links import FileLinks, Templates
from bot.memory import ThreadMemory
from bot.settings import BotSettings
from rag.bootstrap.engine import Engine, open_engine
from rag.errors import ConfigurationError
from rag.retrieval.modes import mode_of
from rag.types.scope import Scope


@dataclass(frozen=True, slots=True)
class _Everything:
    """Whoever can start the program can read its index anyway."""

    def of(self, channel: str, *, user: str = "", direct: bool = False) -> Scope:
        """All there is."""
        del channel, user, direct
        return Scope.everything()


@dataclass(frozen=True, slots=True)
class Terminal:
    """What a conversation in a terminal needs."""

    conversation: Conversation
    linker: Linker
    channel: str
    corpus: str | None
    thread: str
    mode: str | None

    def mention(self, text: str) -> Mention:
        """The text as a question in this terminal's thread."""
        return Mention(self.channel, self.thread, "terminal", text, within=self.corpus, mode=self.mode)


@asynccontextmanager
async def open_terminal(
    settings: BotSettings, *, corpus: str | None, channel: str | None, mode: str | None
) -> AsyncGenerator[Terminal]:
    """With `channel`, as that channel would be answered; else with everything in reach.

    With `mode`, passages are retrieved so, whatever the settings say. Raises ConfigurationError where it does not work.
    """
    if mode is not None:
        mode_of(mode)  # before anything slow is built
    async with open_engine(settings) as engine:
        roots = await _roots(engine, settings, corpus)
        await engine.modes.check(mode)
        scopes = _Everything() if channel is None else Scopes(settings.scopes_file)
        yield Terminal(
            Conversation(engine.answerer, ThreadMemory(engine.cache), scopes),
            Templates(settings.link_templates, FileLinks(roots)),
            channel or "terminal",
            corpus,
            f"terminal/{secrets.token_hex(8)}",
            mode,
        )


async def _roots(engine: Engine, settings: BotSettings, corpus: str | None) -> dict[str, str]:
    """Where each corpus lies. Raises IndexMissing, and ConfigurationError for a corpus that is not there."""
    corpora = (await engine.store.manifest()).corpora
    if corpus is not None and corpus.split("/")[0] not in corpora:
        raise ConfigurationError(f"there is no corpus {corpus!r}: the index holds {', '.join(corpora) or 'none'}")
    roots = {name: str(settings.drive_roots.get(name, info.root)) for name, info in corpora.items()}
    return {name: root for name, root in roots.items() if "://" not in root}


async def ask(
    settings: BotSettings, question: str, *, corpus: str | None, channel: str | None, mode: str | None, json: bool
) -> bool:
    """Print the answer to one question. Returns whether there was one."""
    async with open_terminal(settings, corpus=corpus, channel=channel, mode=mode) as terminal:
        silent = SilentReply()
        reply = silent if json else ConsoleReply(Console(), terminal.linker)
        answer = await terminal.conversation.respond(terminal.mention(question), reply)
        if json:
            text = failure_as_json(silent.apology) if answer is None else as_json(answer, terminal.linker)
            sys.stdout.write(f"{text}\n")
        return answer is not None


async def chat(settings: BotSettings, *, corpus: str | None, channel: str | None, mode: str | None) -> None:
    """Answer questions until the input ends; they follow one another in one thread."""
    console = Console()
    async with open_terminal(settings, corpus=corpus, channel=channel, mode=mode) as terminal:
        console.print("Ask a question; an empty line or Ctrl-D ends.", style="dim")
        while question := await _line():
            await terminal.conversation.respond(terminal.mention(question), ConsoleReply(console, terminal.linker))


async def _line() -> str:
    """What is typed; read in a thread that nobody waits for, so that Ctrl-C ends the program at once."""
    loop = asyncio.get_running_loop()
    typed: asyncio.Future[str] = loop.create_future()

    def deliver(line: str) -> None:
        if not typed.done():
            typed.set_result(line)

    def read() -> None:
        try:
            line = input("> ").strip()
        except EOFError:
            line = ""
        with contextlib.suppress(RuntimeError):  # the program has ended meanwhile
            loop.call_soon_threadsafe(deliver, line)

    threading.Thread(target=read, daemon=True).start()
    return await typed
