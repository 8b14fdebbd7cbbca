"""Relevance: how near the questions that an answer would answer are to the one that was asked.

Es et al., "RAGAS: Automated Evaluation of Retrieval Augmented Generation", 2023, sec. 3: the mean cosine. An answer
that commits to nothing is worth nothing, as in their program.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Final

import numpy as np
from pydantic import Field

from lab.evaluation.judging.grades import Grade, likeness
from lab.evaluation.judging.model import JudgeForm, JudgeModel
from rag.embedding.base import Embedder
from rag.prompts import render

QUESTIONS: Final = 3
QUESTION_CHARS: Final = 500


class Backwards(JudgeForm):
    """Questions that an answer would answer."""

    questions: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=QUESTION_CHARS)]],
        Field(min_length=QUESTIONS, max_length=QUESTIONS),
    ]
    noncommittal: bool


async def relevance(judge: JudgeModel, embedder: Embedder, question: str, answer: str) -> Grade:
    """From 0 to 1."""
    prompt = render("judge_relevance", answer=answer, count=str(QUESTIONS), fence=secrets.token_hex(4))
    filled = await judge.fill(Backwards, prompt)
    if filled.form is None:
        return Grade(None, filled.why)
    if filled.form.noncommittal:
        return Grade(0.0)
    asked = await embedder.embed_query(question)
    others = [await embedder.embed_query(text) for text in filled.form.questions]
    return Grade(float(np.mean([likeness(asked.dense, other.dense) for other in others])))
