"""Fit the ranker's weights and write them with the record of how: `python -m lab.training.ranker FOLDER`.

FOLDER is where the packages of `lab.training.sources` are, or are downloaded to; what is computed on the way is kept
there. Nothing that a benchmark reports is read.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from lab.training.altering import altered
from lab.training.cases import Case, CaseQuestion, TrainingDrive, cases
from lab.training.corpus import Kind, build_corpus
from lab.training.fitting import Floats, fit_chance
from lab.training.index import TrainingIndex, embedded
from lab.training.ordering import FOLDS, chosen, order_report, ordered
from lab.training.sources import fetch
from rag.bootstrap.models import build_model
from rag.embedding.base import TextModel
from rag.embedding.sparse import Bm25
from rag.retrieval.ranking.features import features_of
from rag.retrieval.ranking.model import BEST, EVIDENCE, FORMAT, PACKAGED, evidence, probability
from rag.settings.groups import EmbeddingSettings

CASE_SHARES: Final[Mapping[Case, float]] = {Case.PRESENT: 0.5, Case.OFF_SUBJECT: 0.25, Case.ALTERED: 0.25}
"""What askers are taken to ask: half of it is answered by a drive. Not Case.REMOVED: there, other passages answer."""
DECLINED: Final = 0.05
"""The share of answerable questions that may be declined, for the sake of those that are not: on the drive where
answers look least likely, for a team has one drive, not the mean of many."""
WARNED: Final = 0.15
"""… that are answered with a warning or declined."""
_ENOUGH: Final = 40  # questions of a drive that bounds may be read off
_DIGITS: Final = 4


def main() -> None:
    """Fit, print what was found, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=PACKAGED, help="where the weights go (default: what ships)")
    parser.add_argument("--model", default="small", help="as FOOTNOTE_EMBEDDING__MODEL (default: what ships)")
    options = parser.parse_args()
    folder: Path = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    packages = fetch(folder)
    model = build_model(EmbeddingSettings(model=options.model))
    asked, chunks = _asked(folder, model)
    file, record = _fit(asked)
    record |= {"packages": packages, "chunks": chunks, "questions": dict(Counter(a.kind for a in _present(asked)))}
    record |= {"terms": Bm25.recipe, "made": datetime.now(UTC).date().isoformat()}
    record |= {"command": "python -m lab.training.ranker FOLDER"}
    whole = {"format": FORMAT, "embedder": model.name, **file, "record": record}
    options.out.write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
    print(json.dumps({**file, "record": record}, indent=2))


def _asked(folder: Path, model: TextModel) -> tuple[list[CaseQuestion], int]:
    """All questions in all cases, and how many chunks there are to be found."""
    corpora = build_corpus(folder).drives()
    drives: list[TrainingDrive] = []
    for family, corpus in corpora.items():
        index = TrainingIndex(corpus, model)
        questions = [question.text for question in corpus.questions]
        strangers = [question.text for other, its in corpora.items() if other != family for question in its.questions]
        drives.append(TrainingDrive(family, index, altered(questions, strangers, index.idf_of)))
    vectors = embedded(
        (text for drive in drives for text in drive.texts()),
        model,
        folder / f"vectors-{sha256(model.name.encode()).hexdigest()[:8]}.npz",
    )
    asked = [
        one
        for drive, elsewhere in zip(drives, [*drives[1:], drives[0]], strict=True)
        for one in cases(drive, elsewhere, vectors)
    ]
    return asked, sum(len(drive.index.chunks) for drive in drives)


