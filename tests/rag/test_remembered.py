"""What is kept for the next who asks: to whom it is given, when not, and in which words it is found."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from rag.answering.answer_cache import ANSWERED_BEFORE, AnswerMemory, Conditions
from rag.answering.answer_codec import answer_bytes, answer_of
from rag.answering.paraphrases import COMPARED, KEPT, Paraphrases
from rag.cache.embedded import open_embedded
from rag.cache.redis import RedisCache
from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.minilm import MiniLM
from rag.embedding.sparse import Bm25
from rag.store.edge import EdgeStore
from rag.telemetry import Counters
from rag.types import (
    Answer,
    Citation,
    Document,
    DocumentId,
    DocumentRecord,
    DocumentState,
    Notice,
    Outcome,
    Scope,
    Turn,
)
from tests.documents import DIMENSIONS, WordModel, a_chunk, a_document, a_record
from tests.fakes import ScriptedLLM
from tests.rag.answering import MemoryCache, a_filled_store, an_answerer, asked, fill

HOUR = timedelta(hours=1)
HERE = Conditions(Scope(frozenset({"drive"})), 1, "today", "model/1")
ELSEWHERE = (
    replace(HERE, generation=2),
    replace(HERE, built="tomorrow"),
    replace(HERE, maker="model/2"),
    replace(HERE, scope=Scope(frozenset({"drive", "hr"}))),
    replace(HERE, scope=HERE.scope.narrowed("drive/a")),
    replace(HERE, scope=Scope.everything()),
    replace(HERE, scope=Scope.nothing()),
)
QUESTION = "What is the travel budget of 2026?"
REWORDED = "In 2026, what is the travel budget?"


class FittedModel(WordModel):
    """Bears the name of the model that the bound was fitted for."""

    name = "all-MiniLM-L6-v2/words"


@dataclass
class Ledger:
    """What serves, as far as a memory asks."""

    records: dict[DocumentId, DocumentRecord] = field(default_factory=dict[DocumentId, DocumentRecord])

    async def document(self, document: DocumentId) -> DocumentRecord | None:
        return self.records.get(document)

    def put(self, document: Document) -> None:
        self.records[document.id] = a_record(document, chunks=1)


@dataclass
class House:
    """A memory and what it stands on."""

    cache: MemoryCache = field(default_factory=MemoryCache)
    ledger: Ledger = field(default_factory=Ledger)
    counters: Counters = field(default_factory=Counters)
    semantic: bool = True
    model: WordModel = field(default_factory=FittedModel)

    def memory(self) -> AnswerMemory:
        embedder = HybridEmbedder(self.model, Bm25())
        paraphrases = Paraphrases(self.cache, embedder, HOUR) if self.semantic else None
        return AnswerMemory(self.cache, HOUR, ledger=self.ledger, counters=self.counters, paraphrases=paraphrases)


@pytest.fixture
def house() -> House:
    house = House()
    house.ledger.put(a_document())
    return house


def an_answer(document: Document | None = None) -> Answer:
    chunk = a_chunk(document or a_document(), 0, "The travel budget of 2026 is 3 euros.")
    return Answer("It is 3 [1].", Outcome.ANSWERED, (Citation(1, chunk, 1.0, "3 euros", 1, ""),), generation=1)


async def test_an_answer_is_given_again_for_equal_conditions_and_no_others(house: House) -> None:
    memory = house.memory()
    await memory.remember(QUESTION, HERE, an_answer())
    asked_so = f"  {QUESTION.lower()} "
    assert await memory.recall(asked_so, HERE) == replace(an_answer(), cached=True, question=asked_so)
    for other in ELSEWHERE:
        assert await memory.recall(QUESTION, other) is None
        assert await memory.recall(REWORDED, other) is None
    assert await memory.recall("Who?", HERE) is None
    assert house.counters.counts == {"cache.exact": 1, "cache.miss": 2 * len(ELSEWHERE) + 1}


async def test_the_same_in_other_words_is_given_it_and_told_so_but_not_the_other_s_words(house: House) -> None:
    memory = house.memory()
    await memory.remember(QUESTION, HERE, replace(an_answer(), question=QUESTION))
    given = await memory.recall(REWORDED, HERE)
    assert given == replace(an_answer(), cached=True, question=REWORDED, notices=(ANSWERED_BEFORE,))
    assert QUESTION not in repr(given)
    assert house.counters.counts == {"cache.semantic": 1}


@pytest.mark.parametrize(
    "near",
    [
        "What is the travel budget of 2025?",
        "What was the travel budget of 2026?",
        "What is not in the travel budget of 2026?",
        "Who approved the travel budget of 2026?",
        "What is the training budget of 2026?",
        "What is the maximum travel budget of 2026?",
        "Wie hoch ist das travel budget 2026?",
    ],
)
async def test_a_question_that_is_near_but_another_is_never_given_it(house: House, near: str) -> None:
    memory = house.memory()
    await memory.remember(QUESTION, HERE, an_answer())
    assert await memory.recall(near, HERE) is None


async def test_without_the_semantic_cache_only_the_very_question_will_do(house: House) -> None:
    house.semantic = False
    memory = house.memory()
    await memory.remember(QUESTION, HERE, an_answer())
    assert house.cache.lists == {}
    assert await memory.recall(REWORDED, HERE) is None
    assert await memory.recall(QUESTION, HERE) is not None


async def test_with_a_model_that_nothing_was_fitted_for_only_the_same_words_will_do(house: House) -> None:
    begins, starts, turned = (
        "When does the party begin?",
        "When does the party start?",
        "when does the party begin, please",
    )
    for model, is_given in ((FittedModel(), True), (WordModel(), False)):
        house.cache, house.model = MemoryCache(), model
        memory = house.memory()
        await memory.remember(begins, HERE, an_answer())
        assert (await memory.recall(starts, HERE) is not None) is is_given
        assert await memory.recall(turned, HERE) is not None


async def test_the_packaged_model_finds_other_words_among_many_neighbours(house: House) -> None:
    memory = AnswerMemory(
        house.cache,
        HOUR,
        ledger=house.ledger,
        counters=house.counters,
        paraphrases=Paraphrases(house.cache, HybridEmbedder(MiniLM(threads=1), Bm25()), HOUR),
    )
    for question in ("What is the travel budget of 2025?", QUESTION, "Who sets the travel budget of 2026?"):
        await memory.remember(question, HERE, replace(an_answer(), text=f"{question} [1]"))
    given = await memory.recall("Could you tell me what the travel budget of 2026 is, please?", HERE)
    assert given is not None and given.text == f"{QUESTION} [1]"
    assert await memory.recall("Could you tell me what the travel budget of 2024 is, please?", HERE) is None


@pytest.mark.parametrize("question", [QUESTION, REWORDED])
async def test_an_answer_whose_source_has_changed_or_gone_is_made_anew(house: House, question: str) -> None:
    memory = house.memory()
    await memory.remember(QUESTION, HERE, an_answer())
    document, record = a_document(), a_record(a_document(), chunks=1)
    for now in (
        None,
        replace(record, document=a_document(version="2")),
        replace(record, state=DocumentState.FAILED),
        replace(record, state=DocumentState.EMPTY),
        replace(record, document=replace(document, labels=frozenset({"hr"}))),
    ):
        house.ledger.records = {} if now is None else {document.id: now}
        assert await memory.recall(question, HERE) is None
    house.ledger.put(document)
    assert await memory.recall(question, HERE) is not None
    assert house.counters.counts["cache.stale"] == 5
    assert house.counters.counts["cache.miss"] == 5


async def test_a_source_that_the_scope_does_not_admit_is_never_given(house: House) -> None:
    memory = house.memory()
    foreign = a_document(corpus="hr")
    house.ledger.put(foreign)
    await memory.remember(QUESTION, HERE, an_answer(foreign))
    assert await memory.recall(QUESTION, HERE) is None
    assert await memory.recall(REWORDED, HERE) is None


async def test_copies_are_kept_with_their_citation_and_must_stand_and_be_admitted_too(house: House) -> None:
    memory = house.memory()
    [citation] = an_answer().citations
    mine, foreign, gone = a_document("Archive/a.md"), a_document(corpus="hr"), a_document("Archive/b.md")
    house.ledger.put(mine)
    house.ledger.put(foreign)
    for copy, is_given in ((mine, True), (foreign, False), (gone, False)):
        answer = replace(an_answer(), citations=(replace(citation, also=(copy,)),), question=QUESTION)
        await memory.remember(QUESTION, HERE, answer)
        assert await memory.recall(QUESTION, HERE) == (replace(answer, cached=True) if is_given else None)


async def test_an_answer_that_was_evicted_is_a_miss_and_the_next_nearest_is_tried(house: House) -> None:
    memory = house.memory()
    await memory.remember(QUESTION, HERE, an_answer())
    await memory.remember("What is the budget for travel in 2026?", HERE, an_answer())
    await memory.remember("The travel budget of 2026 is what?", HERE, replace(an_answer(), text="It is three [1]."))
    await house.cache.delete(HERE.key(QUESTION))
    given = await memory.recall("What is the travel budget of 2026, please?", HERE)
    assert given is not None and given.text == "It is three [1]."
    house.cache.kept.clear()
    assert await memory.recall(REWORDED, HERE) is None


async def test_what_bears_a_notice_or_failed_is_not_kept(house: House) -> None:
    memory = house.memory()
    await memory.remember(QUESTION, HERE, replace(an_answer(), notices=(Notice("x", "y"),)))
    await memory.remember(QUESTION, HERE, replace(an_answer(), outcome=Outcome.FAILED))
    assert (house.cache.kept, house.cache.lists) == ({}, {})


@pytest.mark.parametrize("outcome", [Outcome.DECLINED, Outcome.EXCERPTS])
async def test_what_no_model_wrote_is_given_to_the_very_question_only(house: House, outcome: Outcome) -> None:
    memory = house.memory()
    await memory.remember(QUESTION, HERE, replace(an_answer(), outcome=outcome))
    assert house.cache.lists == {}
    assert await memory.recall(QUESTION, HERE) is not None
    assert await memory.recall(REWORDED, HERE) is None
    await memory.remember(QUESTION, HERE, an_answer())
    await memory.remember(QUESTION, HERE, replace(an_answer(), outcome=outcome))
    assert await memory.recall(REWORDED, HERE) is None


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
    memory = house.memory()
    await memory.remember(QUESTION, HERE, an_answer())
    house.cache.kept[HERE.key(QUESTION)] = raw
    with caplog.at_level(logging.WARNING):
        assert await memory.recall(QUESTION, HERE) is None
        assert await memory.recall(REWORDED, HERE) is None
    assert "cannot be read" in caplog.text


async def test_kept_questions_that_cannot_be_read_are_passed_over(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    memory = house.memory()
    await memory.remember(QUESTION, HERE, an_answer())
    [entries] = house.cache.lists.values()
    vector = 2 * DIMENSIONS
    nan = np.full(DIMENSIONS, np.nan, "<f2").tobytes()
    entries[:0] = [b"", b"x", b"\xff" * vector, nan + b"What?", entries[0][:vector] + b"\xff\xfe", nan[:9] + b"[1]"]
    with caplog.at_level(logging.WARNING):
        assert await memory.recall(REWORDED, HERE) is not None
    assert "passed over" in caplog.text


def test_all_of_an_answer_comes_back_but_its_cost_and_its_time() -> None:
    answer = replace(an_answer(), notices=(Notice("a", "b"),), question="é 日", model="m", timings={"write": 1.0})
    assert answer_of(answer_bytes(answer)) == replace(answer, timings={}, cached=True)


async def test_a_place_is_bounded_and_the_last_questions_stay(house: House) -> None:
    memory = house.memory()
    await memory.remember(QUESTION, HERE, an_answer())
    for number in range(KEPT):
        await memory.remember(f"What is rule {number}?", HERE, an_answer())
    [entries] = house.cache.lists.values()
    assert len(entries) == KEPT
    assert await memory.recall(REWORDED, HERE) is None
    assert await memory.recall(f"What is rule {KEPT - 1}, please?", HERE) is not None


async def test_among_many_that_are_as_near_only_some_are_read(house: House) -> None:
    memory = house.memory()
    for number in range(2 * COMPARED):
        await memory.remember(f"What is the travel budget of {number}?", HERE, an_answer())
    assert await memory.recall("What is the travel budget of 99?", HERE) is None


@pytest.fixture
async def real_cache(tmp_path: Path) -> AsyncGenerator[RedisCache]:
    async with open_embedded(tmp_path / "cache") as cache:
        yield cache


async def test_many_remember_and_recall_at_once_without_mixing(real_cache: RedisCache, house: House) -> None:
    embedder = HybridEmbedder(FittedModel(), Bm25())
    places = [replace(HERE, scope=Scope(frozenset({"drive", label}))) for label in ("a", "b")]
    memories = [
        AnswerMemory(
            real_cache,
            HOUR,
            ledger=house.ledger,
            counters=house.counters,
            paraphrases=Paraphrases(real_cache, embedder, HOUR),
        )
        for _ in range(2)
    ]

    async def one(number: int) -> tuple[str, str]:
        memory, place = memories[number % 2], places[number // 2 % 2]
        text = f"{number} for {sorted(place.scope.labels)}"
        await memory.remember(f"What is the fee of room {number}?", place, replace(an_answer(), text=text))
        given = await memories[1 - number % 2].recall(f"What is the fee of room {number}, please?", place)
        assert given is not None
        return text, given.text

    for kept, given in await asyncio.gather(*map(one, range(40))):
        assert kept == given
    assert await memories[0].recall("What is the fee of room 0, please?", places[1]) is None


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[EdgeStore]:
    budget = "The marketing budget of 2026 is 40000 euros. The marketing budget was approved."
    async with a_filled_store(tmp_path, sales__budget=[budget], HR__pay=["The marketing budget pays Ada."]) as store:
        yield store


MARKETING = "What is the marketing budget of 2026?"
AGAIN = "Please tell me what the marketing budget of 2026 is."
SALES, HR = Scope(frozenset({"drive/sales"})), Scope(frozenset({"drive/HR"}))


async def test_the_whole_way_a_reworded_question_costs_no_model_and_says_so(store: EdgeStore) -> None:
    llm = ScriptedLLM("It is 40000 euros [S1].")
    answerer = an_answerer(store, llm)
    first = await asked(answerer, MARKETING, SALES)
    again = await asked(answerer, AGAIN, SALES)
    assert (first.cached, again.cached, len(llm.heard)) == (False, True, 1)
    assert (again.text, again.citations) == (first.text, first.citations)
    assert [notice.code for notice in again.notices] == ["answered_before"]
    assert again.usage.input_tokens == 0
    for scope in (HR, Scope(frozenset({"drive"})), Scope.everything()):
        assert not (await asked(answerer, AGAIN, scope)).cached


async def test_a_new_generation_or_another_model_answers_anew(store: EdgeStore) -> None:
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


def test_no_two_scopes_share_a_place() -> None:
    labels = [frozenset[str](), frozenset({"a"}), frozenset({"b"}), frozenset({"a", "b"}), frozenset({'a", "b'})]
    scopes = [
        Scope(some, unlimited, within) for some in labels for unlimited in (False, True) for within in (None, "a")
    ]
    places = {replace(HERE, scope=scope).place for scope in scopes}
    assert len(places) == len(scopes)
    assert places.isdisjoint({replace(HERE, scope=scope).key("") for scope in scopes})
    assert json.loads(HERE.scope.key)
