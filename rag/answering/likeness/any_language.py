"""Questions in any language held against each other word by word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rag.answering.likeness import words

_POLITE: Final = re.compile(
    r"(?:(?:bitte|hallo|danke|können sie mir (?:bitte )?sagen|kannst du mir (?:bitte )?sagen|weißt du|wissen sie"
    r"|bonjour|merci|s['’]il (?:vous|te) plaît|(?:pourriez|pouvez)-vous me dire|peux-tu me dire|savez-vous"
    r"|hola|gracias|por favor|(?:puede|podría|puedes|podrías) decirme|sabe|sabes"
    r"|ciao|grazie|per favore|(?:può|potrebbe|puoi) dirmi|alstublieft|kunt u mij zeggen"
    r"|请问|恐れ入りますが|すみませんが)"
    r"(?:[\s,、，.:;!¡¿–—-]+|(?=[^\x00-\u2fff])))+",
    re.IGNORECASE,
)
_POLITE_END: Final = re.compile(
    r"[\s,]+(?:bitte|danke|merci|s['’]il (?:vous|te) plaît|por favor|gracias|per favore|grazie|alstublieft)[\s.!?]*$",
    re.IGNORECASE,
)
_WORD: Final = re.compile(rf"(?:(?<!\w)[-+−](?=\d))?[^\W_]+(?:[-_./:'’][^\W_]+)*|[^\w\s¿¡{words.SILENT}、，。]")
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def are_same(one: str, other: str) -> bool:
    """Whether they have the same words in one order, but for politeness and what stands in front."""
    return _same(_plain(one), _plain(other))


@dataclass(frozen=True, slots=True)
class _Plain:
    """A question in any language, without politeness."""

    words: tuple[str, ...]
    """As written."""
    is_fronted: bool
    """Something was put in front of the question, before a comma or a colon."""
    was_framed: bool
    """It hung on "can you tell me": German and Dutch then put the verb last."""


def _plain(question: str) -> _Plain:
    text = _POLITE_END.sub("", unicodedata.normalize("NFKC", question).strip(" ¿¡"))
    frame = _POLITE.match(text)
    text = text[frame.end() :] if frame else text
    return _Plain(tuple(_WORD.findall(text)), any(sign in text for sign in ",;:"), frame is not None)


def _same(one: _Plain, other: _Plain) -> bool:
    """Each word in its order, but for what was put in front, and for a verb that politeness put last."""
    mine, theirs = _folded(one.words), _folded(other.words)
    if mine == theirs:
        return True
    if not mine or sorted(mine) != sorted(theirs):
        return False
    if (one.is_fronted or other.is_fronted) and any(mine[i:] + mine[:i] == theirs for i in range(len(mine))):
        return True
    for framed, plain in ((one, theirs), (other, mine)):
        last = _folded(framed.words)[-1]
        rest = [word for word in plain if word != last]
        if framed.was_framed and framed.words[-1].islower() and rest == _folded(framed.words)[:-1]:
            return True
    return False


def _folded(written: Sequence[str]) -> list[str]:
    return [word.casefold().translate(_UMLAUTS) for word in written]
