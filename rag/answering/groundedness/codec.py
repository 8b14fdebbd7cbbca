"""The support of an answer as JSON values, for answers that are cached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rag.types.groundedness import Correction, Lack, Missing, SentenceSupport, Support


def support_payload(support: Sequence[SentenceSupport]) -> list[dict[str, Any]]:
    """One object a sentence."""
    return [asdict(one) for one in support]


def support_of(payload: Sequence[Mapping[str, Any]]) -> tuple[SentenceSupport, ...]:
    """What `support_payload` made JSON of. Raises KeyError, TypeError, ValueError for anything else."""
    return tuple(
        SentenceSupport(
            start=one["start"],
            end=one["end"],
            verdict=Support(one["verdict"]),
            citations=tuple(one["citations"]),
            missing=tuple(Missing(Lack(missing["lack"]), missing["text"]) for missing in one["missing"]),
            correction=None if one["correction"] is None else Correction(**one["correction"]),
            borne_out_by=tuple(one["borne_out_by"]),
        )
        for one in payload
    )