def _fit(asked: Sequence[CaseQuestion]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The weights, and what was measured on families that were left out."""
    families = sorted({one.family for one in asked})
    fold = {family: number % FOLDS for number, family in enumerate(families)}
    names, steps = chosen(_ranked(asked), fold)
    order = ordered(_ranked(asked), names)
    tables = [_best(one, names, order) for one in asked]
    values = np.array([row for row, _, _ in tables])
    present = np.array([one.case is Case.PRESENT for one in asked])
    counted = np.array(
        [one.case is not Case.PRESENT or found.any() for one, (_, found, _) in zip(asked, tables, strict=True)]
    )
    weights = _case_weights(asked) * counted
    held_out = np.zeros(len(asked))
    for number in range(FOLDS):
        out = np.array([fold[one.family] == number for one in asked])
        bias, terms = fit_chance(values[~out], present[~out], weights[~out])
        held_out[out] = bias + values[out] @ terms
    bias, terms = fit_chance(values, present, weights)
    passage = _fit_passages(tables, bias + values @ terms, weights)
    chance = probability(held_out)
    decline, caution = (_bound(asked, chance, present & counted, share) for share in (DECLINED, WARNED))
    file = {
        "order": _named(names, order),
        "answer": {"bias": round(bias, _DIGITS), **_named(EVIDENCE, terms)},
        "passage": passage,
        "bounds": {"decline": round(decline, 3), "caution": round(caution, 3)},
    }
    record = {
        "steps": steps,
        "order_on_left_out_families": order_report(_ranked(asked), names, fold),
        "declined_on_left_out_families": {
            case: round(
                float(
                    np.mean(
                        [
                            p < decline
                            for p, one, kept in zip(chance, asked, counted, strict=True)
                            if one.case is case and kept
                        ]
                    )
                ),
                3,
            )
            for case in Case
        },
        "calibration_on_left_out_families": _calibration(chance, present, weights),
    }
    return file, record


def _bound(asked: Sequence[CaseQuestion], chance: Floats, of: npt.NDArray[np.bool_], share: float) -> float:
    """The probability that this share of a drive's answerable questions is below, on the drive where it is lowest."""
    families = np.array([one.family for one in asked])
    of_drive = [chance[of & (families == family)] for family in dict.fromkeys(families)]
    return min(float(np.quantile(values, share)) for values in of_drive if len(values) >= _ENOUGH)


def _present(asked: Sequence[CaseQuestion]) -> list[CaseQuestion]:
    return [one for one in asked if one.case is Case.PRESENT]


def _ranked(asked: Sequence[CaseQuestion]) -> list[CaseQuestion]:
    """What an order can be learned from: an answer is among the candidates."""
    return [one for one in _present(asked) if one.answers.any()]


def _best(one: CaseQuestion, names: Sequence[str], order: Floats) -> tuple[Floats, npt.NDArray[np.bool_], Floats]:
    """The evidence of the best hits, which of them answer, and how far each is behind the first."""
    if not one.table.chunks:
        return np.zeros(len(EVIDENCE)), np.zeros(0, dtype=np.bool_), np.zeros(0)
    scores = features_of(one.table, names) @ order
    best = np.argsort(-scores, kind="stable")[:BEST]
    return evidence(one.table.rows(best.tolist())), one.answers[best], scores[best] - scores[best[0]]


def _case_weights(asked: Sequence[CaseQuestion]) -> Floats:
    """So that cases have their shares, and within a case the kinds of questions count alike."""
    counts = Counter((one.case, one.kind) for one in asked)
    return np.array([CASE_SHARES.get(one.case, 0.0) / (len(Kind) * counts[one.case, one.kind]) for one in asked])


def _fit_passages(
    tables: Sequence[tuple[Floats, npt.NDArray[np.bool_], Floats]], odds: Floats, weights: Floats
) -> dict[str, float]:
    rows = [(odd, behind) for odd, (_, _, behinds) in zip(odds, tables, strict=True) for behind in behinds]
    answers = np.concatenate([found for _, found, _ in tables])
    of_row = np.repeat(weights, [len(found) for _, found, _ in tables])
    bias, (answer, behind) = fit_chance(np.array(rows), answers, of_row)
    return _named(("bias", "answer", "behind"), np.array([bias, answer, behind]))


def _calibration(chance: Floats, present: npt.NDArray[np.bool_], weights: Floats) -> list[dict[str, float]]:
    """In tenths of probability: what was said, and what came true."""
    tenths = np.minimum((chance * 10).astype(int), 9)
    return [
        {
            "said": round(float(np.average(chance[rows], weights=weights[rows])), 3),
            "true": round(float(np.average(present[rows], weights=weights[rows])), 3),
            "share": round(float(weights[rows].sum() / weights.sum()), 3),
        }
        for tenth in range(10)
        if weights[rows := (tenths == tenth)].sum() > 0
    ]


def _named(names: Sequence[str], values: Floats) -> dict[str, float]:
    return {name: round(float(value), _DIGITS) for name, value in zip(names, values, strict=True)}


if __name__ == "__main__":
    main()
