"""How good a ranking is, question by question. The formulas are those of trec_eval, by ir_measures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import ir_measures

from lab.evaluation.sets.base import Question
from lab.evaluation.systems.base import FoundPassage

Scores = Mapping[str, float]
"""One question's, by the name of the metric; each from 0 to 1, higher is better."""

DEEP: Final = "recall@100"
MEANINGS: Final[Mapping[str, str]] = {
    "page@k": "one of the first k passages lies on a page that answers",
    "pages@k": "the same, each page counted once however many of its passages are found",
    "file@k": "one of the first k passages stands in a file that answers",
    "recall@k": "the share of what answers (pages, or documents) that the first k passages, or documents, hold",
    "MRR@10": "1 / the rank of the first right passage or document, 0 beyond the tenth",
    "nDCG@10": "the documents' grades, those further down counting less, of the best that could be",
}
_ORDER: Final = (
    *("page@1", "page@3", "page@5", "page@10", "pages@5", "file@1", "file@5"),
    *("nDCG@10", "MRR@10", "recall@3", "recall@5", "recall@10", DEEP),
)
FIRST_FOR_RECALL: Final = 3
_NONE: Final = "none"
"""Stands for what answers and was not found, so that no question is left out."""


def in_order(names: Collection[str]) -> list[str]:
    """The metrics as tables name them, the weightiest first."""
    return sorted(names, key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name))


def page_scores(questions: Sequence[Question], rankings: Sequence[Sequence[FoundPassage]]) -> list[Scores]:
    """Of questions whose pages are known; of one whose files alone are known, what is said of files."""
    flags = [_Flags(question, passages) for question, passages in zip(questions, rankings, strict=True)]
    pages = _successes([flag.on_page for flag in flags], {f"Success@{k}": f"page@{k}" for k in (1, 3, 5, 10)})
    firsts = _successes([flag.on_page for flag in flags], {"RR@10": "MRR@10"})
    distinct = _successes([flag.distinct for flag in flags], {"Success@5": "pages@5"})
    files = _successes([flag.in_file for flag in flags], {"Success@1": "file@1", "Success@5": "file@5"})
    found: list[Scores] = []
    for place, question in enumerate(questions):
        scores: dict[str, float] = dict(files[place])
        if question.pages:
            scores |= {**pages[place], **firsts[place], **distinct[place], "recall@3": flags[place].recall}
        found.append(scores)
    return found


def document_scores(questions: Sequence[Question], rankings: Sequence[Sequence[FoundPassage]]) -> list[Scores]:
    """A document stands where its best passage does."""
    measures = {"nDCG@10": "nDCG@10", "R@3": "recall@3", "R@5": "recall@5", "R@10": "recall@10", "RR@10": "MRR@10"}
    ranked = [documents(passages) for passages in rankings]
    return _calculated(ranked, [question.files for question in questions], measures)


def deep_scores(questions: Sequence[Question], rankings: Sequence[Sequence[FoundPassage]]) -> list[Scores]:
    """What of the documents the first hundred hold."""
    ranked = [documents(passages) for passages in rankings]
    return _calculated(ranked, [question.files for question in questions], {"R@100": DEEP})


def documents(passages: Iterable[FoundPassage]) -> list[str]:
    """The files in the order of their best passages; copies follow the file that they are copies of."""
    return list(dict.fromkeys(file for passage in passages for file in passage.files))


def first_right(question: Question, passages: Sequence[FoundPassage]) -> int | None:
    """The rank, counted from 1, of the first passage on a page that answers; of a file where no page is known."""
    flags = _Flags(question, passages)
    right = flags.on_page if question.pages else flags.in_file
    return next((rank for rank, is_right in enumerate(right, start=1) if is_right), None)


class _Flags:
    """Which of a ranking's passages are right."""

    def __init__(self, question: Question, passages: Sequence[FoundPassage]) -> None:
        good = question.pages | question.also
        self.on_page = [not good.isdisjoint(passage.places) for passage in passages]
        self.in_file = [any(file in question.files for file in passage.files) for passage in passages]
        # Of a passage, the page that it begins on; its copies are the same page.
        pages = {passage.places[0]: is_good for passage, is_good in zip(passages, self.on_page, strict=True)}
        self.distinct = list(pages.values())
        first = {place for passage in passages[:FIRST_FOR_RECALL] for place in passage.places}
        self.recall = len(question.pages & first) / len(question.pages) if question.pages else 0.0


def _successes(flags: Sequence[Sequence[bool]], measures: Mapping[str, str]) -> list[Scores]:
    """Of rankings of which only is known what is right."""
    ranked = [[str(place) for place in range(len(ranking))] for ranking in flags]
    right = [{str(place): 1 for place, is_right in enumerate(ranking) if is_right} for ranking in flags]
    return _calculated(ranked, right, measures)


def _calculated(
    ranked: Sequence[Sequence[str]], right: Sequence[Mapping[str, int]], measures: Mapping[str, str]
) -> list[Scores]:
    """One a ranking; `measures` as ir_measures names them, to our names."""
    qrels = {str(number): {**grades} or {_NONE: 1} for number, grades in enumerate(right)}
    run = {
        str(number): {item: float(-place) for place, item in enumerate(ranking)}
        for number, ranking in enumerate(ranked)
    }
    parsed = {ir_measures.parse_measure(measure): name for measure, name in measures.items()}
    found: list[dict[str, float]] = [{} for _ in ranked]
    for metric in ir_measures.iter_calc(list(parsed), qrels, run):
        found[int(metric.query_id)][parsed[metric.measure]] = metric.value
    return list(found)
