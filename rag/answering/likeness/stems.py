"""English words without their endings: fewer are cut than for a search, where likeness does no harm. Pure."""

from __future__ import annotations

from typing import Final

_SHORT: Final = 3


def stem(word: str) -> str:
    """The word without the endings of number, tense and person.

    No other is cut: an employer is no employee, and who is training is not trained.
    """
    if len(word) <= _SHORT or not word.isalpha() or word.endswith(("ss", "us", "is")):
        return word
    for ending, instead in (("ies", "y"), ("ied", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word[: -len(ending)] + instead
    if word.endswith("s"):
        return _without_e(word[:-1])
    if word.endswith("ed") and not word.endswith("eed") and any(vowel in word[:-2] for vowel in "aeiouy"):
        return _without_e(_single(word[:-2]))
    return _without_e(word)


def _single(root: str) -> str:
    """A doubled letter once, as in "stopped"; "fill" and "press" are spelt so."""
    return root[:-1] if root[-1:] == root[-2:-1] and root[-1] not in "lsz" else root


def _without_e(word: str) -> str:
    """As the word is left by "-ed"."""
    return word[:-1] if word.endswith("e") and len(word) > _SHORT else word
