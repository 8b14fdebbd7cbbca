"""The tour: an invented company's drive is indexed, the bot joins a workspace, and members ask it four questions.

The workspace is an emulator of Slack on this machine that speaks its true protocol. Everything else is the product as
it runs in production, with its embedded defaults.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import aiohttp
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from tests.processes import ROOT, bot_process, clean_environment
from tests.slack_emulator.render import render_thread
from tests.slack_emulator.server import SlackEmulator

DEMO: Final = ROOT / "demo"
DRIVE: Final = DEMO / "drive"
STATE: Final = DEMO / "state"
CORPUS: Final = "demo"
CHANNEL: Final = "ask-the-documents"
ANSWER_SECONDS: Final = 60.0
MISCONFIGURED: Final = 3
"""A program's exit code when a setting cannot work; also when an index was made by other settings."""

_LINK: Final = re.compile(r"http://127\.0\.0\.1:\d+/files/[^\s|>)\"]+")


class ProgramFailedError(Exception):
    """One of our programs has not done its part; it has said why."""

    def __init__(self, arguments: Sequence[str], code: int) -> None:
        super().__init__(f"`python {' '.join(arguments)}` ended with {code}.")
        self.code = code


async def main(console: Console) -> int:
    """Run the tour; 0 when each question ended as it should."""
    await _program("-m", "demo.build", str(DRIVE))
    console.rule("Indexing the drive")
    await _index()
    # Each tour is a workspace of its own, whose events bear the same ids: the last one's must not count as seen.
    await asyncio.to_thread(shutil.rmtree, STATE / "cache", ignore_errors=True)
    async with SlackEmulator() as slack:
        member = slack.add_user("mara", real_name="Mara")
        channel = slack.add_channel(CHANNEL, members=[member])
        scopes = STATE / "scopes.toml"
        scopes.write_text(f'[channels]\n{channel} = ["{CORPUS}"]\n', encoding="utf-8")
        settings = {
            **_language_model(),
            "FOOTNOTE_DATA_DIR": str(STATE),
            "FOOTNOTE_SCOPES_FILE": str(scopes),
            "SLACK_BOT_TOKEN": slack.bot_token,
            "SLACK_APP_TOKEN": slack.app_token,
            "FOOTNOTE_SLACK_API_URL": slack.api_url,
        }
        console.rule(f"#{CHANNEL}")
        began = time.monotonic()
        async with bot_process(STATE, **settings) as bot:
            await bot.wait_ready()
            console.print(f"The bot is connected ({time.monotonic() - began:.1f} s after its start).\n", style="dim")
            good = await _tour(console, slack, channel, member)
            if sys.stdin.isatty():
                await _chat(console)
        return 0 if good else 1


async def _tour(console: Console, slack: SlackEmulator, channel: str, member: str) -> bool:
    """Each question in its thread, and the threads as members see them."""
    good = True
    threads: dict[str, str] = {}
    for step in json.loads((DEMO / "tour.json").read_text(encoding="utf-8")):
        began = time.monotonic()
        known = threads.get(step.get("after", ""))
        asked = await slack.mention(channel, member, step["question"], known)
        thread = threads[step["id"]] = known or asked.ts
        messages = await slack.settled_thread(channel, thread, ANSWER_SECONDS)
        seconds = time.monotonic() - began
        new = [message for message in messages if float(message.ts) >= float(asked.ts)]
        text = render_thread(new, slack.backend.workspace)
        console.print(Panel(Text(text), title=f"{step['title']} ({seconds:.1f} s)", title_align="left"))
        good = await _check(console, step, text) and good
    return good


async def _check(console: Console, step: Mapping[str, Any], text: str) -> bool:
    """Whether the thread names the right file and page, and its links open."""
    links = list(dict.fromkeys(_LINK.findall(text)))
    if step["gold_file"] is None:
        good, what = not links, "declined, no sources"
    else:
        opened = await _opened(links)
        place = f"{Path(step['gold_file']).name}, page {step['gold_page']}"
        page = rf"{re.escape(Path(step['gold_file']).name)}[^\n]*?, p\. {step['gold_page']}\b"
        good = bool(re.search(page, text)) and 0 < len(links) == opened
        what = f"{place}, {opened} links opened"
    console.print(f"{'✓' if good else '✗'} {what}\n", style="green" if good else "red")
    return good


async def _opened(links: Sequence[str]) -> int:
    async with aiohttp.ClientSession() as session:
        count = 0
        for link in links:
            async with session.get(link) as response:
                count += response.status == 200 and bool(await response.content.read(1))  # noqa: PLR2004  # HTTP's own number
        return count


async def _chat(console: Console) -> None:
    """The links above go on working meanwhile."""
    console.rule("Your turn")
    await _program("-m", "bot", "chat", "--corpus", CORPUS)


async def _index() -> None:
    """Bring the index up to the drive; one that an earlier release left is built anew. Raises ProgramFailedError."""
    try:
        await _program("-m", "indexer", "index", str(DRIVE), "--name", CORPUS)
    except ProgramFailedError as failure:
        if failure.code != MISCONFIGURED or not (STATE / "index").exists():
            raise
        await _program("-m", "indexer", "reindex")


async def _program(*arguments: str) -> None:
    """Run one of our programs in this terminal. Raises ProgramFailedError."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *arguments,
        cwd=STATE,
        env=clean_environment(FOOTNOTE_DATA_DIR=str(STATE), TERM=os.environ.get("TERM", "dumb"), **_language_model()),
    )
    if code := await process.wait():
        raise ProgramFailedError(arguments, code)


def _language_model() -> dict[str, str]:
    """The operator's model, where the environment names one."""
    names = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "LLM_MODEL")
    found = {name: os.environ[name] for name in names if os.environ.get(name)}
    return found if "LLM_MODEL" in found else {}


if __name__ == "__main__":
    STATE.mkdir(exist_ok=True)
    try:
        sys.exit(asyncio.run(main(Console())))
    except ProgramFailedError as failure:
        sys.exit(f"The tour stopped: {failure}")
