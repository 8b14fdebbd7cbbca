"""Similarity: how far an answer agrees with the set's reference answer, by the judge and by the embedding."""

from __future__ import annotations

import secrets
from typing import Annotated, Final

from pydantic import Field

from lab.evaluation.judging.grades import Grade, likeness
from lab.evaluation.judging.model import JudgeForm, JudgeModel
from rag.embedding.base import Embedder
from rag.prompts import render

BEST: Final = 4
"""Grades go from 0 to this, as the prompt says."""
NO_REFERENCE: Final = "no reference"


class Agreement(JudgeForm):
    """How well an answer agrees with the reference."""

    grade: Annotated[int, Field(ge=0, le=BEST)]


async def similarity(judge: JudgeModel, question: str, answer: str, reference: str) -> Grade:
    """The judge's grade, from 0 to 1. A question whose set names no answer is not judged."""
    if not reference:
        return Grade(None, NO_REFERENCE)
    prompt = render(
        "judge_similarity", question=question, answer=answer, reference=reference, fence=secrets.token_hex(4)
    )
    filled = await judge.fill(Agreement, prompt)
    return Grade(None, filled.why) if filled.form is None else Grade(filled.form.grade / BEST)


async def cosine(embedder: Embedder, answer: str, reference: str) -> Grade:
    """Of the two texts as the index's model embeds passages, from 0 to 1; it asks no judge."""
    if not reference:
        return Grade(None, NO_REFERENCE)
    one, other = await embedder.embed_documents([answer, reference])
    return Grade(likeness(one.dense, other.dense))
