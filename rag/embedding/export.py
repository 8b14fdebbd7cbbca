"""Writes a sentence-transformers model as a folder that runs without torch: `python -m indexer convert`."""

from __future__ import annotations

import hashlib
import importlib
import logging
import tempfile
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rag.embedding.base import DenseModel
from rag.embedding.export_card import CARD, GRAPH, TOKENIZER, ExportCard
from rag.embedding.graphs import IDS, MASK, TYPES
from rag.embedding.identity import PROBE, Precision
from rag.embedding.transformer import SentenceTransformerModel
from rag.errors import ConfigurationError

OPSET: Final = 17  # of 2022: the newest that all versions of onnxruntime read which we allow
_LARGEST: Final = 2**31 - 2**20  # bytes: a file of protocol buffers ends at 2 GiB; the rest is for the graph
_BYTES: Final = 4  # of a weight in 32 bits
_HIDDEN: Final = "hidden"


_SAMPLES: Final = (
    "How many days of leave do I get?",
    "Every employee has thirty days of paid leave, of which ten may be taken over into the next year.",
    "The pump is lubricated with oil of grade 46; see table 3 for intervals.",
    "Der Antrag ist bis zum 31. März bei der Personalabteilung einzureichen.",
    "Invoice CB-4471-K: 1,250.00 EUR, due 2025-03-31",
    PROBE,
)
_SAME: Final = 0.9999
"""Cosine from which two forms of a model are one: sums in another order differ in the sixth decimal."""
_ALIKE: Final = 0.95
"""Likewise in 8 bits: the worst of 160 passages with MiniLM was 0.979, and per matrix, which is no good, 0.90."""


@dataclass(frozen=True, slots=True)
class Fidelity:
    """An exported model held against what it was made of."""

    name: str
    mean: float
    """Of the cosines between both vectors of a text."""
    least: float


async def check_likeness(original: DenseModel, written: DenseModel, *, int8: bool) -> Fidelity:
    """Both on some texts. Raises ConfigurationError where they differ."""
    ours, theirs = [await model.encode_documents(_SAMPLES) for model in (original, written)]
    cosines = (ours * theirs).sum(axis=1)
    likeness = Fidelity(written.name, float(cosines.mean()), float(cosines.min()))
    if likeness.least < (_ALIKE if int8 else _SAME) or (not int8 and original.name != written.name):
        raise ConfigurationError(
            f"as a graph {original.name} gives other vectors than it does itself (cosine {likeness.least:.4f}, as "
            f"{written.name}): "
            + ("write it without --int8" if int8 else "it runs by sentence-transformers alone; name it as it is")
        )
    return likeness


def export(model: SentenceTransformerModel, folder: Path, *, int8: bool) -> ExportCard:
    """Write the model's graph, tokenizer and card into a folder; the card comes last and makes it whole.

    Args:
        model: As loaded, with the prefixes that it is read with.
        folder: Is made where it is missing; what an earlier export left there is replaced.
        int8: Round the weights to 8 bits, each row of a matrix by a scale of its own ("per channel"), and what they
            are multiplied with as it comes ("dynamic"). Per matrix, the vectors of MiniLM are no good: cosines to the
            original down to 0.90.

    Raises:
        ConfigurationError: The model cannot be written so, or a package is missing.
    """
    pooling = model.pooling
    if pooling is None:
        raise ConfigurationError(
            f"{model.label} makes its vectors in a way of its own, neither the mean nor the first of its tokens: it "
            "runs by sentence-transformers alone; name it in FOOTNOTE_EMBEDDING__MODEL as it is"
        )
    if folder.exists() and (others := {path.name for path in folder.iterdir()} - {CARD, GRAPH, TOKENIZER}):
        raise ConfigurationError(f"{folder} holds other files ({min(others)} …): name a folder that is empty")
    inner, tokenizer = model.parts()
    if not tokenizer.is_fast:
        raise ConfigurationError(f"{model.label} has no tokenizer.json: it runs by sentence-transformers alone")
    if sum(weight.numel() for weight in inner.parameters()) * _BYTES > _LARGEST:
        raise ConfigurationError(f"{model.label} is larger than one ONNX file can be (2 GiB): name a smaller model")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CARD).unlink(missing_ok=True)
    (folder / TOKENIZER).write_text(tokenizer.backend_tokenizer.to_str(), encoding="utf-8")
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        graph = Path(scratch) / GRAPH
        example = tokenizer(PROBE, truncation=True, max_length=model.reads, return_tensors="pt")
        _write_graph(inner, dict(example), graph)
        if int8:
            _round(graph, rounded := Path(scratch) / "rounded.onnx")
            graph = rounded
        graph.replace(folder / GRAPH)
    digests = {name: _digest(folder / name) for name in (GRAPH, TOKENIZER)}
    precision: Precision = "int8" if int8 else "fp32"
    card = ExportCard(
        model=model.label,
        precision=precision,
        pooling=pooling,
        reads=model.reads,
        query_prefix=model.prefixes.query,
        document_prefix=model.prefixes.document,
        weights=digests[GRAPH] if int8 else model.weights,
        sha256=digests,
    )
    (folder / CARD).write_text(card.model_dump_json(indent=2) + "\n", encoding="utf-8")
    return card


def _write_graph(inner: Any, example: dict[str, Any], path: Path) -> None:
    """The graph from token ids to one vector a token, for texts of any length."""
    import torch  # noqa: PLC0415  # part of an extra

    _require("onnx")
    names = [name for name in (IDS, MASK, TYPES) if name in example]

    class Hidden(torch.nn.Module):
        """What the exporter is to follow: inputs by place, one output."""

        def __init__(self) -> None:
            super().__init__()
            self.inner = inner

        def forward(self, *values: torch.Tensor) -> torch.Tensor:
            """The last layer's vectors."""
            read: torch.Tensor = self.inner(**dict(zip(names, values, strict=True))).last_hidden_state
            return read

    with _quietly(), torch.no_grad():
        inner.set_attn_implementation("eager")  # the others are kernels, which no graph can hold
        torch.onnx.export(
            Hidden().eval(),
            tuple(example[name] for name in names),
            str(path),
            input_names=names,
            output_names=[_HIDDEN],
            dynamic_axes={name: {0: "texts", 1: "tokens"} for name in (*names, _HIDDEN)},
            opset_version=OPSET,
            dynamo=False,  # the newer exporter wants another package, and writes what is slower here
        )


def _round(graph: Path, rounded: Path) -> None:
    quantization = _require("onnxruntime.quantization")
    with _quietly():
        quantization.quantize_dynamic(
            graph,
            rounded,
            weight_type=quantization.QuantType.QInt8,
            per_channel=True,
            reduce_range=True,  # 7 bits: two products of 8 overflow the 16 in which processors without VNNI add them
        )


def require_packages() -> None:
    """Seconds, where all are there. Raises ConfigurationError where one that converts is missing."""
    for module in ("sentence_transformers", "onnx"):
        _require(module)


def _require(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f"convert needs torch and a converter, and {error.name} is missing: run `pip install -c constraints.txt "
            "'.[torch,convert]'` in the folder of the source"
        ) from error


@contextmanager
def _quietly() -> Generator[None]:
    """Both libraries warn of each way of theirs that is a trap elsewhere; what they write is held against the model."""
    root = logging.getLogger()
    level = root.level
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        root.setLevel(logging.ERROR)
        try:
            yield
        finally:
            root.setLevel(level)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
