"""What needs no search: greetings, thanks, messages without a question, and who may read nothing. Pure."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from rag.types.answers import Answer, Outcome
from rag.types.scope import Scope

QUESTION_CHARS: Final = 2_000

HINT: Final = "Ask me a question, and I look it up in the documents that may be read here."
HELLO: Final = "Hello! Ask me a question, and I look it up in the documents that may be read here."
WELCOME: Final = "You're welcome!"
NO_SCOPE: Final = (
    "There are no documents that may be read here, so I cannot answer. An operator can allow some in the scopes file."
)

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


def reply_without_search(question: str, scope: Scope) -> Answer | None:
    """The reply to what asks nothing, or to one who may read nothing; None for a question that is to be searched."""
    if (reply := small_talk(question)) is not None:
        return Answer(reply, Outcome.DECLINED if reply == HINT else Outcome.ANSWERED, question=question)
    return Answer(NO_SCOPE, Outcome.DECLINED, question=question) if scope.is_empty else None


def small_talk(question: str) -> str | None:
    """The reply to a message that asks nothing; None for a question."""
    words = re.sub(r"[^\w ]", "", question.casefold()).strip()
    if not words:
        return HINT
    if _GREETING.fullmatch(words) or _GREETING.fullmatch(words.removesuffix(" there").removesuffix(" footnote")):
        return HELLO
    return WELCOME if _THANKS.fullmatch(words) else None
