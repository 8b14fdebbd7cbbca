"""What needs no search: greetings, thanks, and messages without a question. Pure."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

QUESTION_CHARS: Final = 2_000

HINT: Final = "Ask me a question, and I look it up in the documents that may be read here."
HELLO: Final = "Hello! Ask me a question, and I look it up in the documents that may be read here."
WELCOME: Final = "You're welcome!"

_GREETING: Final = re.compile(
    r"(hi|hello|hey|good (morning|afternoon|evening)|moin|hallo|guten (tag|morgen)|こんにちは)"
)
_THANKS: Final = re.compile(
    r"(thanks|thank you|thx|ty|cheers|danke|vielen dank|merci|ありがとう)( (a lot|so much|very much|all))?"
)


def clean(question: str) -> str:
    """One line without control characters, at most `QUESTION_CHARS` long."""
    visible = "".join(
        " " if unicodedata.category(character) in {"Cc", "Zl", "Zp"} else character
        for character in question
        if unicodedata.category(character) not in {"Cf", "Cs", "Co"}
    )
    return " ".join(visible.split())[:QUESTION_CHARS]


def small_talk(question: str) -> str | None:
    """The reply to a message that asks nothing; None for a question."""
    words = re.sub(r"[^\w ]", "", question.casefold()).strip()
    if not words:
        return HINT
    if _GREETING.fullmatch(words) or _GREETING.fullmatch(words.removesuffix(" there").removesuffix(" footnote")):
        return HELLO
    return WELCOME if _THANKS.fullmatch(words) else None
