"""The terminal as a chat platform: for trying the bot without Slack, which is only one platform of several."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.text import Text

from bot.conversation import Linker
from bot.places import place
from rag.types.answers import Answer, Outcome

COPIES = 3
"""Named of each source; the JSON has all."""
TITLES: Mapping[Outcome, str] = {
    Outcome.EXCERPTS: "Excerpts from the documents, not a written answer:",
    Outcome.CAUTIOUS: "With caution (the documents support this only in part):",
}


class ConsoleReply:
    """Prints an answer when it is complete, with its sources below."""

    def __init__(self, console: Console, linker: Linker) -> None:
        self._console = console
        self._linker = linker

    async def progress(self, text: str) -> None:
        """A faint line, in a terminal only."""
        if self._console.is_terminal:
            self._print(text, "dim")

    async def append(self, text: str) -> None:
        """Nothing yet: the title above depends on how the answer ends."""

    async def finish(self, answer: Answer) -> None:
        """Title, text, notices, sources."""
        if answer.outcome in TITLES:
            self._print(TITLES[answer.outcome], "bold")
        self._print(answer.text)
        for notice in answer.notices:
            self._print(f"Note: {notice.text}", "yellow")
        if answer.citations:
            self._print("\nSources", "bold")
        for citation in answer.citations:
            where = place(citation)
            self._print(f"[{citation.number}] {citation.chunk.document.uri}{where and f', {where}'}", "cyan")
            self._print(f"    {self._linker.url(citation)}", "dim")
            for copy in citation.also[:COPIES]:
                self._print(f"    also: {copy.uri}", "dim")
            if len(citation.also) > COPIES:
                self._print(f"    and {len(citation.also) - COPIES} more copies", "dim")

    async def fail(self, apology: str) -> None:
        """The apology."""
        self._print(apology, "red")

    def _print(self, text: str, style: str = "") -> None:
        visible = "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)
        self._console.print(Text(visible, style=style), soft_wrap=True)


class SilentReply:
    """For machines: the answer is printed by whoever asked."""

    def __init__(self) -> None:
        self.apology = ""

    async def progress(self, text: str) -> None:
        """Nothing."""

    async def append(self, text: str) -> None:
        """Nothing."""

    async def finish(self, answer: Answer) -> None:
        """Nothing."""

    async def fail(self, apology: str) -> None:
        """Keep it."""
        self.apology = apology


def as_json(answer: Answer, linker: Linker) -> str:
    """One object with everything that is known of an answer."""
    value: dict[str, Any] = {
        "text": answer.text,
        "outcome": answer.outcome.value,
        "citations": [
            {
                "number": citation.number,
                "corpus": citation.chunk.document.corpus,
                "path": citation.chunk.document.uri,
                "title": citation.chunk.document.title,
                "page": citation.page,
                "label": citation.label,
                "place": place(citation),
                "headings": list(citation.chunk.headings),
                "url": linker.url(citation),
                "score": round(citation.score, 6),
                "excerpt": citation.excerpt,
                "also": [
                    {"corpus": copy.corpus, "path": copy.uri, "url": linker.url(citation.in_copy(copy))}
                    for copy in citation.also
                ],
            }
            for citation in answer.citations
        ],
        "support": [
            {
                "text": answer.text[sentence.start : sentence.end],
                "verdict": sentence.verdict.value,
                "citations": list(sentence.citations),
                "missing": [{"lack": missing.lack.value, "text": missing.text} for missing in sentence.missing],
                "correction": None if sentence.correction is None else asdict(sentence.correction),
                "borne_out_by": list(sentence.borne_out_by),
            }
            for sentence in answer.support
        ],
        "notices": [{"code": notice.code, "text": notice.text} for notice in answer.notices],
        "timings": {stage: round(seconds, 4) for stage, seconds in answer.timings.items()},
        "usage": {
            "input_tokens": answer.usage.input_tokens,
            "output_tokens": answer.usage.output_tokens,
            "cost_usd": float(answer.usage.cost_usd),
        },
        "question": answer.question,
        "generation": answer.generation,
        "model": answer.model,
        "cached": answer.cached,
    }
    return json.dumps(value, ensure_ascii=False, indent=2)


def failure_as_json(apology: str) -> str:
    """The same shape for a question that failed."""
    value: dict[str, Any] = {
        "text": apology,
        "outcome": Outcome.FAILED.value,
        "citations": [],
        "timings": {},
        "usage": {},
    }
    return json.dumps(value, ensure_ascii=False, indent=2)
