"""A question read into what decides its answer: what is asked, how it is shaded, which words, led by what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rag.answering.likeness import words
from rag.answering.likeness.stems import stem
from rag.answering.likeness.tokens import BREAKS, Token, words_of

_YEAR: Final = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Term:
    """A word that decides."""

    written: str
    """In small letters."""
    sense: str
    """The same for its forms."""
    meaning: str
    """The same for its synonyms, too."""
    is_name: bool
    """Written with a capital: its forms are names of others."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A question in English."""

    asks: frozenset[str]
    """What it asks for: "who", "when" …; "whether" where it wants yes or no; nothing where it asks for a thing."""
    shades: frozenset[str]
    """Denial, tense, permission, duty, who acts: a change of them changes the answer."""
    terms: tuple[Term, ...]
    """All words that decide, in the order of a plain statement."""
    wanted: int
    """How many of them, the last ones, stand with the word that asks: these move when a sentence is turned round."""
    is_open: bool
    """No verb of ours ends them: in "tell me what the nut needs" they run on into the rest."""
    led: frozenset[tuple[str, str]]
    """Prepositions and the meanings that they lead."""
    is_fronted: bool
    """Something was put in front of the question, before a comma or a colon."""
    is_careful: bool
    """It begins with a capital, as by a writer who gives names theirs."""


def read(question: str) -> Wording:
    """The question, in English, as what decides its answer."""
    tokens, asks_whether = words_of(question)
    is_careful = question[:1].isupper() and not question.isupper()
    return _Reader(tokens, asks_whether=asks_whether, is_careful=is_careful).read()


