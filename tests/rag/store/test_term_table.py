"""The table of terms as bytes."""

from __future__ import annotations

import contextlib

import numpy as np

from rag.store.term_table import build_term_table, table_of_bytes


def test_whichever_byte_is_damaged_the_table_is_read_or_refused_and_nothing_else_is_raised() -> None:
    terms = np.arange(40, dtype=np.uint32)
    whole = build_term_table([(frozenset({"demo", "demo/HR"}), terms), (frozenset({"demo"}), terms[:7])]).to_bytes()
    assert table_of_bytes(whole).to_bytes() == whole
    refused = 0
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 0xFF
        with contextlib.suppress(ValueError):
            table_of_bytes(bytes(damaged))
            continue
        refused += 1
    assert refused > len(whole) // 2
