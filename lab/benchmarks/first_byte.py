"""The bot's own time: from the moment that Slack hands over an event to the first word of the answer there.

The real `python -m bot` runs against the emulator of Slack, with a language model that answers at once (an emulator of
one), so that what is left is ours: condense, retrieve, weigh, pack, stream. Each question is asked once, so that no
answer comes from the cache.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from demo.build import build_drive
from tests.llm_emulator import LLMEmulator, answer_from_sources
from tests.processes import ROOT, bot_process, run_program
from tests.slack_emulator.clock import Timing
from tests.slack_emulator.server import SlackEmulator

WARM_UP: Final = 3
WORDS: Final = ("chat.startStream", "chat.appendStream", "chat.postMessage", "chat.update")


async def measure() -> dict[str, Any]:
    """Milliseconds over the demo's questions that are answered."""
    questions = [json.loads(line) for line in (ROOT / "demo" / "questions.jsonl").read_text("utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build_drive(folder / "drive")
        code, _, err = await run_program(
            "indexer", "index", str(folder / "drive"), "--name", "demo", folder=folder, FOOTNOTE_DATA_DIR=name
        )
        if code:
            raise RuntimeError(err)
        async with (
            SlackEmulator(timing=Timing(minute=0.5)) as slack,
            LLMEmulator(answer=answer_from_sources, instant=True) as llm,
        ):
            member = slack.add_user("mara")
            channel = slack.add_channel("ask", members=[member])
            (folder / "scopes.toml").write_text(f'[channels]\n{channel} = ["demo"]\n', encoding="utf-8")
            settings = {
                "FOOTNOTE_DATA_DIR": name,
                "FOOTNOTE_SCOPES_FILE": str(folder / "scopes.toml"),
                "FOOTNOTE_SLACK_API_URL": slack.api_url,
                "SLACK_BOT_TOKEN": slack.bot_token,
                "SLACK_APP_TOKEN": slack.app_token,
                "OPENAI_BASE_URL": llm.base_url,
                "LLM_MODEL": "instant",
            }
            began = time.perf_counter()
            async with bot_process(folder, **settings) as bot:
                await bot.wait_ready()
                ready = time.perf_counter() - began
                asked = [question["question"] for question in questions if question["kind"] != "follow-up"]
                times = [await _ask(slack, channel, member, question) for question in asked]
    kept = sorted(times[WARM_UP:])
    return {
        "questions": len(kept),
        "bot_ready_after_seconds": round(ready, 2),
        "first_byte_ms_p50": round(1000 * statistics.median(kept), 1),
        "first_byte_ms_p95": round(1000 * kept[int(0.95 * (len(kept) - 1))], 1),
        "first_byte_ms_max": round(1000 * kept[-1], 1),
    }


async def _ask(slack: SlackEmulator, channel: str, member: str, question: str) -> float:
    """Seconds to the first call that carries words of the answer."""
    seen = sum(len(slack.calls_to(method)) for method in WORDS)
    began = time.perf_counter()
    asked = await slack.mention(channel, member, question)
    await slack.until(
        lambda: sum(len(slack.calls_to(method)) for method in WORDS) > seen, timeout=30, what="a first word"
    )
    seconds = time.perf_counter() - began
    await slack.settled_thread(channel, asked.ts, 30, quiet=0.05)
    return seconds


def main() -> None:
    """The command line."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    print(json.dumps(asyncio.run(measure()), indent=2))


if __name__ == "__main__":
    main()
