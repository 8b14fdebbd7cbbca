"""What is kept for the next who asks: to whom it is given, and when not."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest

from rag.answering.answer_cache import AnswerCache, CacheKey
from rag.answering.answer_codec import answer_bytes, answer_of
from rag.cache.embedded import open_embedded
from rag.cache.redis import RedisCache
from rag.store.edge import EdgeStore
from rag.telemetry import Counters
from rag.types.answers import Answer, Citation, Notice, Outcome, Turn
from rag.types.documents import Document, DocumentId, DocumentRecord, DocumentState
from rag.types.scope import Scope
from tests.documents import a_chunk, a_document, a_record
from tests.fakes import ScriptedLLM
from tests.rag.answering.parts import MemoryCache, a_filled_store, an_answerer, asked, fill

HOUR = timedelta(hours=1)
QUESTION = "What is the travel budget of 2026?"
HERE = CacheKey(QUESTION, Scope(frozenset({"drive"})), 1, "today", "model/1")
ELSEWHERE = (
    replace(HERE, question="What is the travel budget of 2025?"),
    replace(HERE, question="What is the travel-budget of 2026?"),
    replace(HERE, generation=2),
    replace(HERE, built="tomorrow"),
    replace(HERE, recipe="model/2"),
    replace(HERE, scope=Scope(frozenset({"drive", "hr"}))),
    replace(HERE, scope=HERE.scope.narrowed("drive/a")),
    replace(HERE, scope=Scope.everything()),
    replace(HERE, scope=Scope.nothing()),
)


@dataclass
class Ledger:
    """What serves, as far as the cache asks."""

    records: dict[DocumentId, DocumentRecord] = field(default_factory=dict[DocumentId, DocumentRecord])

    async def document(self, document: DocumentId) -> DocumentRecord | None:
        return self.records.get(document)

    def put(self, document: Document) -> None:
        self.records[document.id] = a_record(document, chunks=1)


@dataclass
class House:
    """An answer cache and what it stands on."""

    cache: MemoryCache = field(default_factory=MemoryCache)
    ledger: Ledger = field(default_factory=Ledger)
    counters: Counters = field(default_factory=Counters)

    def answers(self) -> AnswerCache:
        return AnswerCache(self.cache, HOUR, ledger=self.ledger, counters=self.counters)


@pytest.fixture
def house() -> House:
    house = House()
    house.ledger.put(a_document())
    return house


def an_answer(document: Document | None = None) -> Answer:
    chunk = a_chunk(document or a_document(), 0, "The travel budget of 2026 is 3 euros.")
    return Answer("It is 3 [1].", Outcome.ANSWERED, (Citation(1, chunk, 1.0, "3 euros", 1, ""),), generation=1)


async def test_an_answer_is_given_again_for_equal_conditions_and_no_others(house: House) -> None:
    answers = house.answers()
    await answers.remember(HERE, an_answer())
    otherwise = (f"  {QUESTION.lower()} ", QUESTION.replace(" ", "\n "), QUESTION.removesuffix("?"), f"¿{QUESTION}!")
    for asked_so in otherwise:
        given = await answers.recall(replace(HERE, question=asked_so))
        assert given == replace(an_answer(), cached=True, question=asked_so)
    for other in ELSEWHERE:
        assert await answers.recall(other) is None
    assert house.counters.counts == {"cache.exact": len(otherwise), "cache.miss": len(ELSEWHERE)}


async def test_an_answer_whose_source_has_changed_or_gone_is_made_anew(house: House) -> None:
    answers = house.answers()
    await answers.remember(HERE, an_answer())
    document, record = a_document(), a_record(a_document(), chunks=1)
    for now in (
        None,
        replace(record, document=a_document(version="2")),
        replace(record, state=DocumentState.FAILED),
        replace(record, state=DocumentState.EMPTY),
        replace(record, document=replace(document, labels=frozenset({"hr"}))),
    ):
        house.ledger.records = {} if now is None else {document.id: now}
        assert await answers.recall(HERE) is None
    house.ledger.put(document)
    assert await answers.recall(HERE) is not None
    assert house.counters.counts == {"cache.stale": 5, "cache.miss": 5, "cache.exact": 1}


async def test_a_source_that_the_scope_does_not_admit_is_never_given(house: House) -> None:
    answers = house.answers()
    foreign = a_document(corpus="hr")
    house.ledger.put(foreign)
    await answers.remember(HERE, an_answer(foreign))
    assert await answers.recall(HERE) is None


async def test_copies_are_kept_with_their_citation_and_must_stand_and_be_admitted_too(house: House) -> None:
    answers = house.answers()
    [citation] = an_answer().citations
    mine, foreign, gone = a_document("Archive/a.md"), a_document(corpus="hr"), a_document("Archive/b.md")
    house.ledger.put(mine)
    house.ledger.put(foreign)
    for copy, is_given in ((mine, True), (foreign, False), (gone, False)):
        answer = replace(an_answer(), citations=(replace(citation, also=(copy,)),), question=QUESTION)
        await answers.remember(HERE, answer)
        assert await answers.recall(HERE) == (replace(answer, cached=True) if is_given else None)


async def test_what_was_evicted_is_a_miss(house: House) -> None:
    answers = house.answers()
    await answers.remember(HERE, an_answer())
    await house.cache.delete(str(HERE))
    assert await answers.recall(HERE) is None


@pytest.mark.parametrize(
    "passing",
    [{"notices": (Notice("x", "y"),)}, {"outcome": Outcome.FAILED}, {"generation": 2}],
    ids=["notice", "failed", "another generation"],
)
async def test_what_bears_a_notice_failed_or_came_from_another_generation_is_not_kept(
    house: House, passing: dict[str, object]
) -> None:
    await house.answers().remember(HERE, replace(an_answer(), **passing))
    assert house.cache.kept == {}


@pytest.mark.parametrize("outcome", [Outcome.DECLINED, Outcome.EXCERPTS, Outcome.CAUTIOUS])
async def test_what_is_declined_quoted_or_given_with_caution_is_kept(house: House, outcome: Outcome) -> None:
    answer = replace(an_answer(), outcome=outcome, question=QUESTION)
    await house.answers().remember(HERE, answer)
    assert await house.answers().recall(HERE) == replace(answer, cached=True)


HOSTILE = [
    b"",
    b"\xff",
    b"[]",
    b"3",
    b"null",
    b'{"text": 1}',
    b"[" * 100_000,
    answer_bytes(an_answer()).replace(b'"It is 3 [1]."', b"[3]"),
    answer_bytes(an_answer()).replace(b'"citations": [', b'"citations": [3, '),
    answer_bytes(an_answer()).replace(b'"labels": ["drive"', b'"labels": [["drive"]'),
]


@pytest.mark.parametrize("raw", HOSTILE, ids=range(len(HOSTILE)))
async def test_what_cannot_be_read_is_a_miss_with_a_line_in_the_log(
    house: House, raw: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    house.cache.kept[str(HERE)] = raw
    with caplog.at_level(logging.WARNING):
        assert await house.answers().recall(HERE) is None
    assert "cannot be read" in caplog.text
    assert house.counters.counts == {"cache.miss": 1}


def test_all_of_an_answer_comes_back_but_its_cost_and_its_time() -> None:
    answer = replace(an_answer(), notices=(Notice("a", "b"),), question="é 日", model="m", timings={"write": 1.0})
    assert answer_of(answer_bytes(answer)) == replace(answer, timings={}, cached=True)


@pytest.fixture
async def real_cache(tmp_path: Path) -> AsyncGenerator[RedisCache]:
    async with open_embedded(tmp_path / "cache") as cache:
        yield cache


async def test_many_remember_and_recall_at_once_without_mixing(real_cache: RedisCache, house: House) -> None:
    scopes = [Scope(frozenset({"drive", label})) for label in ("a", "b")]
    caches = [AnswerCache(real_cache, HOUR, ledger=house.ledger, counters=house.counters) for _ in range(2)]

    async def one(number: int) -> tuple[str, str]:
        scope = scopes[number // 2 % 2]
        key = replace(HERE, question=f"What is the fee of room {number}?", scope=scope)
        text = f"{number} for {sorted(scope.labels)}"
        await caches[number % 2].remember(key, replace(an_answer(), text=text))
        given = await caches[1 - number % 2].recall(key)
        assert given is not None
        return text, given.text

    for kept, given in await asyncio.gather(*map(one, range(40))):
        assert kept == given
    assert await caches[0].recall(replace(HERE, question="What is the fee of room 0?", scope=scopes[1])) is None


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[EdgeStore]:
    budget = "The marketing budget of 2026 is 40000 euros. The marketing budget was approved."
    async with a_filled_store(tmp_path, sales__budget=[budget], HR__pay=["The marketing budget pays Ada."]) as store:
        yield store


MARKETING = "What is the marketing budget of 2026?"
AGAIN = "what is the marketing budget of 2026"
SALES, HR = Scope(frozenset({"drive/sales"})), Scope(frozenset({"drive/HR"}))


async def test_the_whole_way_a_question_asked_again_costs_no_model_within_its_scope(store: EdgeStore) -> None:
    llm = ScriptedLLM("It is 40000 euros [S1].")
    answerer = an_answerer(store, llm)
    first = await asked(answerer, MARKETING, SALES)
    again = await asked(answerer, AGAIN, SALES)
    assert (first.cached, again.cached, len(llm.heard)) == (False, True, 1)
    assert (again.text, again.citations, again.notices) == (first.text, first.citations, ())
    assert again.usage.input_tokens == 0
    for scope in (HR, Scope(frozenset({"drive"})), Scope.everything()):
        assert not (await asked(answerer, AGAIN, scope)).cached


async def test_a_question_in_other_words_is_answered_anew(store: EdgeStore) -> None:
    answerer = an_answerer(store, ScriptedLLM("It is 40000 euros [S1]."))
    await asked(answerer, MARKETING, SALES)
    assert not (await asked(answerer, "Please tell me what the marketing budget of 2026 is.", SALES)).cached


async def test_a_new_generation_answers_anew(store: EdgeStore) -> None:
    cache = MemoryCache()
    await asked(an_answerer(store, ScriptedLLM("It is 40000 euros [S1]."), cache), MARKETING, SALES)
    await fill(store, sales__budget=["The marketing budget of 2026 is 50000 euros.", "Lunch is at noon."])
    llm = ScriptedLLM("It is 50000 euros [S1].")
    assert (await asked(an_answerer(store, llm, cache), AGAIN, SALES)).text == "It is 50000 euros [1]."
    assert len(llm.heard) == 1


async def test_a_follow_up_is_found_by_its_stand_alone_question(store: EdgeStore) -> None:
    answerer = an_answerer(store, None)
    history = [Turn("user", MARKETING), Turn("assistant", "It exists.")]
    first = await asked(answerer, "Was it approved?", SALES, history)
    again = await asked(answerer, "was it approved?", SALES, history)
    other = await asked(answerer, "Was it approved?", SALES, [Turn("user", "What is the salary of Ada?")])
    assert (first.cached, again.cached, other.cached) == (False, True, False)


def test_no_two_scopes_share_a_key() -> None:
    labels = [frozenset[str](), frozenset({"a"}), frozenset({"b"}), frozenset({"a", "b"}), frozenset({'a", "b'})]
    scopes = [
        Scope(some, unlimited, within) for some in labels for unlimited in (False, True) for within in (None, "a")
    ]
    assert len({str(replace(HERE, scope=scope)) for scope in scopes}) == len(scopes)
    assert json.loads(HERE.scope.key)
