"""A question in English as words: without politeness, contractions written out, phrases as one. Linear in time."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from rag.answering.likeness import words

_CONTRACTED: Final = (
    (re.compile(r"\bwon['’]t\b", re.IGNORECASE), "will not"),
    (re.compile(r"\bcan(?:['’]t|not)\b", re.IGNORECASE), "can not"),
    (re.compile(r"n['’]t\b", re.IGNORECASE), " not"),
    (re.compile(r"['’]re\b", re.IGNORECASE), " are"),
    (re.compile(r"['’]ll\b", re.IGNORECASE), " will"),
    (re.compile(r"['’]ve\b", re.IGNORECASE), " have"),
    (re.compile(r"(?<=\b(?:who|how))['’]d\b|(?<=\b(?:what|when))['’]d\b|(?<=\bwhere)['’]d\b", re.IGNORECASE), " did"),
    (re.compile(r"['’]d\b", re.IGNORECASE), " would"),
    (re.compile(r"['’]m\b", re.IGNORECASE), " am"),
    (
        re.compile(
            r"\b(what|when|where|who|why|how|how (?:long|much|many|often|far)|it|there|that)['’]s\b", re.IGNORECASE
        ),
        r"\1 is",
    ),
    (re.compile(r"['’]s?\b|(?<=s)['’]", re.IGNORECASE), ""),
)
_FRAME: Final = re.compile(rf"(?:(?:{'|'.join(words.FRAMES)})\b[\s,:;.!–—-]*)+", re.IGNORECASE)
_WHETHER: Final = re.compile(r"(?:whether|if)\b\s*", re.IGNORECASE)
_END_FRAME: Final = re.compile(rf"[\s,.?!–—-]*\b(?:{words.END_FRAMES})[\s.!?]*$", re.IGNORECASE)
_THOUSANDS: Final = re.compile(r"(?<=\d)[,'’](?=\d{3}(?!\d))")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_TOKEN: Final = re.compile(
    r"(?:(?<!\w)[-+−](?=\d))?(?:[^\W_]*\d[^\W_]*|[^\W_]+-[^\W_]*\d)[-\w./:]*[^\W_]"  # codes, and numbers with a sign
    r"|(?:(?<!\w)[-+−])?\d+(?:[.:/]\d+)*|[^\W_]+(?:[./][^\W_]+)*"
    r"|[,;:–—]|(?<=\s)-(?=\s)"
    rf"|[^\w\s{words.SILENT}]"  # C++ is not C#
)
BREAKS: Final = frozenset(",;:–—-")
_SIGNS: Final = {"%": "percent", "€": "euro", "$": "dollar", "£": "pound"}
_LONGEST_PHRASE: Final = 4
_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])[-‐‑](?=[^\W\d_])")  # of two words; that of a code stays
_CODE_JOINT: Final = re.compile(r"(?<=[^\W_])[-‐‑](?=[^\W_])")
_JOINT: Final = "·"


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a sign, or a break."""

    text: str
    is_capital: bool
    stands_out: bool
    """It is written as a name where another word would not be: "May" amid a question, "IT" anywhere."""


def is_english(question: str, known: Collection[str] = ()) -> bool:
    """Whether more of its small words are English than of other languages; of one with none, whether all are known."""
    lowered = [word.casefold() for word in _LETTERS.findall(question)]
    english = sum(word in words.ENGLISH for word in lowered)
    is_latin = question.isascii() or all(
        "LATIN" in unicodedata.name(character, "") for word in lowered for character in word
    )
    foreign = sum(word in words.FOREIGN for word in lowered)
    return is_latin and (english > foreign or (foreign == 0 and all(word in known for word in lowered)))


def words_of(question: str) -> tuple[list[Token], bool]:
    """The question's words and breaks in order, and whether it hangs on "whether": "do you know if …"."""
    text = unicodedata.normalize("NFKC", question).replace("…", " ")
    for pattern, plain in _CONTRACTED:
        text = pattern.sub(plain, text)
    text = _END_FRAME.sub("", _THOUSANDS.sub("", text).strip())
    frame = _FRAME.match(text)
    text = text[frame.end() :] if frame else text
    whether = _WHETHER.match(text)
    return _phrased(_tokens(text[whether.end() :] if whether else text)), whether is not None


def _tokens(text: str) -> list[Token]:
    text = _CODE_JOINT.sub(_JOINT, _HYPHEN.sub(" ", text)).replace(_JOINT, "-")
    shouts = text.isupper()
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        raw = match[0]
        begins = not found or found[-1].text in BREAKS
        capital = raw[:1].isupper() and not shouts
        stands_out = (raw.isupper() and len(raw) > 1) or not begins
        found.append(Token(_SIGNS.get(raw, raw.casefold()), capital, capital and stands_out and raw != "I"))
    return found


def _phrased(tokens: Sequence[Token]) -> list[Token]:
    """Words that belong together as one."""
    made: list[Token] = []
    at = 0
    while at < len(tokens):
        for length in range(_LONGEST_PHRASE, 1, -1):
            run = tokens[at : at + length]
            plain = words.PHRASES.get(" ".join(token.text for token in run))
            if len(run) == length and plain is not None:
                made += [Token(word, is_capital=False, stands_out=False) for word in plain.split()]
                at += length
                break
        else:
            made.append(tokens[at])
            at += 1
    return made
