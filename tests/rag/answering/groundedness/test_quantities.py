"""Numbers, dates and identifiers as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answering.groundedness.dates import agrees
from rag.answering.groundedness.numbers import bears_out
from rag.answering.groundedness.passages import Line, PassageReader
from rag.text.codes import codes_of, holds_code
from rag.text.languages import language_of_text
from rag.text.quantities import Quantity

READER = PassageReader(str.split)


def line(text: str) -> Line:
    return READER.line(text, language_of_text(text))


def the_quantity(text: str) -> Quantity:
    [quantity] = line(text).quantities
    return quantity


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("It costs 1,250 euros", "It costs €1250"),
        ("Er kostet 1.250 Euro und ist der beste", "It costs 1,250 euros"),
        ("Er kostet 1.250,50 Euro und ist der beste", "It costs EUR 1,250.50"),
        ("le prix est de 1 250 000 euros", "It costs 1.25 million euros"),
        ("It weighs 2,400,000 g", "It weighs 2,400 kg"),
        ("within two weeks", "within 14 days"),
        ("within 48 hours", "within two days"),
        ("half an hour", "30 minutes"),
        ("一つ150万円", "¥1.5M"),
        ("sold 1,497,200 units", "sold about 1.5 million units"),
        ("a margin of 12.4 %", "a margin of 12 percent"),
        ("a margin of 0.25", "a margin of 25 %"),
        ("twenty-five people", "25 people"),
        ("fünfundzwanzig Leute sind in dem Raum", "25 people"),
        ("half of it", "50 % of it"),
        ("a 30-day notice", "30 days"),
        ("the 2nd floor", "the 2nd floor"),
        ("the second floor", "the 2nd floor"),
        ("-5 °C", "−5 °C"),
        ("5 lb", "5 pounds"),
    ],
)
def test_a_number_is_borne_out_however_it_is_written(source: str, said: str) -> None:
    assert bears_out(the_quantity(source), the_quantity(said))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("It costs 1,250 euros", "It costs 1,260 euros"),
        ("It costs 1,250 euros", "It costs 1,250 dollars"),
        ("within 2 weeks", "within 2 days"),
        ("It weighs 2,000 kg", "It weighs 2,000 g"),
        ("sold 1,497,200 units", "sold about 1.6 million units"),
        ("sold 1,497 units", "sold 1,500 units"),
        ("holds 14 litres", "holds about 10 litres"),
        ("12 %", "12.4 %"),
        ("in 2024", "2000 litres"),
        ("-5 °C", "5 °C"),
        ("hall 2", "2,000 litres"),
    ],
)
def test_another_number_or_another_unit_bears_nothing_out(source: str, said: str) -> None:
    assert not bears_out(the_quantity(source), the_quantity(said))


def test_only_the_likelier_reading_of_a_number_may_be_rounded() -> None:
    source = the_quantity("Er fasst 1.497 Liter und ist der beste")
    assert bears_out(source, the_quantity("It holds 1,497 litres"))
    assert not bears_out(source, the_quantity("It holds 1.5 litres"))


def test_a_currency_between_two_numbers_is_that_of_the_first() -> None:
    assert [one.unit is not None for one in line("The fee is 20 EUR 30 per head").quantities] == [True, False]
    assert [one.unit is not None for one in line("The fee is EUR 30").quantities] == [True]


def test_of_a_range_both_ends_count_the_same() -> None:
    for text in ("10-15 days", "10–15 days", "10 to 15 days"):
        first, second = line(text).quantities
        assert bears_out(the_quantity("10 days"), first) and bears_out(the_quantity("15 days"), second)
        assert not bears_out(the_quantity("10 weeks"), first)


def test_words_that_count_claim_something_only_before_a_unit() -> None:
    assert [one.loose for one in line("There are three rules for two weeks").quantities] == [True, False]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("on 1 March 2025", "on March 1st, 2025"),
        ("am 01.03.2025", "on 1 March 2025"),
        ("le 1er mars 2025", "on 2025-03-01"),
        ("2025年3月1日", "March 2025"),
        ("1 de marzo de 2025", "1 March"),
        ("on 03/01/2025", "on 1 March 2025"),
        ("at 17:30", "at 5:30 pm"),
        ("um 8.30 Uhr", "at 8:30"),
        ("9:00-17:00", "9 am"),
    ],
)
def test_a_date_is_borne_out_however_it_is_written(source: str, said: str) -> None:
    [wanted] = line(said).dates
    assert any(agrees(date, wanted, ()) for date in line(source).dates)


@pytest.mark.parametrize(
    ("source", "said"),
    [("1 March 2025", "2 March 2025"), ("March 2025", "1 March 2025"), ("1 March", "1 March 2025"), ("9:00", "10:00")],
)
def test_another_date_or_a_vaguer_one_bears_nothing_out(source: str, said: str) -> None:
    [date], [wanted] = line(source).dates, line(said).dates
    assert not agrees(date, wanted, ())


def test_the_year_of_a_date_may_stand_elsewhere() -> None:
    [date], [wanted] = line("1 March").dates, line("1 March 2025").dates
    assert agrees(date, wanted, {2025})


def test_identifiers_are_no_numbers() -> None:
    words = line("Use CB-4471-K, 10.0.0.1 or v2.1 for 5 days at 3kg on 2025-03-01 in Q3").words
    assert set(codes_of(words).values()) == {"CB-4471-K", "10.0.0.1", "v2.1"}


@pytest.mark.parametrize("written", ["cb4471k", "CB-4471-K", "CB-4471-K-Adapter"])
def test_an_identifier_is_found_however_it_is_joined(written: str) -> None:
    assert holds_code(written, codes_of(line("The pump CB 4471-K and CB-4471-K").words))


def test_part_of_an_identifier_is_another() -> None:
    assert not holds_code("E10", codes_of(line("Error E100 and E-1").words))


@given(st.integers(min_value=0, max_value=10**9), st.sampled_from(["{}", "{:,}", "€{:,}", "{} km", "{:,} days"]))
def test_a_number_bears_itself_out_and_its_neighbour_not(number: int, form: str) -> None:
    own, other = form.format(number), form.format(number + 1)
    assert bears_out(the_quantity(own), the_quantity(own))
    assert not bears_out(the_quantity(own), the_quantity(other))
