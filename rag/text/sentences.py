"""Where sentences begin, in any language and without being told which.

Rules and lists of our own: of the libraries, the accurate one takes time that grows with the square of the text and
wants to know the language, the fast ones know only English, or no abbreviations.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from rag.text.abbreviations import (
    BEFORE_MORE,
    BEFORE_NUMBERS,
    BEFORE_ORDINALS,
    COMPANIES,
    MONTHS_BEHIND_DAYS,
    OPENERS,
)
from rag.text.scripts import CJK

_CLOSERS: Final = r"\"'”’»›)\]}」』】》〉”’）*_"
_END: Final = re.compile(
    rf"""
      (?P<stop>(?<![.!?…‥])[.!?…‥]++)                # with white space behind it, or in a text without spaces
      (?:[{_CLOSERS}“‘«‹⁰-⁹¹²³]|\[\d{{1,3}}\])*+         # quotes, brackets, emphasis, the number of a note
      (?:[ \u00a0\u202f]»(?=\s|\Z))?                 # French sets its quotes apart
    | (?P<full>[。！？｡．؟۔।॥።፧။។៕]++)[{_CLOSERS}]*+   # with anything behind it
    | (?:(?<=[\u0370-\u03ff\u1f00-\u1fff])[;\u037e]|[։།༎]++)(?=\s|\Z)   # the Greek question mark among them
    """,
    re.VERBOSE,
)
_WIDE_SIGN: Final = re.compile(f"[{CJK}]")
_SPACE: Final = re.compile(r"\s*")
_WORD: Final = re.compile(r"[^\W\d_](?:[\w.º'’&-]*[\wº])?")
_LEADING: Final = re.compile(r"[\s\"'“”‘’«»„‚‹›(\[{*_–—•#>-]*")
_MARKS: Final = " \t#>*+-"
_ROMAN: Final = re.compile(r"[IVXLC]+\b")
_LETTERS: Final = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_MARKER: Final = re.compile(r"(?:[-*+•–>|#]|\d{1,3}[.)]|\(?[a-z]\))(?=\s)|[|#]")
_LONGEST_WORD: Final = 24
_LONGEST_LINE: Final = 400
"""Characters of a line that are looked at."""
_FULL_LINE: Final = 50
"""Columns from which a line may have been broken for want of room, and not because something ends."""
_LONGEST_ORDINAL: Final = 2
"""Digits of a day, or of a place in an order."""
_DOTS: Final = 3
_OPENING_QUESTIONS: Final = "¿¡"
_PARTICLES: Final = re.compile(r"[\u3040-\u309f]")


def sentence_starts(text: str, start: int, end: int) -> Iterator[int]:
    """The places in (start, end] at which a sentence begins or nothing is left to come, ascending.

    Line breaks are white space here. Linear in the length of text[start:end].
    """
    for found in _END.finditer(text, start, end):
        after = found.end()
        if found["stop"] is not None:
            ends = _stop_ends(text, found)
        elif found["full"] is not None:
            ends = _full_stop_ends(text, found)
        else:
            ends = True
        if ends:
            space = _SPACE.match(text, after, end)
            yield after if space is None else space.end()


def line_starts(text: str, start: int, end: int) -> Iterator[int]:
    """The places in (start, end] behind a line break at which something new begins, ascending."""
    at = text.find("\n", start, end)
    while at >= 0:
        if begins_afresh(text, at + 1):
            yield at + 1
        at = text.find("\n", at + 1, end)


def begins_afresh(text: str, at: int) -> bool:
    """Whether the line that begins at `at` is more than what found no room on the line before."""
    earliest = max(0, at - 1 - _LONGEST_LINE)
    before = text[max(text.rfind("\n", earliest, at - 1) + 1, earliest) : at - 1]
    here = text[at : at + _LONGEST_LINE].split("\n", 1)[0]
    said, comes = before.strip(), here.strip()
    if not said or not comes or before.endswith(("  ", "\\")):
        return True
    if said[0] in "#|" or said[-1] in ":|" or "\t" in said or _MARKER.match(comes):
        return True
    if comes[0].islower():
        return False
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in said) < _FULL_LINE


def _stop_ends(text: str, found: re.Match[str]) -> bool:
    """Whether "." and its like end a sentence here."""
    signs, at, after = found["stop"], found.start(), found.end()
    if after < len(text) and not text[after].isspace():
        is_between = at > 0 and _WIDE_SIGN.match(text, at - 1) and _WIDE_SIGN.match(text, after)
        return bool(is_between) and signs[-1] in ".!?"
    following = text[after : after + 2 * _LONGEST_WORD]
    leading = _LEADING.match(following)
    comes = following[leading.end() :] if leading else following
    if not comes or comes[0] in _OPENING_QUESTIONS:
        return True
    if comes[0].islower() or comes[0] in ",;:":
        return False
    if len(signs) > _DOTS and "." in signs:  # leaders of a table of contents
        return not comes[0].isdigit()
    return signs != "." or _full_word_ends(text, at, comes)


def _full_word_ends(text: str, at: int, comes: str) -> bool:
    """Whether the word before the single full stop at `at` is none that is shortened, with `comes` behind."""
    word, begins = _word_before(text, at)
    if not word:
        return True
    found = _WORD.match(comes)
    following = found[0].casefold() if found else ""
    if word.replace(".", "").isdigit():
        return _number_ends(text, word, begins, following)
    match word.casefold():
        case more if more in BEFORE_MORE:
            ends = False
        case letters if _LETTERS.fullmatch(letters):  # an initial, what stands for words, or a unit behind a number
            ends = following in OPENERS or (len(word) == 1 and word.islower() and _follows_number(text, begins))
        case numbered if _is_before_number(numbered):
            ends = not (comes[0].isdigit() or _ROMAN.match(comes))
        case company if company in COMPANIES:
            ends = following not in COMPANIES and not comes.startswith("&")
        case _:
            ends = not (_ROMAN.fullmatch(word) and _is_marker(text, begins))
    return ends


def _follows_number(text: str, begins: int) -> bool:
    return _word_left_of(text, begins)[-1:].isdigit()


def _number_ends(text: str, word: str, begins: int, following: str) -> bool:
    """Whether a number with a full stop behind it is one, and not a place in an order."""
    if _is_marker(text, begins):
        return False
    if len(word) > _LONGEST_ORDINAL:
        return True
    return following not in MONTHS_BEHIND_DAYS and _word_left_of(text, begins).casefold() not in BEFORE_ORDINALS


def _is_marker(text: str, begins: int) -> bool:
    """Whether what begins here numbers what follows: it begins a line or a sentence."""
    left = text[max(0, begins - _LONGEST_WORD) : begins]
    line = left.rsplit("\n", 1)[-1].strip(_MARKS)
    if not line or not left[-1].isspace():
        return not line
    if line[-1] != ".":
        return line[-1] in "!?:;"
    word = _word_before(text, begins - (len(left) - left.rindex(".")))[0].casefold()
    return len(word) > _LONGEST_ORDINAL and not _is_before_number(word) and word not in BEFORE_MORE


def _is_before_number(word: str) -> bool:
    return word in BEFORE_NUMBERS or word.endswith("str")  # the end of many a German street


def _word_left_of(text: str, at: int) -> str:
    """The word before the white space before `at`."""
    left = text[max(0, at - _LONGEST_WORD) : at]
    return _word_before(text, at - (len(left) - len(left.rstrip())))[0]


def _word_before(text: str, at: int) -> tuple[str, int]:
    """The word that ends at `at`, with full stops inside it, and where it begins; empty when it is a long one."""
    begins = at
    while begins > 0 and (text[begins - 1].isalnum() or text[begins - 1] in ".º"):
        begins -= 1
        if at - begins > _LONGEST_WORD:
            return "", at
    return text[begins:at].lstrip("."), begins


def _full_stop_ends(text: str, found: re.Match[str]) -> bool:
    """Whether a sign that ends sentences without a space ends one here: not in "「はい。」と言った" or "１．５"."""
    after = found.end()
    if after >= len(text) or text[after].isspace():
        return True
    if found["full"].endswith("．") and text[after].isdigit():
        return False
    closed = found.end("full") < after
    if closed and text[after - 1] in "”’\"'":
        return not _WIDE_SIGN.match(text, after)
    return not (closed and _PARTICLES.match(text[after]))