class _Reader:
    """Walks once over the words of a question."""

    def __init__(self, tokens: Sequence[Token], *, asks_whether: bool, is_careful: bool) -> None:
        self._tokens = tokens
        self._is_careful = is_careful
        self._asks = {"whether"} if asks_whether else set[str]()
        self._shades: set[str] = set()
        self._told: list[Term] = []
        self._wanted: list[Term] = []
        self._led: set[tuple[str, str]] = set()
        self._lead = ""
        self._in_wanted = False
        self._is_open = True
        self._behind_of: int | None = None
        self._chunk = 0
        self._fronted = False
        self._broke = False
        said = {token.text for token in tokens}
        self._voice = "passive" if said & words.BEING else "perfect" if said & words.HAVING else "past"
        self._helpers: list[str] = []
        self._does = bool(said & {"do", "does", "did"})

    def read(self) -> Wording:
        begins = True
        asked_what = False
        before = ""
        for token, behind in zip(self._tokens, [*self._tokens[1:], None], strict=False):
            text = token.text
            if text in BREAKS:
                self._break()
                self._broke = True
                self._fronted = self._fronted or bool(self._told)
                begins = True
                continue
            if begins and text in words.AUXILIARIES:
                self._asks.add("whether")
            asked_what = asked_what or text in words.ANY_WHAT
            self._take(token, behind, before)
            begins, before = False, text
        self._break()
        if asked_what or self._asks - {"whether"}:
            self._asks.discard("whether")
        if self._fronted:
            self._shades.discard("others")
        if self._broke and any(term.written == "or" for term in (*self._told, *self._wanted)):
            self._shades.add("choice")
        if "who" in self._asks:
            self._shades.add(f"who {self._voice_of(self._helpers[:1])}")
        if self._wanted and ("how-many" in self._asks or not self._is_open):
            for part in (self._told, self._wanted):
                part[:] = [term for term in part if term.written not in words.HOLDING]
        terms = (*self._told, *self._wanted)
        return Wording(
            frozenset(self._asks),
            frozenset(self._shades),
            terms,
            len(self._wanted),
            self._is_open,
            frozenset(self._led),
            self._fronted,
            self._is_careful,
        )

    @staticmethod
    def _voice_of(helper: Sequence[str]) -> str:
        kinds = (("is", words.BEING), ("has", words.HAVING), ("does", frozenset({"do", "does", "did"})))
        return next((kind for kind, forms in kinds if not forms.isdisjoint(helper)), "")

    def _take(self, token: Token, behind: Token | None, before: str) -> None:
        text = token.text
        is_main = (text == "do" and _ends_clause(behind)) or (text == "have" and self._does)
        if is_main and self._helpers:
            self._keep(Term(text, text, text, is_name=False))
        elif text in words.VERBS and self._does and before not in words.ARTICLES and _ends_clause(behind):
            self._keep(Term(text, stem(text), stem(words.VERBS[text]), is_name=False))
        else:
            self._place(token, before)

    def _place(self, token: Token, before: str) -> None:
        text = token.text
        if token.stands_out or (before in words.LETTERED and (len(text) == 1 or text == "one")):
            self._keep(
                self._term(token, before) if text.isalpha() and len(text) > 1 else Term(text, text, text, is_name=True)
            )
        elif text in words.ASKS or text in words.ANY_WHAT:
            self._ask(text)
        elif text in words.SHADES or text in words.AUXILIARIES:
            self._shades.update({words.SHADES[text]} if text in words.SHADES else ())
            self._helpers.append(text)
            self._is_open = self._is_open and not self._in_wanted
            self._break()
        elif text in words.LOOSE or text in words.FIRM:
            if before in words.BEING:
                self._shades.add(f"is {text}")
            self._lead_by(text)
        elif text in words.ARTICLES:
            self._begin_name()
        elif text not in words.DROPPED:
            if text in words.PERIODS:
                self._break()
            self._keep(self._term(token, before))

    def _ask(self, text: str) -> None:
        if text in words.ASKS:
            self._asks.add(text)
            if self._lead in words.FIRM or self._lead == "to":
                self._led.add((self._lead, "?"))
        self._lead = ""
        self._break()
        self._in_wanted = text in words.NAMING

    def _lead_by(self, text: str) -> None:
        if text == "of":
            self._behind_of = None if self._in_wanted else len(self._told)
        else:
            self._break()
            self._lead = text

    def _begin_name(self) -> None:
        if self._behind_of is None:
            self._chunk = len(self._told)
        elif self._behind_of < len(self._told):
            self._break()

    def _term(self, token: Token, before: str) -> Term:
        sense = stem(token.text)
        is_adjective = before in words.ARTICLES or before in words.LOOSE or before in words.FIRM
        is_past = sense != token.text and token.text.endswith("ed")
        if (is_past or (token.text in words.UNCHANGED and self._voice != "past")) and not is_adjective:
            self._shades.add(self._voice)
        meaning = _MEANINGS.get(sense, sense)
        return Term(token.text, sense, meaning, is_name=token.is_capital)

    def _keep(self, term: Term) -> None:
        is_year = _YEAR.fullmatch(term.written) and self._lead in words.PLACES[0]  # "in 2026" is "of 2026"
        if self._lead and not is_year:
            self._led.add((self._lead, term.meaning))
        self._lead = ""
        (self._wanted if self._in_wanted else self._told).append(term)

    def _break(self) -> None:
        """The end of a chunk of words: "weight of the frame" is turned into "frame weight"."""
        if self._behind_of is not None and self._behind_of < len(self._told):
            head, tail = self._told[self._chunk : self._behind_of], self._told[self._behind_of :]
            if not tail[0].written.isdigit():  # "the third quarter of 2024"
                self._told[self._chunk :] = [*tail, *head]
        if self._lead:
            self._led.add((self._lead, ""))
        self._behind_of = None
        self._in_wanted = False
        self._chunk = len(self._told)
        self._lead = ""


def _ends_clause(behind: Token | None) -> bool:
    """Whether the verb before it has all that it asks for."""
    if behind is None:
        return True
    text = behind.text
    return text in BREAKS or text in words.LOOSE or text in words.FIRM or text in words.PERIODS


_MEANINGS: Final = {stem(word): stem(meaning) for word, meaning in words.SYNONYMS.items()}
