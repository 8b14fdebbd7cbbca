"""What no parser foresaw: the mistake is ours, and costs the file in which it shows, nothing around it."""

from __future__ import annotations

import re
import traceback
from pathlib import Path
from typing import Final

from rag.errors import ExtractionError
from rag.types.documents import Failure

_REFUSED_MEMORY: Final = re.compile(r"\b[mc]alloc \([\w ]+\) failed|\bmemory allocation failed", re.IGNORECASE)
"""What parsers written in C raise in a MemoryError's place."""
_TOO_NESTED: Final = Failure(
    "too_nested", "What is in the file lies too deep inside one another.", "Save it anew from the program it is from."
)
TOO_MUCH_MEMORY: Final = Failure(
    "too_much_memory",
    "Reading the file took more memory than one file may take.",
    "Split it, leave it out, or raise FOOTNOTE_FILE_MEMORY_MB.",
)


def unforeseen(error: Exception) -> Failure:
    """Where it happened, for a report of the mistake; never the error's words, which may be the document's."""
    if isinstance(error, MemoryError) or _REFUSED_MEMORY.search(str(error)):
        return TOO_MUCH_MEMORY
    if isinstance(error, RecursionError):
        return _TOO_NESTED
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{type(error).__name__} in {Path(frame.filename).name}:{frame.lineno}"
    return Failure("reader_failed", f"Reading the file failed: {place}.", "Save it anew, and report this as a mistake.")


def of_one_file(error: Exception) -> ExtractionError:
    """Any error in a file that lies inside another, as the inner one's failure.

    Raises it again where memory has run out: there is none for what comes behind either.
    """
    if isinstance(error, ExtractionError):
        return error
    failure = unforeseen(error)
    if failure is TOO_MUCH_MEMORY:
        raise error
    return ExtractionError(failure.code, failure.message, failure.remedy)
