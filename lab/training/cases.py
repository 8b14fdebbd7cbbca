"""Each question with its candidates, asked of a drive that holds its answer, and of some that do not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from lab.training.corpus import Kind, TrainingQuestion
from lab.training.index import TrainingIndex
from rag.retrieval.base import Candidate
from rag.retrieval.ranking.features import CandidateTable

EACH: Final = 60
"""Candidates that each of the two searches brings in."""
_RRF_K: Final = 60  # as in rag.retrieval
_BELONGS: Final = 0.5  # of the chunk, or of the answer, that lie in each other


class Case(StrEnum):
    """What the drive holds of the answer."""

    PRESENT = "present"
    REMOVED = "removed"
    """The passages of the answer are taken out; others of the drive may answer all the same."""
    OFF_SUBJECT = "off_subject"
    """It is asked of a drive about something else."""
    ALTERED = "altered"
    """One of the question's rarest words is exchanged."""


@dataclass(frozen=True, slots=True)
class CaseQuestion:
    """One question in one case."""

    case: Case
    kind: Kind
    family: str
    table: CandidateTable
    """The candidates in the order of reciprocal rank fusion."""
    answers: npt.NDArray[np.bool_]
    """Which of them do."""


@dataclass(frozen=True, slots=True)
class TrainingDrive:
    """The documents of one family, as an index, and what is asked about them."""

    family: str
    index: TrainingIndex
    altered: Sequence[str | None]
    """Each question with one word exchanged, where it has one to spare."""

    def texts(self) -> list[str]:
        """Whatever is compared by meaning."""
        others = [other for other in self.altered if other is not None]
        questions = [question.text for question in self.index.corpus.questions]
        return [*(chunk.searchable for chunk in self.index.chunks), *questions, *others]


Vectors = Mapping[str, npt.NDArray[np.float32]]
"""By text."""


def cases(drive: TrainingDrive, elsewhere: TrainingDrive, vectors: Vectors) -> Iterator[CaseQuestion]:
    """Each question in each case that it has. `elsewhere`: a drive about something else."""
    here, there = _Asking(drive, vectors), _Asking(elsewhere, vectors)
    of_document: dict[int, list[int]] = defaultdict(list)
    for number, chunk in enumerate(drive.index.chunks):
        of_document[int(chunk.document.id)].append(number)
    for question, other in zip(drive.index.corpus.questions, drive.altered, strict=True):
        answers = {i for i in of_document[question.document] if _answers(drive.index, i, question)}
        asked = {
            Case.PRESENT: here.table(question.text),
            Case.REMOVED: here.table(question.text, without=answers),
            Case.OFF_SUBJECT: there.table(question.text),
        }
        if other is not None:
            asked[Case.ALTERED] = here.table(other)
        for case, (table, order) in asked.items():
            right = np.array([case is Case.PRESENT and i in answers for i in order], dtype=np.bool_)
            yield CaseQuestion(case, question.kind, drive.family, table, right)


class _Asking:
    """Asks one drive."""

    def __init__(self, drive: TrainingDrive, vectors: Vectors) -> None:
        self._index = drive.index
        self._vectors = vectors
        self._chunks = np.stack([vectors[chunk.searchable] for chunk in drive.index.chunks])

    def table(self, text: str, *, without: Collection[int] = ()) -> tuple[CandidateTable, list[int]]:
        """The candidates, and their numbers."""
        dense, bm25 = self._chunks @ self._vectors[text], self._index.bm25(text)
        gone = list(without)
        dense[gone] = bm25[gone] = -1.0
        order = _fused(dense, bm25)
        candidates = [Candidate(self._index.chunks[i], float(dense[i]), max(float(bm25[i]), 0.0)) for i in order]
        return CandidateTable(text, self._index.query_terms(text), candidates, self._index.tokenize), order


def _answers(index: TrainingIndex, number: int, question: TrainingQuestion) -> bool:
    """Whether a chunk lies in the answer for the most part, or holds most of it."""
    span = index.chunks[number].spans[0]
    shared = min(span.end, question.end) - max(span.start, question.start)
    return shared >= _BELONGS * min(span.end - span.start, question.end - question.start)


def _fused(dense: npt.NDArray[np.float32], bm25: npt.NDArray[np.float64]) -> list[int]:
    """The candidates of both searches, by reciprocal rank."""
    scores: dict[int, float] = defaultdict(float)
    for ranking in (dense, bm25):
        for place, number in enumerate(np.argsort(-ranking, kind="stable")[:EACH].tolist(), start=1):
            if ranking[number] > 0:
                scores[number] += 1 / (_RRF_K + place)
    return sorted(scores, key=lambda number: (-scores[number], number))
