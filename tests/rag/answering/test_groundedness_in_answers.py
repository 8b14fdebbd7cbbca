"""A written answer is held against its sources before it is finished: shown text stays, the reader is told."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from rag.store.edge import EdgeStore
from rag.telemetry import Counters
from rag.types.answers import Answer, Outcome
from rag.types.groundedness import Support
from tests.fakes import ScriptedLLM
from tests.rag.answering.parts import a_filled_store, an_answerer, asked

BUDGET = "The marketing budget of 2026 is 40000 euros. It was approved by Ada Lovelace on 3 March 2025."
QUESTION = "What is the marketing budget of 2026?"


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[EdgeStore]:
    async with a_filled_store(tmp_path, sales__budget=[BUDGET]) as store:
        yield store


def codes(answer: Answer) -> list[str]:
    return [notice.code for notice in answer.notices]


async def test_sentences_are_checked_counted_and_logged_without_their_text(
    store: EdgeStore, caplog: pytest.LogCaptureFixture
) -> None:
    counters = Counters()
    llm = ScriptedLLM("The marketing budget of 2026 is 40000 euros [S1]. It was approved by Grace Hopper [S1].")
    with caplog.at_level(logging.INFO, logger="rag"):
        answer = await asked(an_answerer(store, llm, counters=counters), QUESTION)
    assert [one.verdict for one in answer.support] == [Support.SUPPORTED, Support.UNSUPPORTED]
    assert (answer.outcome, codes(answer)) == (Outcome.ANSWERED, ["answer_unsupported"])
    assert "Grace Hopper" in answer.text and "check" in answer.timings
    assert (counters.counts["support.supported"], counters.counts["support.unsupported"]) == (1, 1)
    assert counters.counts["notices.answer_unsupported"] == 1
    assert [vars(record)["support"] for record in caplog.records if record.message == "answered"] == [
        {"supported": 1, "unsupported": 1}
    ]
    assert "Hopper" not in caplog.text + repr([vars(record) for record in caplog.records])


async def test_the_text_stays_as_it_was_shown_where_a_number_is_corrected(store: EdgeStore) -> None:
    answer = await asked(an_answerer(store, ScriptedLLM("The marketing budget of 2026 is 45000 euros [S1].")), QUESTION)
    assert answer.text == "The marketing budget of 2026 is 45000 euros [1]."
    assert answer.notices[0].text == "The source says 40000 euros, not 45000 euros [1]."
    assert answer.outcome is Outcome.CAUTIOUS  # there is nothing else in it


async def test_an_answer_that_is_kept_comes_back_with_its_support(store: EdgeStore) -> None:
    counters = Counters()
    answerer = an_answerer(store, ScriptedLLM("The marketing budget of 2026 is 40000 euros [S1]."), counters=counters)
    first, again = await asked(answerer, QUESTION), await asked(answerer, QUESTION)
    assert again.cached and again.support == first.support != ()
    assert counters.counts == {"cache.miss": 1, "cache.exact": 1, "answers.answered": 2, "support.supported": 1}


async def test_excerpts_and_what_was_declined_are_not_checked(store: EdgeStore) -> None:
    assert (await asked(an_answerer(store), QUESTION)).support == ()
    assert (await asked(an_answerer(store, ScriptedLLM("NO ANSWER")), QUESTION)).support == ()


async def test_an_answer_without_any_source_is_told_once(store: EdgeStore) -> None:
    answer = await asked(an_answerer(store, ScriptedLLM("The marketing budget of 2026 is 40000 euros.")), QUESTION)
    assert codes(answer) == ["answer_uncited"]
    assert [one.verdict for one in answer.support] == [Support.UNCITED]
