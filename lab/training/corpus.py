"""Documents and questions out of manuals: what is asked (by people, headings, sentences), and where it is answered."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

from lab.training.manuals import ManualSection, read_manual
from lab.training.sources import SOURCES, PackageSource

SEED: Final = 7
_SHORTEST_ANSWER: Final = 80
_LONGEST_SECTION: Final = 12_000
_ASKABLE: Final = 300  # characters of a section that a heading or a sentence of its own can ask for
_SHARE: Final = 0.45  # of the sections of manuals that are asked for by their heading, and by a sentence
_HEADING_WORDS: Final = 3
_SENTENCE_WORDS: Final = 8
_SENTENCE_CHARS: Final = range(60, 240)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")


class Kind(StrEnum):
    """How a question came to be."""

    ASKED = "asked"
    """The heading of an entry of a FAQ, which is taken out of the document."""
    HEADING = "heading"
    """The heading of a section, which is taken out."""
    SENTENCE = "sentence"
    """A sentence of a section, which is taken out (inverse cloze task: Lee, Chang & Toutanova, ACL 2019, sec. 4)."""


@dataclass(frozen=True, slots=True)
class TrainingDocument:
    """One file, without the questions that are asked of it."""

    family: str
    title: str
    text: str
    """Markdown."""


@dataclass(frozen=True, slots=True)
class TrainingQuestion:
    """A question whose answer is documents[document].text[start:end]."""

    kind: Kind
    text: str
    document: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TrainingCorpus:
    """All that is learned from."""

    documents: tuple[TrainingDocument, ...]
    questions: tuple[TrainingQuestion, ...]

    def drives(self) -> dict[str, TrainingCorpus]:
        """A corpus for each family: what a team's drive is, one subject from many sides."""
        found: dict[str, TrainingCorpus] = {}
        for family in dict.fromkeys(document.family for document in self.documents):
            numbers = [i for i, document in enumerate(self.documents) if document.family == family]
            places = {number: place for place, number in enumerate(numbers)}
            found[family] = TrainingCorpus(
                tuple(self.documents[number] for number in numbers),
                tuple(
                    replace(question, document=places[question.document])
                    for question in self.questions
                    if question.document in places
                ),
            )
        return found


def build_corpus(folder: Path) -> TrainingCorpus:
    """The corpus of the packages that are unpacked below `folder`; the same each time. Raises OSError."""
    chance = random.Random(SEED)  # noqa: S311  # no secret
    documents: list[TrainingDocument] = []
    questions: list[TrainingQuestion] = []
    asked: set[str] = set()
    for source in SOURCES:
        for path in _files(source, folder):
            manual = read_manual(path)
            writer = _DocumentWriter(len(documents), manual.title, asked, chance)
            for section in manual.sections:
                writer.add(section, asks=source.asks)
            documents.append(TrainingDocument(source.family, f"{source.title}{manual.title}", "".join(writer.parts)))
            questions += writer.questions
    return TrainingCorpus(tuple(documents), tuple(questions))


def _files(source: PackageSource, folder: Path) -> Iterator[Path]:
    """In the order of names, until there are enough characters."""
    chars = 0
    for path in sorted((folder / source.package / source.folder).glob(source.pattern)):
        if path.name.startswith("index") or (not source.asks and "faq" in path.name.lower()):
            continue
        if chars > source.most_chars:
            return
        chars += path.stat().st_size // 2  # about half is mark-up
        yield path


class _DocumentWriter:
    """Puts one document together, and takes out of it what becomes a question."""

    def __init__(self, number: int, title: str, asked: set[str], chance: random.Random) -> None:
        self._number = number
        self._title = title
        self._asked = asked
        self._chance = chance
        self._length = 0
        self.parts: list[str] = []
        self.questions: list[TrainingQuestion] = []

    def add(self, section: ManualSection, *, asks: bool) -> None:
        """One section; an entry that was met before, in a printable edition, is left out."""
        text = section.text[:_LONGEST_SECTION]
        is_question = asks and "?" in section.heading
        if is_question and section.heading in self._asked:
            return
        kind, question, text = self._question(section, text, is_question=is_question, asks=asks)
        if kind in {None, Kind.SENTENCE} and not is_question and section.heading not in {"", self._title}:
            self._put(f"{'#' * min(max(section.level, 2), 5)} {section.heading}\n\n")
        if kind is not None:
            self._asked.add(question)
            self.questions.append(
                TrainingQuestion(kind, question, self._number, self._length, self._length + len(text))
            )
        self._put(f"{text}\n\n")

    def _question(
        self, section: ManualSection, text: str, *, is_question: bool, asks: bool
    ) -> tuple[Kind | None, str, str]:
        """What is asked for the section, and its text without that."""
        if is_question:
            return (Kind.ASKED if len(text) > _SHORTEST_ANSWER else None), section.heading, text
        if asks or len(text) <= _ASKABLE:
            return None, "", text
        throw = self._chance.random()
        if throw < _SHARE and section.heading != self._title and len(_WORD.findall(section.heading)) >= _HEADING_WORDS:
            return Kind.HEADING, section.heading, text
        sentences = [sentence for sentence in _SENTENCE_END.split(text) if _is_askable(sentence)]
        if _SHARE <= throw < 2 * _SHARE and sentences:
            sentence = self._chance.choice(sentences)
            return Kind.SENTENCE, " ".join(sentence.split()), text.replace(sentence, "", 1)
        return None, "", text

    def _put(self, text: str) -> None:
        self.parts.append(text)
        self._length += len(text)


def _is_askable(sentence: str) -> bool:
    return (
        len(sentence) in _SENTENCE_CHARS and "\n\n" not in sentence and len(_WORD.findall(sentence)) >= _SENTENCE_WORDS
    )
