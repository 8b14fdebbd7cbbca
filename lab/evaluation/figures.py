"""Figures with what they are uncertain by. Every random number comes from one seed: the same data, the same figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from pydantic import BaseModel, ConfigDict, FiniteFloat
from scipy import stats

SEED: Final = 20_100
RESAMPLES: Final = 2_000
LEVEL: Final = 0.95
YES_OR_NO: Final = ("page@", "pages@", "file@", "answerable declined", "unanswerable declined")
"""What the names of figures begin with that are 0 or 1 of each question."""
_FEWEST: Final = 2
"""Fewer values tell nothing about their spread."""


class Estimate(BaseModel):
    """A value between 0 and 1, and the interval in which it lies with 95 % confidence."""

    model_config = ConfigDict(frozen=True)

    value: FiniteFloat
    low: FiniteFloat
    high: FiniteFloat
    n: int
    """Of how many questions."""


class Latency(BaseModel):
    """Milliseconds that half the questions stay within, and that 95 % do."""

    model_config = ConfigDict(frozen=True)

    p50: FiniteFloat
    p95: FiniteFloat


def figure_of(name: str, values: Sequence[float]) -> Estimate:
    """The mean over questions, which are at least one, with the interval that suits what the figure's name counts."""
    yes_or_no = share(round(sum(values)), len(values)) if name.startswith(YES_OR_NO) else None
    return yes_or_no or mean(values)


def mean(values: Sequence[float]) -> Estimate:
    """The mean over questions. Its interval: percentile bootstrap (Efron & Tibshirani, 1993, ch. 13)."""
    value, n = float(np.mean(values)), len(values)
    if n < _FEWEST:
        return _figure(value, 0.0, 1.0, n)
    # All resamples at once: how often each question was drawn, times its value.
    drawn = np.random.default_rng(SEED).multinomial(n, np.full(n, 1 / n), size=RESAMPLES)
    low, high = np.percentile(drawn @ np.asarray(values) / n, [50 * (1 - LEVEL), 50 * (1 + LEVEL)])
    return _figure(value, float(low), float(high), n)


def share(count: int, n: int) -> Estimate | None:
    """`count` of `n`; None of none. Its interval: Wilson's (1927), which 0 of 20 does not make empty."""
    if n == 0:
        return None
    interval: Any = stats.binomtest(count, n).proportion_ci(LEVEL, method="wilson")
    return _figure(count / n, float(interval.low), float(interval.high), n)


def latency(seconds: Sequence[float]) -> Latency:
    """In milliseconds."""
    p50, p95 = np.percentile(np.asarray(seconds) * 1000, [50, 95])
    return Latency(p50=round(float(p50), 2), p95=round(float(p95), 2))


def separation(higher: Sequence[float], lower: Sequence[float]) -> float | None:
    """How often one of `higher` exceeds one of `lower` (area under the ROC curve; Mann & Whitney, 1947)."""
    if not higher or not lower:
        return None
    found: Any = stats.mannwhitneyu(higher, lower)
    return round(float(found.statistic) / (len(higher) * len(lower)), 4)


def p_value(differences: Sequence[float]) -> float:
    """How likely a mean difference as large is if each question's two values could as well be swapped.

    Fisher's randomization test, two-sided, as Smucker, Allan & Carterette (CIKM 2007) advise for rankings.
    """
    values = np.asarray(differences, dtype=np.float64)
    if len(values) < _FEWEST or not values.any():
        return 1.0

    def statistic(sample: Any, axis: int) -> Any:
        return np.mean(sample, axis=axis)

    found: Any = stats.permutation_test(
        (values,),
        statistic,
        permutation_type="samples",
        n_resamples=9_999,
        vectorized=True,
        rng=np.random.default_rng(SEED),
    )
    return float(found.pvalue)


def _figure(value: float, low: float, high: float, n: int) -> Estimate:
    return Estimate(value=round(value, 4), low=round(low, 4), high=round(high, 4), n=n)
