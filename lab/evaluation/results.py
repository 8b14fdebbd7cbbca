"""What a run gives: figures by set and way, as files that `compare`, `history` and `report` read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeVar, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    FiniteFloat,
    SerializerFunctionWrapHandler,
    TypeAdapter,
    ValidationError,
    model_serializer,
    model_validator,
)

from lab.evaluation.declining import Declining
from lab.evaluation.figures import Estimate, Latency
from rag.errors import EvaluationError

M = TypeVar("M", bound=BaseModel)


class IndexSummary(BaseModel):
    """What was searched."""

    model_config = ConfigDict(frozen=True)

    embedder: str
    chunker: str = ""
    """Empty where nothing was cut."""
    documents: int
    chunks: int = 0
    unread: int = 0
    """Files that could not be read."""


class Result(BaseModel):
    """One way over one set."""

    model_config = ConfigDict(frozen=True)

    set: str
    mode: str
    questions: int
    """Answerable ones."""
    unanswerable: int = 0
    skipped: int = 0
    """Questions that the set marks as unfit for scoring."""
    passages: int = 0
    """How many an answer is written from: those that are weighed."""
    degraded: dict[str, int] = {}
    """How often something was less than it should be, by the notice's code: such figures are not those of the way."""
    metrics: dict[str, Estimate]
    declining: Declining | None = None
    latency_ms: dict[str, Latency]
    """By stage; `retrieve` has `embed` in it."""
    index: IndexSummary
    version: str
    at: str
    """The day, as YYYY-MM-DD in UTC."""

    @model_serializer(mode="wrap")
    def _written(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Bare numbers under `metrics`, those of declining too, for whoever reads the file; intervals beside them."""
        written: dict[str, Any] = {}
        for name, value in handler(self).items():
            if name == "metrics":
                written["metrics"] = {**self.flat()}
                written["intervals"] = {key: [one.low, one.high, one.n] for key, one in self.metrics.items()}
            else:
                written[name] = value
        return written

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        """The figures of a file, put together again."""
        if not isinstance(data, dict) or "intervals" not in data:
            return data
        file = cast("dict[str, Any]", data)
        try:
            figures = {
                name: {"value": file["metrics"][name], "low": low, "high": high, "n": n}
                for name, (low, high, n) in file["intervals"].items()
            }
        except (AttributeError, KeyError, TypeError, ValueError):
            raise ValueError("metrics and intervals do not belong together") from None
        return {**{key: value for key, value in file.items() if key != "intervals"}, "metrics": figures}

    def flat(self) -> Mapping[str, float]:
        """Each figure by name; those of declining too."""
        found = {name: figure.value for name, figure in self.metrics.items()}
        if self.declining is not None:
            if self.declining.recall is not None:
                found["decline_recall"] = self.declining.recall.value
            if self.declining.precision is not None:
                found["decline_precision"] = self.declining.precision.value
            if self.declining.answerable_declined is not None:
                found[LOWER_IS_BETTER] = self.declining.answerable_declined.value
        return found


LOWER_IS_BETTER: Final = "answerable_declined"
"""Of all figures the one that is better when it is lower."""


class Detail(BaseModel):
    """One way, one question."""

    model_config = ConfigDict(frozen=True)

    set: str
    mode: str
    id: str
    answerable: bool
    metrics: dict[str, FiniteFloat]
    strength: float | None = None
    verdict: Literal["answer", "caution", "decline"] | None = None
    found: list[tuple[str, int, float]]
    """File, page and score of the first passages."""


_RESULTS: Final = TypeAdapter(list[Result])


def read_results(path: Path) -> list[Result]:
    """What `run --out` wrote. Raises EvaluationError."""
    try:
        results = _RESULTS.validate_json(read_text(path))
    except ValidationError as error:
        raise EvaluationError(f"{path}: not what `run --out` writes: {_first(error)}") from None
    if not results:
        raise EvaluationError(f"{path}: not what `run --out` writes: it holds no result")
    return results


def results_json(results: Sequence[Result]) -> str:
    """As `run --out` writes them."""
    return _RESULTS.dump_json(list(results), indent=1, exclude_none=True).decode() + "\n"


def read_details(path: Path) -> list[Detail]:
    """What `run --details` wrote. Raises EvaluationError."""
    return read_models(path, Detail, "`run --details`")


def read_models(path: Path, kind: type[M], writer: str) -> list[M]:
    """One object of this kind a line. Raises EvaluationError, which names `writer` as who writes such files."""
    found: list[M] = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            found.append(kind.model_validate_json(line))
        except ValidationError as error:
            raise EvaluationError(f"{path}:{number}: not what {writer} writes: {_first(error)}") from None
    return found


def write_lines(path: Path, rows: Iterable[BaseModel]) -> None:
    """One object a line."""
    write_text(path, "".join(f"{row.model_dump_json(exclude_none=True)}\n" for row in rows))


def write_text(path: Path, text: str) -> None:
    """The file, and the folder that it is in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def read_text(path: Path) -> str:
    """The text of a file, without a byte order mark. Raises EvaluationError."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise EvaluationError(f"{path}: it cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise EvaluationError(f"{path}: it cannot be read: it is not UTF-8") from None


def _first(error: ValidationError) -> str:
    problem = error.errors()[0]
    place = ".".join(map(str, problem["loc"]))
    return f"{place}: {problem['msg']}" if place else problem["msg"]
