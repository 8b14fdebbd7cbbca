"""`python -m lab.evaluation judge` as an operator starts it, against a server that plays both writer and judge."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rag.llm.base import Message
from tests.lab.evaluation.small_sets import UNANSWERED, write_lines, write_pdf
from tests.llm_emulator import LLMEmulator
from tests.processes import run_program

QUESTIONS = [
    {
        "id": "q1",
        "question": "How many days of paid vacation does an employee have?",
        "answer": "Twenty eight.",
        "gold_file": "Handbook.pdf",
        "gold_pages": [1],
    },
    {"id": "q2", "question": "Where are bicycles parked?", "gold_file": "Handbook.pdf", "gold_pages": [2]},
]
PAGES = (
    "Vacation. Every employee of Bellweather Looms has twenty eight days of paid vacation a year.",
    "Parking. Bicycles are parked in the yard behind the weaving hall. Cars are parked on Mill Street.",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A set of two questions, one with a reference answer, and two that nothing answers."""
    folder = tmp_path / "looms"
    write_pdf(folder / "pdfs" / "Handbook.pdf", PAGES)
    write_lines(folder / "questions.jsonl", QUESTIONS)
    write_lines(folder / "unanswerable.jsonl", UNANSWERED[:1])
    return folder


def reply(messages: Sequence[Message]) -> str:
    """A writer who cites, and a judge who finds half of it borne out and cannot grade."""
    prompt = messages[0].content
    if "apart into its statements" in prompt:
        return json.dumps({"statements": ["It is so.", "It is otherwise."]})
    if "bear it out" in prompt:
        rows = [{"statement": 1, "supported": True}, {"statement": 2, "supported": False}]
        return json.dumps({"verdicts": rows})
    if "Grade how well" in prompt:
        return "I would say it agrees rather well."
    if "different questions" in prompt:
        return json.dumps({"questions": ["Where are bicycles parked?"] * 3, "noncommittal": False})
    return "It is so, and it is otherwise [S1]."


async def judged(folder: Path, *arguments: str, **settings: str) -> tuple[int, list[dict[str, Any]], str]:
    code, out, errors = await run_program(
        "lab.evaluation", "judge", str(folder), "--json", *arguments, folder=folder.parent, **settings
    )
    return code, json.loads(out) if out else [], errors


async def test_answers_are_written_judged_and_held_against_bounds(folder: Path) -> None:
    async with LLMEmulator(answer=reply) as emulator:
        provider = {"OPENAI_BASE_URL": emulator.base_url, "LLM_MODEL": "gpt-4o-mini"}
        bounds = ["--judge", "gpt-4.1", "--min-faithfulness", ".8", "--min-similarity", ".8"]
        code, [result], errors = await judged(folder, *bounds, **provider)
        models = {request.body["model"] for request in emulator.requests}
    assert code == 1
    assert "looms: faithfulness is 0.500, less than 0.8" in errors
    assert "looms: no answer could be judged for similarity" in errors
    assert models == {"gpt-4o-mini", "gpt-4.1"}
    assert (result["writers"], result["judges"]) == (["gpt-4o-mini"], ["gpt-4.1"])
    judgements = result["judgements"]
    assert judgements["faithfulness"]["figure"]["value"] == 0.5 and judgements["faithfulness"]["figure"]["n"] == 2
    assert judgements["faithfulness"]["not_judged"]["value"] == 0
    assert judgements["similarity"]["figure"] is None
    assert judgements["similarity"]["reasons"] == {"unreadable": 1, "no reference": 1}
    assert judgements["cosine"]["figure"]["n"] == 1 and judgements["relevance"]["figure"]["n"] == 2
    assert result["unanswerable_declined"]["value"] == 1
    assert float(result["judging_cost"]["usd"]) > 0 and result["judging_cost"]["unpriced_calls"] == 0
    assert float(result["answers_cost"]["usd"]) > 0
    assert result["retries"] == 1


async def test_without_a_provider_it_ends_before_anything_is_indexed(folder: Path) -> None:
    code, results, errors = await judged(folder)
    assert (code, results) == (3, [])
    assert "LLM_MODEL" in errors and "python -m lab.evaluation run" in errors
    assert not (folder.parent / ".footnote").exists()
