"""Which terms the chunks of one generation hold, how many of them, and under which labels. Pure."""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from rag.store.base import TermStatistics
from rag.types.scope import Scope

_TERM_BITS: Final = np.uint64(32)

Ids: TypeAlias = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class TermTable:
    """Document frequencies. Written with a generation, so that no question has to count.

    Whether a scope holds a term depends on labels alone, and the documents of a folder bear the same ones: the table
    names each set of labels once, and of each term the sets under which it stands.
    """

    chunks: int
    """Those that hold a term: what Qdrant's engine counts, too."""
    label_sets: Sequence[frozenset[str]]
    """Each set of labels that some document bears."""
    terms: Ids
    """The terms' numbers, ascending: shape (terms,)."""
    holders: Ids
    """How many chunks hold each term: shape (terms,)."""
    starts: Ids
    """Where each term's part of `places` begins, and where the last one ends: shape (terms + 1,)."""
    places: Ids
    """The numbers of the label sets under which each term stands."""

    def statistics(self, generation: int, terms: Sequence[int], scope: Scope) -> TermStatistics:
        """How common these terms are, in their order."""
        admitted = np.array([scope.admits_labels(labels) for labels in self.label_sets], dtype=np.bool_)
        holders: list[int] = []
        held_in_scope: list[bool] = []
        for term in terms:
            at = int(np.searchsorted(self.terms, term))
            is_known = at < len(self.terms) and int(self.terms[at]) == term
            holders.append(int(self.holders[at]) if is_known else 0)
            places = self.places[self.starts[at] : self.starts[at + 1]] if is_known else self.places[:0]
            held_in_scope.append(bool(admitted[places].any()))
        return TermStatistics(generation, self.chunks, holders, held_in_scope)

    def to_bytes(self) -> bytes:
        """The table as it is kept."""
        file = io.BytesIO()
        labels = json.dumps([sorted(labels) for labels in self.label_sets]).encode()
        np.savez_compressed(
            file,
            chunks=np.array(self.chunks),
            label_sets=np.frombuffer(labels, dtype=np.uint8),
            terms=self.terms,
            holders=self.holders,
            starts=self.starts,
            places=self.places,
        )
        return file.getvalue()


_DAMAGED: Final = (ValueError, TypeError, KeyError, OSError, EOFError, RuntimeError, BadZipFile, zlib.error)
"""What numpy and zipfile raise over damaged bytes; NotImplementedError is a RuntimeError."""


def table_of_bytes(raw: bytes) -> TermTable:
    """The inverse of `TermTable.to_bytes`. Raises ValueError where it is none."""
    try:
        with np.load(io.BytesIO(raw), allow_pickle=False) as file:
            labels = json.loads(file["label_sets"].tobytes())
            return TermTable(
                int(file["chunks"]),
                [frozenset(one) for one in labels],
                *(file[name].astype(np.uint32) for name in ("terms", "holders", "starts", "places")),
            )
    except _DAMAGED as error:
        raise ValueError(f"it is no table of terms ({type(error).__name__})") from error


def build_term_table(rows: Iterable[tuple[frozenset[str], Ids]]) -> TermTable:
    """The table of these chunks: of each its document's labels, and the numbers of the terms that it holds."""
    numbers: dict[frozenset[str], int] = {}
    keys: list[npt.NDArray[np.uint64]] = [np.empty(0, dtype=np.uint64)]
    chunks = 0
    for labels, terms in rows:
        place = np.uint64(numbers.setdefault(labels, len(numbers)))
        keys.append((terms.astype(np.uint64) << _TERM_BITS) | place)
        chunks += bool(len(terms))
    pairs, counts = np.unique(np.concatenate(keys), return_counts=True)
    terms, starts = np.unique(pairs >> _TERM_BITS, return_index=True)
    return TermTable(
        chunks,
        list(numbers),
        terms.astype(np.uint32),
        (np.add.reduceat(counts, starts) if len(starts) else counts).astype(np.uint32),
        np.append(starts, len(pairs)).astype(np.uint32),
        pairs.astype(np.uint32),  # the lower half: the label set
    )
