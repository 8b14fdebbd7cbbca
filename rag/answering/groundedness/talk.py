"""Sentences of an answer that state nothing: headings, offers of help, what the sources leave out. Pure."""

from __future__ import annotations

import re
from typing import Final

from rag.answering.groundedness.findings import CheckedSentence
from rag.answering.groundedness.numbers import claimed
from rag.text.stop_words import DENIALS

_TALK: Final = re.compile(
    r"(?:let me know|i hope|feel free|please let|if you (?:need|have|want)|here(?:'s| is| are)|in (?:short|summary)|"
    r"hier (?:ist|sind)|zusammengefasst|voici|en résumé|aquí)\b",
    re.IGNORECASE,
)
_OF_SOURCES: Final = re.compile(
    r"\b(?:documents?|sources?|passages?|excerpts?|context|dokumente?n?|unterlagen|quellen?|auszüge|extraits?|documentos?|fuentes?)\b",
    re.IGNORECASE,
)
_FEW: Final = 1  # words that carry a subject


def states_nothing(one: CheckedSentence) -> bool:
    """Whether there is nothing in the sentence that a passage could bear out."""
    statement, line = one.statement, one.line
    if statement.is_heading and not statement.marks:
        return True
    denies = any(word.lower in DENIALS for word in line.words)
    if denies and _OF_SOURCES.search(statement.text) and not claimed(line):
        return True  # what the sources leave out, no passage can bear out
    if statement.marks:
        return not line.content and not one.can_be_looked_up
    if one.can_be_looked_up:
        return False
    introduces = statement.text.rstrip().endswith((":", "：", "?", "？"))
    return introduces or len(line.content) <= _FEW or bool(_TALK.match(statement.text))
