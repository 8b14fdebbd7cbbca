"""The ranker's order: which features, with which weights, and how well it does on families that had no part in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from lab.training.cases import CaseQuestion
from lab.training.corpus import Kind
from lab.training.fitting import CandidateLists, Floats, fit_order
from rag.retrieval.ranking.features import FEATURES, features_of

FOLDS: Final = 5
"""By family, so that no subject is in two of them."""
SCALES: Final = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0)
"""By which the weight of a feature beside the cosine is multiplied in the end: likelihood is not yet rank."""
_DIGITS: Final = 4


def chosen(asked: Sequence[CaseQuestion], fold: Mapping[str, int]) -> tuple[list[str], list[dict[str, Any]]]:
    """Features added to the cosine one by one: each the one that helps most, by more than a standard error."""
    every = list(FEATURES)
    columns = [features_of(one.table, every) for one in asked]
    names = ["dense"]
    best = _left_out(asked, columns, every, names, fold)
    steps: list[dict[str, Any]] = [{"taken": "dense", "mrr": round(float(best.mean()), _DIGITS)}]
    while len(names) < len(every):
        tried = {name: _left_out(asked, columns, every, [*names, name], fold) for name in every if name not in names}
        name = max(tried, key=lambda one: float(tried[one].mean()))
        gain = tried[name] - best
        if gain.mean() <= gain.std(ddof=1) / np.sqrt(len(gain)):
            steps.append({"not_taken": name, "gain": round(float(gain.mean()), _DIGITS)})
            break
        names.append(name)
        best = tried[name]
        steps.append({"taken": name, "mrr": round(float(best.mean()), _DIGITS)})
        print(steps[-1], flush=True)  # it takes minutes
    return names, steps


def _left_out(
    asked: Sequence[CaseQuestion],
    columns: Sequence[npt.NDArray[np.float32]],
    every: Sequence[str],
    names: Sequence[str],
    fold: Mapping[str, int],
) -> Floats:
    """The reciprocal rank of each question, by weights that its family had no part in; kinds of questions count alike.

    What is fitted is the likelihood, what is wanted is a right passage near the top: features are chosen by that.
    """
    chosen = [every.index(name) for name in names]
    result = np.zeros(len(asked))
    for number in range(FOLDS):
        learned = [i for i, one in enumerate(asked) if fold[one.family] != number]
        order = fit_order(_stacked([asked[i] for i in learned], [columns[i][:, chosen] for i in learned]), names)
        for i, one in enumerate(asked):
            if fold[one.family] == number:
                result[i] = _reciprocal(one.answers[np.argsort(-(columns[i][:, chosen] @ order), kind="stable")])
    return result * _balance(asked)


def ordered(asked: Sequence[CaseQuestion], names: Sequence[str]) -> Floats:
    """The most likely weights, those beside the cosine's scaled to the best mean reciprocal rank."""
    rows = [features_of(one.table, names).astype(np.float64) for one in asked]
    order = fit_order(_stacked(asked, rows), names)
    balance = _balance(asked)

    def merit(weights: Floats) -> float:
        found = [
            _reciprocal(one.answers[np.argsort(-(row @ weights), kind="stable")])
            for one, row in zip(asked, rows, strict=True)
        ]
        return float(np.mean(balance * found))

    for place in range(1, len(names)):
        tried = [np.where(np.arange(len(names)) == place, order * scale, order) for scale in SCALES]
        order = max(tried, key=merit)
    return order


def order_report(
    asked: Sequence[CaseQuestion], names: Sequence[str], fold: Mapping[str, int]
) -> dict[str, dict[str, float]]:
    """MRR@10 of the ranker on families left out, and of reciprocal rank fusion, by kind of question."""
    places: dict[Kind, list[tuple[float, float]]] = {kind: [] for kind in Kind}
    for number in range(FOLDS):
        order = ordered([one for one in asked if fold[one.family] != number], names)
        for one in asked:
            if fold[one.family] == number:
                ranked = one.answers[np.argsort(-(features_of(one.table, names) @ order), kind="stable")]
                places[one.kind].append((_reciprocal(ranked), _reciprocal(one.answers)))
    return {
        kind: dict(zip(("ranker", "rrf"), np.mean(rows, axis=0).round(3).tolist(), strict=True))
        for kind, rows in places.items()
        if rows
    }


def _reciprocal(answers: npt.NDArray[np.bool_]) -> float:
    place = int(np.argmax(answers)) + 1
    return 1 / place if answers.any() and place <= 10 else 0.0  # noqa: PLR2004  # MRR@10


def _stacked(asked: Sequence[CaseQuestion], rows: Sequence[npt.NDArray[np.floating[Any]]]) -> CandidateLists:
    kinds = Counter(one.kind for one in asked)
    weights = np.array([1 / kinds[one.kind] for one in asked])
    return CandidateLists(
        np.concatenate(rows).astype(np.float64),
        np.cumsum([0, *map(len, rows[:-1])]),
        np.concatenate([one.answers for one in asked]),
        weights / weights.sum(),
    )


def _balance(asked: Sequence[CaseQuestion]) -> Floats:
    """So that kinds of questions count alike; 1 on average."""
    kinds = Counter(one.kind for one in asked)
    return np.array([len(asked) / (len(kinds) * kinds[one.kind]) for one in asked])
