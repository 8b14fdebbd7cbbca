"""One answer written from given passages: what is shown, what is told besides, and what is left when a model fails."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace

import pytest

from rag.answering.draft import MODEL_DECLINED
from rag.answering.writing import CUT_OFF, TOO_LONG, UNCITED, Writer, WrittenAnswer
from rag.embedding.sparse import Bm25
from rag.errors import NoProviderLeft, ProviderError
from rag.llm.base import FinishReason, Reasoning
from rag.retrieval.base import QueryTerm
from rag.types.answers import Delta, Outcome
from rag.types.chunks import RetrievedChunk, Span
from tests.documents import a_chunk, a_document
from tests.fakes import Line, ScriptedLLM

BM25 = Bm25()
QUESTION = "What is the budget?"
TERMS = (QueryTerm(tuple(BM25.terms("budget")), idf=2.0, seen=True),)
BROKEN = ProviderError("scripted", "HTTP 503")


def passages(*texts: str) -> list[RetrievedChunk]:
    """Hits, each of a document of its own."""
    return [
        RetrievedChunk(a_chunk(a_document(f"{place}.md"), 0, text), 1.0 - place / 10)
        for place, text in enumerate(texts)
    ]


HITS = passages("The budget is 40 euros.", "The budget was approved.", "Whales sing.")


def a_writer(llm: ScriptedLLM | None, *, context_chars: int = 4000, excerpts: int = 2) -> Writer:
    return Writer(llm, BM25.terms, models="m", context_chars=context_chars, max_tokens=100, excerpts=excerpts)


async def written(writer: Writer, hits: Sequence[RetrievedChunk] = HITS) -> tuple[list[str], WrittenAnswer]:
    """The pieces that were shown, and what was written: exactly one, at the end, and of the same text."""
    events = [event async for event in writer.write(QUESTION, hits, TERMS)]
    *pieces, answer = events
    assert isinstance(answer, WrittenAnswer)
    shown = [piece.text for piece in pieces if isinstance(piece, Delta)]
    assert len(shown) == len(pieces) and "".join(shown) == answer.text
    return shown, answer


@pytest.mark.parametrize(
    ("script", "text", "cited"),
    [
        (("It is 40 [S1]",), "It is 40 [1]", [0]),
        (("It is 40 [S", "2], approved [S1].", Reasoning("hm")), "It is 40 [1], approved [2].", [1, 0]),
        (("It is 40 [S9] [S3].",), "It is 40 [1].", [2]),
    ],
)
async def test_what_a_model_cites_is_numbered_by_first_mention(
    script: tuple[Line, ...], text: str, cited: list[int]
) -> None:
    llm = ScriptedLLM(*script)
    _, answer = await written(a_writer(llm))
    assert (answer.text, answer.outcome, answer.notices) == (text, Outcome.ANSWERED, ())
    assert [(one.number, one.chunk, one.score) for one in answer.citations] == [
        (number, HITS[place].chunk, HITS[place].probability) for number, place in enumerate(cited, start=1)
    ]
    assert (answer.usage, answer.model) == (llm.usage, "scripted")


async def test_a_passage_that_the_model_was_not_given_cannot_be_cited() -> None:
    long = passages("The budget is 40 euros. " * 20, "The budget was approved. " * 20)
    _, answer = await written(a_writer(ScriptedLLM("Both [S1][S2]."), context_chars=700), long)
    assert [one.chunk for one in answer.citations] == [long[0].chunk]


async def test_a_model_that_declines_is_paid_for_and_leaves_nothing_else_to_tell() -> None:
    llm = ScriptedLLM("NO ANS", "WER. ", FinishReason.LENGTH)
    shown, answer = await written(a_writer(llm))
    assert shown == [MODEL_DECLINED]
    assert answer == WrittenAnswer(MODEL_DECLINED, Outcome.DECLINED, usage=llm.usage, model="scripted")


async def test_a_model_that_broke_off_is_kept_with_what_it_held_back_and_says_so_once() -> None:
    shown, answer = await written(a_writer(ScriptedLLM("It is 40 [S1]", " and [", BROKEN)))
    assert "".join(shown) == "It is 40 [1] and ["
    assert (answer.outcome, answer.notices, answer.model) == (Outcome.CAUTIOUS, (CUT_OFF,), "")
    assert [one.number for one in answer.citations] == [1]


async def test_an_answer_that_is_too_long_is_still_an_answer_and_one_without_sources_needs_caution() -> None:
    _, answer = await written(a_writer(ScriptedLLM("It is 40 [S1]", FinishReason.LENGTH)))
    assert (answer.outcome, answer.notices) == (Outcome.ANSWERED, (TOO_LONG,))
    _, answer = await written(a_writer(ScriptedLLM("It is 40", FinishReason.LENGTH)))
    assert (answer.outcome, answer.notices) == (Outcome.CAUTIOUS, (TOO_LONG, UNCITED))


@pytest.mark.parametrize(
    ("script", "cause"),
    [
        ((BROKEN,), "HTTP 503"),
        ((Reasoning("hm"), BROKEN), "HTTP 503"),
        (("NO AN", BROKEN), "HTTP 503"),
        (("[S1", BROKEN), "HTTP 503"),
        ((), "it wrote nothing"),
        ((" \n", "\t"), "it wrote nothing"),
        ((NoProviderLeft([ProviderError("a", "no"), ProviderError("b", "no"), ProviderError("c", "yes")]),), "no; yes"),
    ],
)
async def test_a_model_that_showed_nothing_is_replaced_by_quotes_that_say_why(
    script: tuple[Line, ...], cause: str
) -> None:
    shown, answer = await written(a_writer(ScriptedLLM(*script)))
    assert shown == ["- “The budget is 40 euros.” [1]", "\n- “The budget was approved.” [2]"]
    assert answer.outcome is Outcome.EXCERPTS
    [notice] = answer.notices
    assert (notice.code, notice.text) == ("llm_unavailable", f"No language model could write an answer: {cause}.")


async def test_without_a_model_as_many_passages_are_quoted_as_are_wanted_the_best_first() -> None:
    for excerpts in (1, 3, 9):
        shown, answer = await written(a_writer(None, excerpts=excerpts))
        assert [one.chunk for one in answer.citations] == [hit.chunk for hit in HITS[:excerpts]]
        assert len(shown) == len(answer.citations)
        assert answer.notices == ()


async def test_a_citation_names_the_page_where_its_excerpt_stands() -> None:
    [hit] = passages("Whales sing.\nThe budget is 40 euros.")
    over_two = replace(hit.chunk, spans=(Span(4, "iv", 0, 12), Span(5, "v", 0, 23)))
    far = over_two.text.replace("\n", f"\n{'Whales sing loudly and long. ' * 12}\n")
    for chunk, page in ((over_two, (4, "iv")), (replace(over_two, text=far), (5, "v"))):
        _, answer = await written(a_writer(None), [replace(hit, chunk=chunk)])
        [citation] = answer.citations
        assert "40 euros" in citation.excerpt
        assert (citation.page, citation.label) == page


async def test_what_the_title_names_does_not_decide_which_sentence_is_quoted() -> None:
    terms = (*TERMS, QueryTerm(tuple(BM25.terms("pads")), idf=1.5, seen=True))
    text = f"The budget is small. {'Nothing is said here of it at all. ' * 20}Change pads soon."
    for title, quoted in (("Manual", "budget"), ("Budget", "pads")):
        hit = RetrievedChunk(a_chunk(a_document(title=title), 0, text), 1.0)
        *_, answer = [event async for event in a_writer(None).write(QUESTION, [hit], terms)]
        assert isinstance(answer, WrittenAnswer) and quoted in answer.citations[0].excerpt


async def test_a_reader_that_leaves_stops_the_model() -> None:
    llm = ScriptedLLM("It", " is", " 40 [S1].")
    async with aclosing(a_writer(llm).write(QUESTION, HITS, TERMS)) as events:
        async for _ in events:
            break
    assert llm.closed == 1
