"""Plain text inside Markdown: nothing of it is taken for a mark."""

from __future__ import annotations

import re
from typing import Final

_LOOKS_LIKE_MARKDOWN: Final = re.compile(r"^[ ]{0,3}(?=#{1,6}[ \t]|`{3}|~{3})", re.MULTILINE)


def literal(text: str) -> str:
    """The text with lines indented that Markdown would take for headings or fences: comments of a script, mostly."""
    return _LOOKS_LIKE_MARKDOWN.sub("    ", text)
