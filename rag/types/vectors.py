"""What makes a text searchable: dense vectors and term weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Vector: TypeAlias = npt.NDArray[np.float32]
"""One embedding: shape (d,), L2-normalised."""


Matrix: TypeAlias = npt.NDArray[np.float32]
"""One row an embedding: shape (n, d), each row L2-normalised."""


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Term weights: indices are hashed terms, ascending and unique."""

    indices: npt.NDArray[np.uint32]
    values: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Embedding:
    """All the ways in which one text is searchable."""

    dense: Vector
    sparse: SparseVector
