"""A model's own "I don't know", recognised before any of it is shown."""

from __future__ import annotations

from typing import Final

DECLINE_MARK: Final = "NO ANSWER"
_AROUND: Final = " \u00a0\n\t*_\"'`.!:“”„‘’«»[](){}<>"
_BETWEEN: Final = str.maketrans("_-\u00a0", "   ")
"""What models write between the two words instead of a space."""


class DeclineWatch:
    """Holds back the beginning of a text for as long as it may be the mark that the prompt asks for.

    A mark in front of more text is taken as one too: a model that first declines and then talks has declined. Written
    in other case it must stand alone: "No answer came from the supplier" is an answer.
    """

    def __init__(self) -> None:
        self._held = ""
        self._decided = False
        self.declined = False

    def feed(self, piece: str) -> str:
        """What can be shown now; nothing once the model has declined."""
        if self._decided:
            return "" if self.declined else piece
        self._held += piece
        begun = self._begun()
        head, rest = begun[: len(DECLINE_MARK)].translate(_BETWEEN), begun[len(DECLINE_MARK) :]
        if head.upper() != DECLINE_MARK[: len(head)]:
            return self._decide(declined=False)
        if not rest.strip(_AROUND):
            return ""
        return self._decide(declined=head == DECLINE_MARK and not rest[0].isalpha())

    def close(self) -> str:
        """What was still held back."""
        return (
            ""
            if self._decided
            else self._decide(declined=self._begun().strip(_AROUND).translate(_BETWEEN).upper() == DECLINE_MARK)
        )

    def _begun(self) -> str:
        return self._held.lstrip(_AROUND)

    def _decide(self, *, declined: bool) -> str:
        self._decided = True
        self.declined = declined
        held, self._held = self._held, ""
        return "" if declined else held
