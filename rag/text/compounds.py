"""German compounds taken apart: "Kündigungsfristen" holds "kundigungs" and "fristen"."""

from __future__ import annotations

import gc
import re
from array import array
from bisect import bisect_left
from functools import cache
from typing import Final

from rag.text.languages import folded

_SHORTEST: Final = 4  # of a part: shorter nouns are found inside of too many words
_LONGEST: Final = 16  # longer nouns are compounds themselves
_LINKS: Final = ("s", "es", "n", "en", "er", "e", "ens", "ns")  # Fugenelemente: Duden, "Die Grammatik"
_SHORT_NOUNS: Final = frozenset("amt ort rad rat tag uhr weg".split())  # noqa: SIM905
"""The three-letter nouns that many compounds end in."""
_NOT_FIRST: Final = frozenset(
    """
    besch durch eben gegen gegens gesell hinter kilo mate mini nach nicht ober ohne uber unter voraus wider wieder
    zuruck zwischen
    """.split()  # noqa: SIM905  # a list of words reads best as words
)
"""Beginnings that make a verb or a word of its own, not a compound of two nouns."""
_NOT_LAST: Final = frozenset(
    """
    anten ation barkeit dung enden enten haft heit ionen ions ismus keit lein nisse nisses schaft schaften ster
    tand toff
    """.split()  # noqa: SIM905
)
"""Endings that happen to be nouns as well."""
_SPELT_OUT: Final = re.compile(r"([aou])e")


def compound_parts(word: str) -> tuple[str, ...]:
    """The nouns that a folded German word is made of, inflected as they stand; none for a word that is no compound."""
    parts = _split(word) or _split(_SPELT_OUT.sub(r"\1", word))  # "Kuendigungsfrist"
    return tuple(dict.fromkeys(inner for part in parts for inner in (part, *compound_parts(part))))


def _split(word: str) -> list[str]:
    """Two parts, the last as long as it can be; or more where the first is a compound that is no noun on its own."""
    cuts = [i for i in range(_SHORTEST, len(word) - 2) if _is_last(word[i:])]
    for i in cuts:
        if not _is_first(word[:i]):
            continue
        linked = i + 1  # "Urlaubs-tage" rather than "Urlaub-stage": the s that links is the commoner one
        return [word[:linked], word[linked:]] if word[i] == "s" and linked in cuts else [word[:i], word[i:]]
    for i in cuts:
        first = word[:i]
        for link in ("", *_LINKS):
            if first.endswith(link) and (parts := _split(first[: len(first) - len(link)])):
                return [*parts, word[i:]]
    return []


def _is_last(part: str) -> bool:
    return part in _SHORT_NOUNS or (len(part) >= _SHORTEST and part not in _NOT_LAST and _is_noun(part))


def _is_first(part: str) -> bool:
    if part in _NOT_FIRST:
        return False
    if _is_noun(part) or any(_is_noun(part + ending) for ending in ("e", "en", "n")):  # Miet(e)-, Prüf(en)-, Liefer(n)-
        return True
    return any(part.endswith(link) and _is_noun(part[: len(part) - len(link)]) for link in _LINKS)


def _is_noun(word: str) -> bool:
    if not _SHORTEST <= len(word) <= _LONGEST:
        return False
    nouns, sought = _nouns(), hash(word)
    at = bisect_left(nouns, sought)
    return at < len(nouns) and nouns[at] == sought


@cache
def _nouns() -> array[int]:
    """The hashes of all German nouns in all their forms, ascending: 5 MB, where the words would take 60.

    Read when the first German text is met; it takes some seconds.
    """
    from simplemma.strategies.dictionaries.dictionary_factory import (  # noqa: PLC0415  # 0.2 s, for German alone
        DefaultDictionaryFactory,
    )

    words = DefaultDictionaryFactory(cache_max_size=1).get_dictionary("de")
    hashes = {hash(folded(word)) for word in words if _is_simple_noun(word)}
    del words
    gc.collect()  # the factory and its cache hold each other, and 130 MB
    return array("q", sorted(hashes))


def _is_simple_noun(word: str) -> bool:
    return _SHORTEST <= len(word) <= _LONGEST and word[0].isupper() and not word.isupper()
