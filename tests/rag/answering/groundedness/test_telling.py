"""What readers are told of an answer's support, and what is kept of it."""

from __future__ import annotations

import json

import pytest

from rag.answering.groundedness.codec import support_of, support_payload
from rag.answering.groundedness.telling import is_unsupported, notices_of
from rag.types.answers import Answer, Outcome
from rag.types.groundedness import Correction, Lack, Missing, SentenceSupport, Support
from tests.rag.answering.groundedness.passages import LEAVE, PARTS, citations, held

GOOD = SentenceSupport(0, 5, Support.SUPPORTED, (1,))
TALK = SentenceSupport(0, 5, Support.NOT_CHECKED)


async def an_answer(text: str) -> Answer:
    sources = (PARTS, LEAVE)
    return Answer(text, Outcome.ANSWERED, citations(*sources), support=await held(text, *sources))


async def told(text: str) -> list[tuple[str, str]]:
    return [(notice.code, notice.text) for notice in notices_of(await an_answer(text))]


async def test_of_an_answer_that_is_borne_out_nothing_is_told() -> None:
    assert await told("Here it is:\n- The pump weighs **3.2 kg** [1].\n- Leave is approved by Petra Holm [2].") == []


async def test_a_sentence_that_is_not_borne_out_is_quoted_with_what_is_missing() -> None:
    [(code, text)] = await told("The pump weighs 3.2 kg [1]. Leave is approved by **PX-77** [2].")
    assert code == "answer_unsupported"
    assert text.startswith("1 of 2 sentences is not borne out by the sources named: ")
    assert text.endswith("“Leave is approved by PX-77.” (not found there: PX-77)")


async def test_a_wrong_number_is_told_with_the_right_one_and_its_source() -> None:
    assert await told("The pump CB-4471-K weighs 4.2 kg [1].") == [
        ("answer_number_differs", "The source says 3.2 kg, not 4.2 kg [1].")
    ]


async def test_a_source_that_would_have_borne_it_out_is_named() -> None:
    [(code, text)] = await told("The pump CB-4471-K costs €1,250 [2].")
    assert code == "answer_unsupported"
    assert text.endswith("but by [1])")


async def test_facts_without_a_source_are_told_only_where_no_source_bears_them_out() -> None:
    assert await told("The pump weighs 3.2 kg [1].\n\nThe pump CB-4471-K costs €1,250.") == []
    [(code, text)] = await told("The pump weighs 3.2 kg [1].\n\nThe canteen opens at 9:15.")
    assert (code, text) == (
        "answer_partly_uncited",
        "1 of 2 sentences names no source, and none bears it out: “The canteen opens at 9:15.”",
    )


async def test_long_and_many_sentences_are_shortened() -> None:
    [(_, text)] = await told(
        " ".join(f"The canteen in hall {n} serves {n}77 {'very ' * 40}hot soups [1]." for n in range(5))
    )
    assert "and 2 more" in text and len(text) < 700


def test_an_answer_is_unsupported_when_nothing_that_it_states_is_borne_out() -> None:
    bad = SentenceSupport(0, 5, Support.UNSUPPORTED, (1,), (Missing(Lack.WORDS),))
    alone, elsewhere = SentenceSupport(0, 5, Support.UNCITED), SentenceSupport(0, 5, Support.UNCITED, borne_out_by=(1,))

    def answer(*support: SentenceSupport) -> Answer:
        return Answer("text", Outcome.ANSWERED, support=support)

    assert is_unsupported(answer(bad, TALK)) and is_unsupported(answer(alone, bad))
    assert not any(map(is_unsupported, (answer(bad, GOOD), answer(TALK), answer(), answer(elsewhere))))


def test_support_survives_being_kept() -> None:
    missing = (Missing(Lack.NUMBER, "4.2 kg"),)
    one = SentenceSupport(3, 9, Support.CORRECTED, (1, 2), missing, Correction("4.2 kg", "3.2 kg", 1), (2,))
    assert support_of(json.loads(json.dumps(support_payload([one, GOOD, TALK])))) == (one, GOOD, TALK)


@pytest.mark.parametrize("payload", [[{}], [{"start": 1}], [{**support_payload([GOOD])[0], "verdict": "maybe"}]])
def test_what_is_no_support_is_refused(payload: list[dict[str, object]]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        support_of(payload)


def test_the_same_correction_is_told_once() -> None:
    right = SentenceSupport(0, 5, Support.CORRECTED, (1,), correction=Correction("25 days", "30 days", 1))
    text = "x " * 8
    [notice] = notices_of(Answer(text, Outcome.ANSWERED, citations(LEAVE), support=(right, right)))
    assert notice.text == "The source says 30 days, not 25 days [1]."
