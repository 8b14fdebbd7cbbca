"""Sentences held against what they cite."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.answering.groundedness.checking import SupportCheck
from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.minilm import MiniLM
from rag.embedding.sparse import Bm25
from rag.types.groundedness import Correction, Lack, SentenceSupport, Support
from tests.rag.answering.groundedness.passages import GERMAN, LEAVE, PARTS, SALES, TABLE, a_citation, held

TEXTS = (LEAVE, PARTS, SALES, GERMAN)
CHECK = SupportCheck(Bm25().terms, None)


@pytest.fixture(scope="module")
def embedder() -> HybridEmbedder:
    return HybridEmbedder(MiniLM(threads=2), Bm25())


def verdicts(support: Sequence[SentenceSupport]) -> list[Support]:
    return [one.verdict for one in support]


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("Full-time staff have 30 days of leave [1].", LEAVE),
        ("Full-time staff have **thirty days** of leave a year [1].", LEAVE),
        ("Part-time staff have 20 days of leave, full-time staff 30 days [1].", LEAVE),
        ("Leave is approved within 14 days [1].", LEAVE),
        ("Unused leave lapses on 31.03.2026 [1].", LEAVE),
        ("The pump CB4471K weighs 3.2 kg [1].", PARTS),
        ("The pump is delivered within two days by Orrin Freight [1].", PARTS),
        ("Sales rose to about 1.5 million euros in 2025 [1].", SALES),
        ("Sales rose from 2024 to 2025; the difference was 84,900 euros [1].", SALES),
        ("The margin was 12 % [1].", SALES),
        ("- Maple has 25 seats and costs €180 [1]", TABLE),
        ("Die Probezeit beträgt 6 Monate [1].", GERMAN),
        ("Die Kasse öffnet um 8:30 Uhr [1].", GERMAN),
    ],
)
async def test_what_the_passage_says_in_its_own_way_is_supported(sentence: str, text: str) -> None:
    [one] = await held(sentence, text)
    assert (one.verdict, one.citations, one.missing) == (Support.SUPPORTED, (1,), ())


@pytest.mark.parametrize(
    ("sentence", "text", "lack", "missing"),
    [
        ("Full-time staff have 35 days of annual leave [1].", LEAVE, Lack.NUMBER, "35 days"),
        ("Leave is approved within 2 days [1].", LEAVE, Lack.UNIT, "2 days"),
        ("Unused leave lapses on 30 March 2026 [1].", LEAVE, Lack.DATE, "30 March 2026"),
        ("The pump CB-4472-K weighs 3.2 kg [1].", PARTS, Lack.CODE, "CB-4472-K"),
        ("The pump is not delivered within 48 hours by Orrin Freight [1].", PARTS, Lack.NEGATION, ""),
        ("The canteen serves soup every morning [1].", LEAVE, Lack.WORDS, ""),
    ],
)
async def test_what_is_missing_is_named(sentence: str, text: str, lack: Lack, missing: str) -> None:
    [one] = await held(sentence, text)
    assert one.verdict in {Support.UNSUPPORTED, Support.CORRECTED}
    assert [(found.lack, found.text) for found in one.missing] == [(lack, missing)]


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        (
            "The margin rose to 1,412,300 euros in 2025, from sales [1].",
            "Sales were 1,412,300 euros. The margin of 2025 rose to 200,000 euros.",
        ),
        ("Petra Holm approves leave within 48 hours [1].", f"{LEAVE.replace('2 weeks', '30 hours')} {PARTS}"),
        ("The plan Birch costs €180 [1].", TABLE),
    ],
)
async def test_a_number_that_belongs_to_something_else_is_found(sentence: str, text: str) -> None:
    [one] = await held(sentence, text)
    assert one.verdict in {Support.UNSUPPORTED, Support.CORRECTED}
    assert [missing.lack for missing in one.missing] == [Lack.NUMBER]


async def test_a_wrong_number_is_corrected_where_one_passage_has_the_only_right_one() -> None:
    [one] = await held("The pump CB-4471-K weighs 4.2 kg [1][2].", PARTS, LEAVE)
    assert (one.verdict, one.correction) == (Support.CORRECTED, Correction("4.2 kg", "3.2 kg", 1))


@pytest.mark.parametrize(
    "sentence",
    [
        "The pump CB-4472-K weighs 3.2 kg [1].",  # a code
        "Unused leave lapses on 30 March 2026 [2].",  # a date
        "Staff have 25 days of annual leave [2].",  # two could be meant
        "The pump weighs 4.2 kg and costs €1,300 [1].",  # two are wrong
    ],
)
async def test_what_may_be_meant_in_several_ways_is_not_corrected(sentence: str) -> None:
    [one] = await held(sentence, PARTS, LEAVE)
    assert (one.verdict, one.correction) == (Support.UNSUPPORTED, None)


async def test_a_wrong_citation_is_told_together_with_the_right_one() -> None:
    [one] = await held("The pump CB-4471-K costs €1,250 [1].", LEAVE, PARTS)
    assert (one.verdict, one.citations, one.borne_out_by) == (Support.UNSUPPORTED, (1,), (2,))


async def test_a_fact_without_a_mark_is_uncited_and_talk_is_not_checked() -> None:
    answer = "Here is what I found:\n\nThe pump costs €1,250.\n\nThe documents do not mention its colour."
    assert verdicts(await held(answer, PARTS)) == [Support.NOT_CHECKED, Support.UNCITED, Support.NOT_CHECKED]


async def test_a_mark_at_the_end_of_a_paragraph_serves_the_sentences_before_it() -> None:
    support = await held("The pump weighs 3.2 kg. It costs €1,250 [1].", PARTS)
    assert verdicts(support) == [Support.SUPPORTED, Support.SUPPORTED]


async def test_what_the_question_says_needs_no_source() -> None:
    sentence = "Full-time staff have 30 days of annual leave in 2027 [1]."
    [alone] = await held(sentence, LEAVE)
    [asked] = await held(sentence, LEAVE, question="How much leave is there in 2027?")
    assert (alone.verdict, asked.verdict) == (Support.UNSUPPORTED, Support.SUPPORTED)


async def test_in_another_language_than_its_source_a_sentence_is_checked_by_its_numbers_alone() -> None:
    right, wrong, bare = await held(
        "Die Vollzeitkräfte haben 30 Tage Urlaub im Jahr [1]. Die Vollzeitkräfte haben 35 Tage Urlaub im Jahr [1]. "
        "Der Urlaub wird von der Leitung und nicht von dem Team genehmigt [1].",
        LEAVE,
    )
    assert [one.verdict for one in (right, wrong, bare)] == [
        Support.SUPPORTED,
        Support.UNSUPPORTED,
        Support.NOT_CHECKED,
    ]


async def test_a_paraphrase_is_known_by_its_meaning(embedder: HybridEmbedder) -> None:
    said = "Leftover vacation expires at the end of March 2026 [1]."
    invented = "Sick employees must call their manager before noon [1]."
    assert verdicts(await held(f"{said} {invented}", LEAVE, embedder=embedder)) == [
        Support.SUPPORTED,
        Support.UNSUPPORTED,
    ]


def copied(text: str) -> list[str]:
    return re.findall(r"[^.]+(?:\.\d+[^.]*)*\.", text)


@pytest.mark.parametrize("text", TEXTS)
async def test_a_sentence_copied_from_its_passage_is_supported(text: str) -> None:
    for sentence in copied(text):
        [one] = await held(f"{sentence.strip().removesuffix('.')} [1].", text)
        assert one.verdict is Support.SUPPORTED, sentence


SENTENCE = st.lists(
    st.sampled_from(
        [
            "the",
            "pump",
            "valve",
            "weighs",
            "3.2",
            "kg",
            "costs",
            "€1,250",
            "in",
            "2025",
            "Petra",
            "Holm",
            "not",
            "E-104",
            "über",
            "Straße",
            "25",
            "%",
            ",",
            "(see)",
            "on",
        ]
    ),
    min_size=1,
    max_size=25,
).map(" ".join)


@settings(max_examples=60)
@given(SENTENCE, st.lists(SENTENCE, max_size=3))
async def test_any_sentence_copied_from_its_passage_is_supported(sentence: str, others: list[str]) -> None:
    passage = "\n".join([*others, sentence])
    support = await CHECK.check(f"{sentence} [1].", [a_citation(1, passage)])
    assert all(one.verdict in {Support.SUPPORTED, Support.NOT_CHECKED} for one in support)


@given(st.integers(min_value=100, max_value=10**6), st.data())
async def test_a_digit_that_is_changed_is_always_found(number: int, data: st.DataObject) -> None:
    digits = str(number)
    place = data.draw(st.integers(min_value=0, max_value=len(digits) - 1))
    other = data.draw(st.sampled_from([digit for digit in "123456789" if digit != digits[place]]))
    changed = digits[:place] + other + digits[place + 1 :]
    passage = f"The reservoir of the pump holds {number} litres of oil. It was built by Orrin Freight."
    right, wrong = await CHECK.check(
        f"The reservoir of the pump holds {number} litres of oil [1]. "
        f"The reservoir of the pump holds {changed} litres of oil [1].",
        [a_citation(1, passage)],
    )
    assert right.verdict is Support.SUPPORTED
    assert wrong.verdict in {Support.UNSUPPORTED, Support.CORRECTED}


async def test_the_order_of_the_passages_does_not_matter() -> None:
    answer = (
        "Full-time staff have 35 days of annual leave {marks}. The pump weighs 3.2 kg {marks}. Soup is free {marks}."
    )
    found = set[tuple[object, ...]]()
    for texts in permutations((LEAVE, PARTS, SALES)):
        support = await held(answer.format(marks="[1][2][3]"), *texts)
        found.add(tuple((one.verdict, one.missing, one.correction and one.correction.source) for one in support))
    assert len(found) == 1


async def test_a_long_answer_is_checked_as_far_as_that_is_worth_it() -> None:
    support = await held(" ".join(["The pump weighs 3.2 kg [1]."] * 60), PARTS)
    assert len(support) == 60
    assert support[-1].verdict is Support.NOT_CHECKED


@given(st.text(max_size=200), st.text(max_size=200))
async def test_no_text_of_a_model_or_a_document_breaks_the_check(answer: str, passage: str) -> None:
    support = await CHECK.check(f"{answer} [1]", [a_citation(1, passage)])
    assert all(0 <= one.start < one.end for one in support)


@pytest.mark.timeout(30)  # what grows with the square of the text takes minutes
@pytest.mark.parametrize(
    "piece", ["1", "1,", "1.", "[", "[1]", "(", "a-1-", "1 ", "12:", "*", "|", "€1", "é1/", ". ", "a.", "\n", "1 May "]
)
async def test_a_hostile_text_takes_no_longer_than_its_length(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    support = await CHECK.check(f"{text} [1].", [a_citation(1, text)])
    assert all(one.start < one.end for one in support)
