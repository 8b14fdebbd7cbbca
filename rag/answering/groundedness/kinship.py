"""Whether two terms are forms of one word. Pure."""

from __future__ import annotations

from typing import Final

KIN: Final = 6
"""Terms that begin with as many letters alike are forms of one word: endings are cut for English only."""
KIN_SHARE: Final = 0.6
"""And it must be this much of the longer one."""
BEGINNING: Final = KIN - 1


def is_kin(one: str, other: str) -> bool:
    """Whether two terms are forms of one word."""
    if one == other:
        return True
    longer = max(len(one), len(other))
    shared = KIN if longer > KIN else KIN - 1
    size = max(shared, int(KIN_SHARE * longer))
    return len(one) >= size and one[:size] == other[:size]
