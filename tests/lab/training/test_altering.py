"""Questions with one word exchanged."""

from __future__ import annotations

import re

from lab.training.altering import altered

QUESTIONS = (
    "How does the washer drain the harbour basin?",
    "Where does the crane lift the timber?",
    "When does the sailor scrub the morning deck?",
    "Which plank does the sailor paint at midnight?",
    "Why?",
)
STRANGERS = ("Who salts the bread in the bakery?", "What is kneaded?")
HELD = set(re.findall(r"\w+", "washer drain harbour basin crane lift timber sailor scrub morning deck plank midnight"))


def idf(word: str) -> float | None:
    return 4.0 if word.casefold() in HELD else 0.1 if word in {"does", "the"} else None


def exchanged(question: str, other: str) -> tuple[str, str]:
    """The word that is gone, and the one that has come."""
    pairs = zip(re.findall(r"\w+", question), re.findall(r"\w+", other), strict=True)
    [pair] = [(gone, come) for gone, come in pairs if gone != come]
    return pair


def test_one_rare_word_is_exchanged_for_one_of_another_question_or_for_a_stranger() -> None:
    for number, (question, other) in enumerate(zip(QUESTIONS, altered(QUESTIONS, STRANGERS, idf), strict=True)):
        if question == "Why?":
            continue
        assert other is not None
        gone, come = exchanged(question, other)
        assert gone in HELD and come not in question
        assert (idf(come) is None) == bool(number % 2)
        assert come in " ".join(STRANGERS if number % 2 else QUESTIONS)


def test_it_is_the_same_each_time() -> None:
    assert altered(QUESTIONS, STRANGERS, idf) == altered(QUESTIONS, STRANGERS, idf)


def test_a_question_of_which_one_word_is_known_or_that_has_no_like_is_left_out() -> None:
    assert altered(QUESTIONS, STRANGERS, idf)[-1] is None
    assert altered(["Whence comes zinc, midnight?"], STRANGERS, idf) == [None]
    assert altered(QUESTIONS[:1], STRANGERS, idf) == [None]
