"""Two questions held against each other: whether anything that decides the answer differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from rag.answering.likeness import words
from rag.answering.likeness.any_language import are_same
from rag.answering.likeness.stems import stem
from rag.answering.likeness.tokens import is_english
from rag.answering.likeness.wording import Term, Wording, read

_SLIP_LETTERS: Final = 5
"""A word has at least so many letters to be taken for a misspelt one."""
_SLIPS: Final = 2
_WHENS: Final = frozenset({"when", "when-time", "when-date"})


class Likeness(IntEnum):
    """How near two questions are; the larger, the nearer."""

    DIFFERENT = 0
    """Something that decides the answer differs, or may."""
    SENSE = 1
    """Each word has its like, if by a synonym or past a slip of the pen."""
    WORDS = 2
    """The same words that decide, in forms and an order that change nothing."""


@dataclass(frozen=True, slots=True)
class Read:
    """A question that has been read, to be held against many."""

    question: str
    english: Wording | None
    """None where it is in another language."""


def read_question(question: str, *, known: Collection[str] = ()) -> Read:
    """The question as far as likeness needs it. `known`: words of English, that are no slips of the pen."""
    return Read(question, read(question) if is_english(question, known) else None)


def likeness(one: Read, other: Read, *, known: Collection[str] = ()) -> Likeness:
    """How near two questions are, by their words alone; those that are not in English are alike only word by word."""
    if one.question == other.question:
        return Likeness.WORDS
    if one.english is not None and other.english is not None:
        return _likeness(one.english, other.english, known)
    return Likeness.WORDS if are_same(one.question, other.question) else Likeness.DIFFERENT


def _likeness(one: Wording, other: Wording, known: Collection[str]) -> Likeness:
    if one.shades != other.shades or not _ask_alike(one.asks, other.asks) or not _led_alike(one.led, other.led):
        return Likeness.DIFFERENT
    paired = _paired(one, other, known) if one.terms else None
    if paired is None or not _in_like_order(one, other, paired[0]):
        return Likeness.DIFFERENT
    return paired[1]


def _ask_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    if one - _WHENS != other - _WHENS:
        return False
    mine, theirs = one & _WHENS, other & _WHENS
    return bool(mine) == bool(theirs) and len((mine | theirs) - {"when"}) <= 1


def _led_alike(one: frozenset[tuple[str, str]], other: frozenset[tuple[str, str]]) -> bool:
    """Whether the same words are led, by the same prepositions or such as stand for one another."""
    return {(_ROLES.get(lead, lead), word) for lead, word in one} == {
        (_ROLES.get(lead, lead), word) for lead, word in other
    }


_ROLES: Final = {lead: min(alike) for alike in words.PLACES for lead in alike}


def _paired(one: Wording, other: Wording, known: Collection[str]) -> tuple[dict[int, int], Likeness] | None:
    """Each term's place in the other question, and the least likeness among the pairs; None where one is alone."""
    if len(one.terms) != len(other.terms):
        return None
    right = [term.written for asked in (one, other) if asked.is_careful for term in asked.terms]
    known = {word for word in right if _is_known(word, known)}
    pairs: dict[int, int] = {}
    counts: Counter[Likeness] = Counter()
    slips = 0
    for match, nearness in _MATCHES:
        for place, term in enumerate(one.terms):
            free = [i for i in range(len(other.terms)) if i not in pairs.values()]
            found = next((i for i in free if match(term, other.terms[i], known)), None)
            if place not in pairs and found is not None:
                pairs[place] = found
                counts[nearness] += 1
                slips += match is _slip
    if len(pairs) < len(one.terms) or slips > _SLIPS:
        return None
    return pairs, min(counts, default=Likeness.WORDS)


def _is_known(word: str, known: Collection[str]) -> bool:
    """Whether it is a word that is known, or the plural of one."""
    return word in known or (word.endswith("s") and word[:-1] in known)


def _same_word(one: Term, other: Term, _: Collection[str]) -> bool:
    return one.written == other.written or (one.sense == other.sense and not (one.is_name or other.is_name))


def _same_meaning(one: Term, other: Term, _: Collection[str]) -> bool:
    return one.meaning == other.meaning and not (one.is_name or other.is_name)


def _slip(one: Term, other: Term, known: Collection[str]) -> bool:
    """Whether one is a word that is known and the other the same, misspelt; never a name, never a code."""
    if one.is_name or other.is_name or not (one.written.isalpha() and other.written.isalpha()):
        return False
    if (one.written in known) == (other.written in known):
        return False
    return min(len(one.written), len(other.written)) >= _SLIP_LETTERS and _one_slip(one.written, other.written)


def _one_slip(one: str, other: str) -> bool:
    """One letter too many, or two neighbours in each other's place, behind the first letter."""
    if len(one) == len(other):
        differing = [i for i in range(len(one)) if one[i] != other[i]]
        if len(differing) != 2 or differing[1] != differing[0] + 1:  # noqa: PLR2004  # two letters
            return False
        first, second = differing
        return first > 0 and one[first] == other[second] and one[second] == other[first]
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return len(longer) == len(shorter) + 1 and any(
        longer[:i] + longer[i + 1 :] == shorter for i in range(1, len(longer))
    )


_MATCHES: Final[Sequence[tuple[Callable[[Term, Term, Collection[str]], bool], Likeness]]] = (
    (_same_word, Likeness.WORDS),
    (_same_meaning, Likeness.SENSE),
    (_slip, Likeness.SENSE),
)
"""The nearest first."""


def _in_like_order(one: Wording, other: Wording, pairs: dict[int, int]) -> bool:
    """Whether who does what to whom is the same, as far as order tells."""
    turns = one.is_fronted or other.is_fronted
    mine, theirs = _told_and_wanted(one), _told_and_wanted(other)
    if all(_in_order([pairs[i] for i in mine[part]], theirs[part], turns=turns and part == 0) for part in (0, 1)):
        return True
    if one.wanted and other.wanted and not (one.is_open or other.is_open):
        return False
    return any(
        _in_order([pairs[place] for place in order], as_theirs, turns=turns)
        for order in (mine[0] + mine[1], mine[1] + mine[0])
        for as_theirs in (theirs[0] + theirs[1], theirs[1] + theirs[0])
    )


def _told_and_wanted(asked: Wording) -> tuple[list[int], list[int]]:
    """The places of both, without words that may stand anywhere."""
    places = [place for place, term in enumerate(asked.terms) if term.meaning not in _ANYWHERE]
    border = len(asked.terms) - asked.wanted
    return [place for place in places if place < border], [place for place in places if place >= border]


_ANYWHERE: Final = {stem(word) for word in words.PERIODS}


def _in_order(one: Sequence[int], other: Sequence[int], *, turns: bool) -> bool:
    """Whether the words stand in one order in both; where it `turns`, some from the end may stand in front."""
    return list(one) == list(other) or (turns and any([*one[i:], *one[:i]] == list(other) for i in range(len(one))))
