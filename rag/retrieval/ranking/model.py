"""The weights that were learned, and what they make of features: an order, and probabilities. Pure but for loading."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from rag.errors import ConfigurationError
from rag.retrieval.ranking.features import FEATURES, CandidateTable, features_of

PACKAGED: Final = Path(__file__).with_name("weights.json")
BEST: Final = 8
"""How many hits are weighed together: what an answer is written from."""
ALONE: Final = 0.15
"""The lead of a hit without others: about what a right one has. One good passage must not speak against itself."""
FORMAT: Final = 1
LARGEST: Final = 1_000_000
"""No weight that was learned is near it; sums of larger ones would leave what numbers can be."""
_CERTAIN: Final = 700.0  # log-odds: e to the power of more is no number

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Weights:
    """What was learned from public questions; `record` in the file says which, and how well it did on each."""

    name: str
    """Changes with them."""
    embedder: str
    """The model whose cosines they were fitted on; those of another lie elsewhere."""
    order: Mapping[str, float]
    """Feature to weight: the sum orders candidates."""
    answer: Mapping[str, float]
    """Log-odds that the best hits answer: "bias", and a weight for each of `EVIDENCE`."""
    passage: Mapping[str, float]
    """Log-odds that one passage answers: "bias", "answer" (log-odds as above), "behind" (its score less the best)."""
    decline: float
    """Below this probability nothing is answered."""
    caution: float
    """Below this one the asker is warned."""


EVIDENCE: Final = (
    "best_dense",  # the highest cosine
    "dense_lead",  # how far it is above the mean of the others
    "lead_coverage",  # the share of the question's terms that the first hit holds
    "best_coverage",  # … that any one hit holds
    "best_window",  # … that stand close together in one
    "best_pairs",  # … whose neighbours are neighbours in one
    "lead_numbers",  # the share of the question's terms with digits that the first hit holds
    "known",  # the share of the question's terms that some document holds
)
"""What the best hits say together."""


def load_weights(path: Path = PACKAGED) -> Weights:
    """Read and check a file of weights. Raises ConfigurationError that says what is wrong with it and what to do."""
    remedy = "install footnote anew" if path == PACKAGED else "make it with `python -m lab.training.ranker`"
    try:
        raw = path.read_bytes()
        weights = _weights_of(json.loads(raw), sha256(raw).hexdigest()[:8])
    except OSError as error:
        raise ConfigurationError(f"the ranker's weights {path} cannot be read ({error.strerror}): {remedy}") from error
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ConfigurationError(f"the ranker's weights {path} are damaged ({error}): {remedy}") from error
    return weights


def _weights_of(file: Mapping[str, Any], name: str) -> Weights:
    """Raises ValueError, KeyError, TypeError where it is no file of ours."""
    if file["format"] != FORMAT:
        raise ValueError(f"format {file['format']}, expected {FORMAT}")
    order, answer, passage = (_numbers(file[part]) for part in ("order", "answer", "passage"))
    if not order:
        raise ValueError("it names no feature to order by")
    if unknown := order.keys() - FEATURES.keys():
        raise ValueError(f"unknown features {', '.join(sorted(unknown))}")
    if answer.keys() != {"bias", *EVIDENCE} or passage.keys() != {"bias", "answer", "behind"}:
        raise ValueError("its parts are not those that this version knows")
    decline, caution = float(file["bounds"]["decline"]), float(file["bounds"]["caution"])
    if not 0 <= decline <= caution <= 1:
        raise ValueError(f"bounds {decline} and {caution} are no probabilities in order")
    return Weights(f"ranker-{name}", str(file["embedder"]), order, answer, passage, decline, caution)


def _numbers(part: Mapping[str, Any]) -> dict[str, float]:
    numbers = {key: float(value) for key, value in part.items()}
    if not all(abs(number) <= LARGEST for number in numbers.values()):  # NaN is not, either
        raise ValueError(f"a weight is not a number between -{LARGEST:,} and {LARGEST:,}")
    return numbers


def scores(weights: Weights, table: CandidateTable) -> Floats:
    """What orders the candidates, higher first; comparable within one table only."""
    features = features_of(table, list(weights.order))
    return features.astype(np.float64) @ np.array(list(weights.order.values()))


def evidence(table: CandidateTable) -> Floats:
    """`EVIDENCE` of the candidates of the table, which are the best hits, best first, and not none."""
    names = ("dense", "coverage", "window", "pairs", "numbers_missing")
    dense, coverage, window, pairs, missing = features_of(table, names).T
    others = np.delete(dense, dense.argmax())
    lead = dense.max() - others.mean() if len(others) else ALONE
    values = [dense.max(), lead, coverage[0], coverage.max(), window.max(), pairs.max(), 1 - missing[0], table.known]
    return np.array(values, dtype=np.float64)


def answer_log_odds(weights: Weights, table: CandidateTable) -> float:
    """That one of the best hits, which are the table's candidates, answers the question."""
    return weights.answer["bias"] + float(evidence(table) @ np.array([weights.answer[name] for name in EVIDENCE]))


def passage_log_odds(weights: Weights, answer: float, ordering: Floats) -> Floats:
    """That each passage answers: from what orders them, and from the log-odds that any does."""
    part = weights.passage
    return part["bias"] + part["answer"] * answer + part["behind"] * (ordering - ordering.max(initial=-np.inf))


def probability(log_odds: Floats | float) -> Floats:
    """The logistic function."""
    return 1 / (1 + np.exp(-np.clip(np.asarray(log_odds, dtype=np.float64), -_CERTAIN, _CERTAIN)))
