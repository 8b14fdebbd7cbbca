"""What is fitted: an order by listwise likelihood, probabilities by logistic regression, both with signs held. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from rag.retrieval.ranking.model import probability

Floats = npt.NDArray[np.float64]

RIDGE: Final = 1e-3
"""Of the squares of standardised weights."""
FALLING: Final = frozenset({"dense_rank", "bm25_rank", "numbers_missing", "listing"})
"""Features of which more may only speak against a passage; of all others more may only speak for it. Whatever is
learned against that is a trait of the corpus."""


@dataclass(frozen=True, slots=True)
class CandidateLists:
    """The candidates of several questions, one below the other."""

    features: Floats
    """Shape (rows, features)."""
    starts: npt.NDArray[np.intp]
    """The first row of each question."""
    answers: npt.NDArray[np.bool_]
    """Which rows answer; at least one a question."""
    weights: Floats
    """One a question; they sum to 1."""


def fit_order(lists: CandidateLists, names: Sequence[str]) -> Floats:
    """One weight a feature: the most likely that an answer comes first (ListNet's top one: Cao et al., ICML 2007).

    A question with several answers counts the likelihood that any of them does.
    """
    spread = lists.features.std(axis=0) + 1e-9
    rows = lists.features / spread
    question = np.repeat(np.arange(len(lists.starts)), np.diff([*lists.starts, len(rows)]))

    def loss(weights: Floats) -> tuple[float, Floats]:
        every, of_all = _softmax(rows @ weights, lists.starts, question, np.ones(len(rows), dtype=np.bool_))
        right, of_right = _softmax(rows @ weights, lists.starts, question, lists.answers)
        slope = rows.T @ (lists.weights[question] * (of_all - of_right))
        return float(lists.weights @ (every - right) + RIDGE * weights @ weights), slope + 2 * RIDGE * weights

    return _minimum(loss, [_signs(name) for name in names]) / spread


def fit_chance(features: Floats, answers: npt.NDArray[np.bool_], weights: Floats) -> tuple[float, Floats]:
    """Bias and one weight a feature, none below 0: log-odds by logistic regression. `weights`: one a row."""
    spread = features.std(axis=0) + 1e-9
    rows = np.column_stack([np.ones(len(features)), features / spread])
    share = weights / weights.sum()

    def loss(terms: Floats) -> tuple[float, Floats]:
        odds = rows @ terms
        chance = probability(odds)
        slope = rows.T @ (share * (chance - answers))
        slope[1:] += 2 * RIDGE * terms[1:]
        return float(share @ (np.logaddexp(0, odds) - answers * odds) + RIDGE * terms[1:] @ terms[1:]), slope

    terms = _minimum(loss, [(None, None), *[(0.0, None)] * features.shape[1]])
    return float(terms[0]), terms[1:] / spread


def _softmax(
    scores: Floats, starts: npt.NDArray[np.intp], question: npt.NDArray[np.intp], among: npt.NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """For each question the logarithm of the sum of exponentials; for each row its share of that sum."""
    best = np.maximum.reduceat(np.where(among, scores, -np.inf), starts)
    raised = np.where(among, np.exp(np.minimum(scores - best[question], 0.0)), 0.0)
    total = np.add.reduceat(raised, starts)
    return best + np.log(total), raised / total[question]


def _signs(name: str) -> tuple[float | None, float | None]:
    return (None, 0.0) if name in FALLING else (0.0, None)


def _minimum(loss: object, bounds: Sequence[tuple[float | None, float | None]]) -> Floats:
    found = minimize(loss, np.zeros(len(bounds)), jac=True, method="L-BFGS-B", bounds=bounds)  # pyright: ignore[reportArgumentType, reportCallIssue]  # its stubs know no function with a slope
    return np.asarray(found.x, dtype=np.float64)
