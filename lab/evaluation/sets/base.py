"""What a set of questions is: the questions, where their answers stand, and the files that hold them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

Page: TypeAlias = tuple[str, int]
"""A file of the set, by its path with forward slashes, and a physical page of it, counted from 1."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question, and what answers it. Without any relevant file, nothing does."""

    id: str
    text: str
    files: Mapping[str, int] = field(default_factory=dict[str, int])
    """Each relevant file and its grade; 1 where the set knows no grades."""
    pages: frozenset[Page] = frozenset()
    """The pages that answer; empty where the set names whole files only."""
    also: frozenset[Page] = frozenset()
    """Further pages that are right when they are found, and are not missed when they are not."""
    answer: str = ""
    """What a right answer says, for judges; empty where the set does not tell."""

    @property
    def is_answerable(self) -> bool:
        """Whether some file answers it."""
        return bool(self.files)


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions that are scored together."""

    name: str
    questions: Sequence[Question]
    """Answerable ones."""
    unanswerable: Sequence[Question] = ()
    """Questions that no file answers."""
    skipped: int = 0
    """Questions that the set marks as unfit for scoring."""
    by_page: bool = True
    """Whether pages are scored; otherwise documents."""

    @property
    def all(self) -> Sequence[Question]:
        """The answerable ones, then the others."""
        return [*self.questions, *self.unanswerable]

    def first(self, limit: int | None) -> QuestionSet:
        """The first `limit` of each kind; all where there is no limit."""
        return replace(self, questions=self.questions[:limit], unanswerable=self.unanswerable[:limit])


@dataclass(frozen=True, slots=True)
class SetText:
    """A document of a set that comes as text, not as a file."""

    title: str
    body: str

    @property
    def whole(self) -> str:
        """Title and body, as baselines read them."""
        return f"{self.title} {self.body}".strip()


@dataclass(frozen=True, slots=True)
class QuestionCorpus:
    """What the questions of one folder are asked about, and those questions."""

    name: str
    """Made for names of folders and of drives: letters, digits, `-` and `_`."""
    source: Path
    """Where it was read from."""
    sets: Sequence[QuestionSet]
    """One, or more where a folder holds kinds of questions that are reported apart."""
    drive: Path | None = None
    """The folder of its files; None where it comes as texts."""
    texts: Mapping[str, SetText] = field(default_factory=dict[str, SetText])
    """By the path that each is given as a file."""
