"""What a search can be asked: for the nearest, or for rankings put together inside the store's own engine. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rag.types.vectors import SparseVector, Vector

Nearest: TypeAlias = Vector | SparseVector
"""The chunks with the highest cosine, or the highest BM25: those that share no term do not appear."""


@dataclass(frozen=True, slots=True)
class ReciprocalRank:
    """Fusion by rank alone: the score is the sum over the rankings of 1 / (k + rank / weight), rank counted from 1.

    Without weights that is the formula of Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion", SIGIR 2009, sec. 3. A
    weight divides the rank, as Qdrant's engine has it: with weight 2 the fourth place counts as the second. No ranking
    can give more than 1 / k, whatever its weight.
    """

    k: int
    weights: tuple[float, ...] = ()
    """One a ranking, in order, each above 0; all 1 where there are none."""

    def __post_init__(self) -> None:
        """Raises ValueError for numbers without meaning."""
        if self.k < 1 or any(weight <= 0 for weight in self.weights):
            raise ValueError(f"k is at least 1 and weights are above 0: {self}")


@dataclass(frozen=True, slots=True)
class Distribution:
    """Fusion by score: each ranking's are spread over 0 to 1, then added up.

    0 stands three standard deviations below their mean, 1 three above (Mazzeschi, "Distribution-Based Score Fusion",
    2023). A ranking of one, or of equals, gives each its middle, 0.5.
    """


@dataclass(frozen=True, slots=True, eq=False)
class Fused:
    """Several rankings as one."""

    queries: tuple[Nearest, ...]
    by: ReciprocalRank | Distribution
    candidates: int
    """How many each query brings in."""

    def __post_init__(self) -> None:
        """Raises ValueError where queries and weights do not pair."""
        if isinstance(self.by, ReciprocalRank) and self.by.weights and len(self.by.weights) != len(self.queries):
            raise ValueError(f"{len(self.queries)} queries, and {len(self.by.weights)} weights")


@dataclass(frozen=True, slots=True, eq=False)
class Diverse:
    """Maximal marginal relevance: each next chunk is near to the query and far from those before it.

    Carbonell & Goldstein, "The Use of MMR", SIGIR 1998. The ranking is in the order of choice; scores are cosines.
    """

    query: Vector
    relevance: float
    """λ, from 0 (all the difference that there is) to 1 (the order of cosines)."""
    candidates: int
    """How many of the nearest are chosen from."""

    def __post_init__(self) -> None:
        """Raises ValueError for a λ that is no share."""
        if not 0 <= self.relevance <= 1:
            raise ValueError(f"λ is from 0 to 1: {self.relevance}")


Query: TypeAlias = Vector | SparseVector | Fused | Diverse
