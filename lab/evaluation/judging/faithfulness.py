"""Faithfulness: the share of an answer's statements that its passages bear out (Es et al., "RAGAS", 2023, sec. 3)."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import Field

from lab.evaluation.judging.grades import Grade
from lab.evaluation.judging.model import JudgeForm, JudgeModel
from rag.prompts import render

MOST_STATEMENTS: Final = 60
STATEMENT_CHARS: Final = 1_000
STATES_NOTHING: Final = "states nothing"


class Statements(JudgeForm):
    """An answer taken apart."""

    statements: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=STATEMENT_CHARS)]], Field(max_length=MOST_STATEMENTS)
    ]


class StatementVerdict(JudgeForm):
    """What the judge thinks of one statement."""

    statement: int
    """Its number, counted from 1."""
    supported: bool


class Verdicts(JudgeForm):
    """One a statement, in order."""

    verdicts: list[StatementVerdict]


async def faithfulness(judge: JudgeModel, question: str, answer: str, passages: Sequence[str]) -> Grade:
    """From 0 to 1. `passages` are those that the answer cites: without any, nothing bears its statements out.

    An answer that states nothing is not judged.
    """
    fence = secrets.token_hex(4)  # drawn anew, so that no text can close it
    taken = await judge.fill(Statements, render("judge_statements", question=question, answer=answer, fence=fence))
    if taken.form is None:
        return Grade(None, taken.why)
    statements = taken.form.statements
    if not statements:
        return Grade(None, STATES_NOTHING)
    if not passages:
        return Grade(0.0)
    prompt = render(
        "judge_faithfulness",
        passages="\n\n".join(passages),
        statements="\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(statements, start=1)),
        fence=fence,
    )
    judged = await judge.fill(Verdicts, prompt, lambda form: _gap(form, len(statements)))
    if judged.form is None:
        return Grade(None, judged.why)
    return Grade(sum(verdict.supported for verdict in judged.form.verdicts) / len(statements))


def _gap(form: Verdicts, statements: int) -> str:
    numbers = [verdict.statement for verdict in form.verdicts]
    if numbers == list(range(1, statements + 1)):
        return ""
    return f"there are {statements} statements, and each needs one verdict, in their order"
