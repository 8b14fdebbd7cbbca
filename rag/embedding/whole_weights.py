"""A check that a model of the transformers library was loaded whole.

Where a file lacks weights that the model has, the library draws them at random and says so in its log alone: a model
that is no cross-encoder, or half a file, would then score by dice.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from rag.errors import ConfigurationError

_LOGGER: Final = "transformers.modeling_utils"
_MISSING: Final = re.compile(r"^(\S+)\s*\|\s*MISSING\b", re.MULTILINE)
"""A line of the library's load report, as of transformers 5: a weight's name and what became of it."""
_NAMED: Final = 3


class _Reports(logging.Handler):
    """Keeps the names of weights that were missing."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.missing: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.missing += _MISSING.findall(record.getMessage())


@contextmanager
def whole_weights(model: str, setting: str, *, unused: str = "") -> Generator[None]:
    """Load a model in this context. Raises ConfigurationError where its files lack weights.

    Args:
        model: As the operator names it.
        setting: Where he names it.
        unused: How the names of weights begin that the model has but nobody uses; empty for none.
    """
    logger, reports = logging.getLogger(_LOGGER), _Reports()
    level = logger.level
    logger.addHandler(reports)
    if not logger.isEnabledFor(logging.WARNING):  # a level of its own makes it say more, of no use here
        logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)
        logger.removeHandler(reports)
    missing = [name for name in reports.missing if not (unused and name.startswith(unused))]
    if missing:
        named = ", ".join(missing[:_NAMED]) + (" …" if len(missing) > _NAMED else "")
        raise ConfigurationError(
            f"the model {model!r} lacks {len(missing)} of its weights ({named}), which would be drawn at random: it is "
            f"of another kind than is needed here, or its files are damaged; name another in {setting}, or fetch its "
            "files anew"
        )
