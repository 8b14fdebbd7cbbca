"""Whether a number stands where its passages put it, and what may be said instead: the constants that decide."""

from __future__ import annotations

from rag.answering.groundedness.findings import BOUNDS, CheckedSentence, Finding, examined
from rag.answering.groundedness.passages import Line, PassageReader
from rag.answering.groundedness.placement import fit
from rag.answering.groundedness.statements import statements
from rag.embedding.sparse import Bm25
from rag.types.groundedness import Lack, Missing
from tests.rag.answering.groundedness.passages import TABLE, a_passage

READER = PassageReader(Bm25().terms)
NO_QUESTION = READER.line("", "english")


def line(text: str) -> Line:
    return READER.line(text, "english")


def a_fit(said: str, source: str) -> float:
    one, other = line(said), line(source)
    return fit(one, one.quantities[0], other, other.quantities[0])


def found(sentence: str, passage: str) -> Finding:
    [statement] = statements(sentence, sources=1)
    return examined(CheckedSentence(statement, line(statement.text), [a_passage(passage)]), NO_QUESTION, BOUNDS)


def test_words_near_a_number_place_it_and_far_ones_hardly() -> None:
    said = "For the old factory in the north of the city the valve weighs 3 kg"
    near, far = a_fit(said, "the valve weighs 3 kg"), a_fit(said, "old factory 3 kg")
    assert near > 3 * far


def test_what_stands_behind_a_comma_or_another_number_is_further_away() -> None:
    beside = a_fit("The valve 3 kg", "The valve 3 kg")
    assert a_fit("The valve 3 kg", "The valve, 3 kg") < 0.9 * beside
    behind = line("The valve 7 bar 3 kg")
    said = line("The valve 3 kg")
    assert fit(said, said.quantities[0], behind, behind.quantities[1]) < 0.8 * beside


def test_two_numbers_in_each_others_place_are_found() -> None:
    passage = "The ferry carries 30 people, the tender 12 people."
    assert found("The ferry carries 12 people, the tender 30 people [1].", passage).missing == (Missing(Lack.NUMBER),)


def test_a_number_that_fits_a_little_better_displaces_none() -> None:
    passage = "Pumps of the hall weigh 40 kg when dry. The pumps weigh 50 kg."
    assert found("The pumps weigh 40 kg [1].", passage) == Finding()


def test_a_number_of_another_row_is_corrected_by_that_of_the_row_named() -> None:
    assert found("The plan Birch costs €180 [1].", TABLE).missing == (Missing(Lack.NUMBER, "€180"),)
    assert found("The plan Maple costs €180 [1].", TABLE) == Finding()


def test_of_a_number_that_stands_among_other_words_nothing_is_corrected() -> None:
    finding = found("Soup for all costs €35 [1].", "The ferry took €12 on Sunday.")
    assert finding.missing and finding.correction is None


def test_where_one_number_fits_clearly_better_than_the_others_it_corrects() -> None:
    passage = "The red pump in hall four weighs 30 kg. Crates of soup on the upper shelf are 90 kg."
    finding = found("The red pump in hall four weighs 35 kg [1].", passage)
    assert finding.correction is not None and finding.correction.source == "30 kg"


def test_shared_words_and_facts_lower_the_likeness_that_is_needed_a_little() -> None:
    passage = "The old ferry to the island leaves from pier 7."
    bare, shared, with_number = (
        found(f"{sentence} [1].", passage).unsure
        for sentence in (
            "Visitors cross by boat in summer",
            "Visitors board the ferry in summer",
            "Visitors cross by boat in summer from 7",
        )
    )
    assert bare is not None and shared is not None and with_number is not None
    assert bare == BOUNDS.like
    assert 0.03 < bare - shared < 0.1
    assert 0.03 < bare - with_number < 0.1
