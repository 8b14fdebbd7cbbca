"""Which questions pass for one: none whose answers may differ, in any language."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answering.likeness.guard import Likeness, likeness, read_question
from rag.answering.likeness.stems import stem
from rag.answering.paraphrases import known_words
from tests.processes import ROOT

KNOWN = known_words()

DIFFERENT = """
What is the salary at level 3? | What is the salary at level 4?
What is the salary at level three? | What is the salary at level four?
What is the limit for €1,500? | What is the limit for €15.00?
What are the rules for version 2.1? | What are the rules for version 21?
What is the torque of part CB-4471-K? | What is the torque of part CB-4471-L?
What is the torque of part CB-44-71? | What is the torque of part CB-4471?
What happens on 4 October? | What happens on 10 April?
What happens on the first day? | What happens on the last day?
What is the premium of Plan A? | What is the premium of Plan B?
What is the premium of Plan A? | What is the premium of a plan?
What is the premium of plan a? | What is the premium of the plan?
What is the IT policy? | What is the policy?
What is the role of Hansen? | What is the role of Hanssen?
what is the role of hansen | what is the role of hanssen
What is William's role? | What is Williams' role?
Does Ada report to Bob? | Does Bob report to Ada?
Who does Ada report to? | Who reports to Ada?
Who hired Ada? | Who did Ada hire?
Who manages the team? | Who is managed by the team?
Who is being trained? | Who is training?
Who was promoted in 2024? | Who promoted in 2024?
Who may I call? | Who may call me?
Who called, Ada or Bob? | Who called Ada or Bob?
What did Kessler send Dorrestel? | What did Dorrestel send Kessler?
Can you tell me what Kessler pays Dorrestel? | Can you tell me what Dorrestel pays Kessler?
How much do we owe Dorrestel? | How much does Dorrestel owe us?
Do they pay for parking? | Do we pay for parking?
Trainees, what do they pay managers? | Managers, what do they pay trainees?
For trainees, what do managers pay? | For managers, what do trainees pay?
Ada: does Bob manage her? | Bob: does Ada manage her?
Plan A: is it dearer than Plan B? | Plan B: is it dearer than Plan A?
Does the warranty cover shipping? | Does shipping cover the warranty?
Can trainees approve managers' holidays? | Can managers approve trainees' holidays?
Who trains the managers of the mechanics? | Who trains the mechanics of the managers?
Which manager's mechanic is ill? | Which mechanic's manager is ill?
Which printers can scan? | Which scanners can print?
How many euros is a dollar? | How many dollars is a euro?
What is the fare from Berlin to Bern? | What is the fare from Bern to Berlin?
Where does the train from Bern go? | Where does the train to Bern go?
What is the policy on gifts from suppliers? | What is the policy on gifts to suppliers?
How many people work in Bern? | How many people work for Bern?
Who works at Kessler? | Who works for Kessler?
Is the meeting before lunch? | Is the meeting after lunch?
How many days do I get with a note? | How many days do I get without a note?
What is included in the warranty? | What is excluded from the warranty?
How do I lock the door? | How do I unlock the door?
What is paid leave? | What is unpaid leave?
Is the fee refundable? | Is the fee non-refundable?
May I take a dog to work? | May I not take a dog to work?
What may I expense? | What can't I expense?
Are dogs allowed? | Are only dogs allowed?
Why is the shop closed? | Why isn't the shop closed?
Can I smoke in the yard? | Must I smoke in the yard?
Should we pay? | Do we pay?
Who approved the budget? | Who approves the budget?
Who gets the bonus? | Who got the bonus?
How long is the probation period? | How long was the probation period?
When will the roof be repaired? | When was the roof repaired?
What time is the party? | What date is the party?
When is the party? | Where is the party?
How much is the Porter 180? | What is the Porter 180?
Is the Porter 180 waterproof? | What is the Porter 180?
Who is the employer of Ada Hansen? | Who is the employee of Ada Hansen?
Which is the largest warehouse? | Which is the smallest warehouse?
What is the maximum load? | What is the load?
What does the unit cost include? | What does the unit price include?
How often do we meet per week? | How often do we meet per month?
How many kg may a parcel weigh? | How many lb may a parcel weigh?
Is Ada or Bob the owner? | Are Ada and Bob the owners?
What is the price in Bern? | Was ist der Preis in Bern?
Wie lange dauert die Fahrt von Berlin nach Bern? | Wie lange dauert die Fahrt von Bern nach Berlin?
Bezahlt der Mieter dem Vermieter etwas? | Bezahlt der Vermieter dem Mieter etwas?
Kennt Ada Bob? | Bob kennt Ada?
Ist Rauchen erlaubt? | Ist Rauchen nicht erlaubt?
Was ist ein Urlaubstag? | Was ist kein Urlaubstag?
War das schon fertig? | War das schön fertig?
Quel est le prix du Plan A ? | Quel est le prix du Plan B ?
¿Cuántos años tiene? | ¿Cuántos anos tiene?
年休は何日ですか。 | 病休は何日ですか。
What is our C++ style guide? | What is our C# style guide?
What happens below -5 °C? | What happens below 5 °C?
What happens at 5 °C? | What happens at 5 °F?
IT policy? | What is the policy?
What is the deadline in May? | What is the deadline?
Does Will approve invoices? | Will we approve invoices?
What does a trainee get? | What is a trainee?
What does Kessler do? | What is Kessler?
What does Ada have? | What is Ada?
Who does the payroll? | Who is on the payroll?
What is in the warranty? | What is the warranty?
Who is on the team? | Who is the team?
What do we pay for Kessler? | What do we pay Kessler?
Who has the keys? | Who gets the keys?
Who has the keys? | Who is the key?
What is level one support? | What is level support?
Can you tell me what a trainee gets? | Can you tell me what a trainee is?
What is 5+3? | What is 5-3?
What is the plan for R&D? | What is the plan for R/D?
Is x > 5 allowed? | Is x < 5 allowed?
Was kostet C++? | Was kostet C#?
Was passiert bei -5 Grad? | Was passiert bei 5 Grad?
What is the price in USD? | What is the price in EUR?
What costs 5 $? | What costs 5 €?
What is a 401k? | What is a 403b?
Who covers the team? | Who covers for the team?
What is the no-show fee? | What is the show fee?
How many are allowed in? | How many are allowed out?
What is on? | What is off?
When do I get my pay? | When do I get my leave?
Do I have a bonus? | Do I get a bonus?
What has Ada? | Who has Ada?
Who will pay? | Who pays?
What is the US policy? | What is the policy for us?
Did Ada get fired? | Did Ada fire?
Which team has the most members? | Which team has the fewest members?
Who's not on call? | Who's on call?
How long may a trainee drive? | How long must a trainee drive?
What is the password for guests? | What is the password of guests?
Where do I park in? | Where do I park?
What is the contract with Kessler about? | What is the contract about Kessler?
Who works with Ada? | Who works for Ada?
Is overtime paid on Sunday? | Is overtime paid until Sunday?
What does Ada do for Bob? | What does Bob do for Ada?
What is 1/2? | What is 1/3?
Is it 10:30? | Is it 10:45?
What is €1.500? | What is €1.5?
"""

ALIKE = """
What is the notice period? | what's the notice period, please
How do I reset my password? | How can you reset a password?
How do I book a meeting room? | How to book a meeting room?
Where is the first-aid kit? | Can you tell me where the first aid kit is located?
Who is responsible for IT security? | Who's in charge of IT security?
What is the travel policy? | Travel policy?
What are the office opening hours in Bern? | Office opening hours in Bern
Do we have a dress code? | Is there a dress code?
How much does the Porter 180 cost? | What is the price of the Porter 180?
What was revenue in Q3 2024? | What was the revenue in the third quarter of 2024?
How many sick days do employees get per year? | How many sick days per year do employees get?
How many sick days do employees get? | Do you know how many sick days employees get?
Are pets allowed in the office? | In the office, are pets permitted?
What does the Porter 180 cost in 2026? | In 2026, what does the Porter 180 cost?
How long is the probation period? | How long is the probtion period?
Wie viele Urlaubstage haben Lehrlinge? | Können Sie mir bitte sagen, wie viele Urlaubstage Lehrlinge haben?
Wo ist die Küche? | hallo, wo ist die kueche
Quelle est la durée de la garantie ? | quelle est la durée de la garantie, s'il vous plaît
¿Dónde está la llave del coche? | La llave del coche, ¿dónde está?
全职员工每年有多少天年假？ | 请问全职员工每年有多少天年假
"""


def alike(one: str, other: str) -> Likeness:
    return likeness(read_question(one, known=KNOWN), read_question(other, known=KNOWN), known=KNOWN)


def pairs(lines: str) -> list[tuple[str, str]]:
    return [(one, other) for one, other in (line.split(" | ") for line in lines.strip().splitlines())]


@pytest.mark.parametrize(("one", "other"), pairs(DIFFERENT))
def test_questions_whose_answers_may_differ_never_pass_for_one(one: str, other: str) -> None:
    assert alike(one, other) is Likeness.DIFFERENT
    assert alike(other, one) is Likeness.DIFFERENT


@pytest.mark.parametrize(("one", "other"), pairs(ALIKE))
def test_the_same_in_other_words_passes(one: str, other: str) -> None:
    assert alike(one, other) >= Likeness.SENSE
    assert alike(other, one) >= Likeness.SENSE


def test_of_the_pairs_that_the_figures_come_from_no_other_question_passes_and_many_of_the_same_do() -> None:
    lines = (ROOT / "lab" / "benchmarks" / "data" / "near_questions.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    passed = [row for row in rows if alike(row["a"], row["b"]) is not Likeness.DIFFERENT]
    assert [row["id"] for row in passed if not row["same"]] == []
    assert len(passed) >= 0.4 * sum(row["same"] for row in rows)


def test_a_synonym_is_less_than_the_same_word() -> None:
    assert alike("When does the shop open?", "when do the shops open") is Likeness.WORDS
    assert alike("When do we begin to work?", "When do we start to work?") is Likeness.SENSE


@given(st.text(), st.text())
def test_any_text_can_be_held_against_any_other_and_is_like_itself(one: str, other: str) -> None:
    assert alike(one, other) == alike(other, one)
    assert alike(one, one) is Likeness.WORDS


WORDS = st.sampled_from(
    ["Ada", "Bob", "pays", "the", "team", "of", "3", "from", "to", "who", "does", "not", "per", "new"]
)


@given(st.lists(WORDS, min_size=2, max_size=9), st.data())
def test_another_number_or_name_in_a_question_is_always_found(words: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(words) - 1))
    for one, other in (("17", "71"), ("Ada", "Bob"), ("E41", "E14"), ("Porter", "Drayman")):
        mine, theirs = ([*words[:place], put, *words[place:]] for put in (f"x{one}" if one == "17" else one, other))
        assert alike("Is " + " ".join(mine), "Is " + " ".join(theirs)) is Likeness.DIFFERENT


def test_a_long_and_odd_question_takes_no_time() -> None:
    for text in ("please " * 5000, "a-" * 5000, "9," * 5000, "could you " * 5000, "'s" * 5000, "请问" * 5000):
        assert alike(text, text + "x") in Likeness


@pytest.mark.parametrize(
    ("forms", "others"),
    [
        ("decide decides decided", "decision"),
        ("stop stops stopped", "stoop"),
        ("policy policies", "police"),
        ("need needs needed", "nee"),
        ("employee employees", "employer"),
        ("train trains trained", "training"),
    ],
)
def test_forms_of_a_word_have_one_stem_and_other_words_have_others(forms: str, others: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1
    assert stem(others) != stem(forms.split(maxsplit=1)[0])
