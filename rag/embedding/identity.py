"""What a model is called in an index: all that changes its vectors, and nothing that does not."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from rag.embedding.profiles import Prefixes

Precision = Literal["fp32", "int8"]
"""Of the weights. In 32 bits torch, onnxruntime and OpenVINO give the same vectors to 1e-5: they are not told apart."""

PROBE: Final = "Straße, ÀÉÎ ﬁ 東京 한국어 مرحبا iPhone-15 v2.4.1 don't 🚲 Pneumonoultramicroscopic"
"""Tokenizers that cut this alike are taken for the same: case, accents, scripts, digits, signs, long words."""
_SHOWN: Final = 8  # hexadecimal digits: two models of one name in one place, by chance 1 in 4 billion


def fingerprint(weights: str, *, pooling: str, reads: int, probe: Sequence[int]) -> str:
    """Eight hexadecimal digits, the same wherever the model runs.

    Args:
        weights: A digest of the weights.
        pooling: How tokens become a vector.
        reads: Tokens that are read of one text.
        probe: The ids of PROBE.
    """
    whole = f"{weights}/{pooling}/{reads}/{','.join(map(str, probe))}"
    return hashlib.sha256(whole.encode()).hexdigest()[:_SHOWN]


def digest_of(tensors: Iterable[memoryview]) -> str:
    """A digest of weights, whatever they are called and in whichever order and file they stand."""
    return hashlib.sha256(b"".join(sorted(hashlib.sha256(tensor).digest() for tensor in tensors))).hexdigest()


def name_of(label: str, precision: Precision, mark: str, prefixes: Prefixes) -> str:
    """The name of a model: label, precision and fingerprint; its prefixes where it has any."""
    said = {"query": prefixes.query, "document": prefixes.document}
    return " ".join([f"{label}/{precision}/{mark}", *(f'{side}="{text}"' for side, text in said.items() if text)])
