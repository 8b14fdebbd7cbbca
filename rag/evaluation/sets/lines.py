"""Files of one JSON object a line, whose errors name file and line."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

from rag.errors import EvaluationError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Line:
    """One object, and where it stands."""

    path: Path
    number: int
    """Counted from 1."""
    values: Mapping[str, Any]

    def get(self, name: str, kind: type[T], default: T | None = None) -> T:
        """The value of a field. Raises EvaluationError when it is missing and has no default, or is something else."""
        value = self.values.get(name)
        if value is None:
            if default is None:
                raise self.error(f"the field {name!r} is missing")
            return default
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.error(f"the field {name!r} is {value!r}, which is no {kind.__name__}")
        return value

    def error(self, reason: str) -> EvaluationError:
        """What is wrong with it."""
        return EvaluationError(f"{self.path}:{self.number}: {reason}")


def read_lines(path: Path) -> Iterator[Line]:
    """Each object of a file, packed by gzip or not; empty lines are left out. Raises EvaluationError."""
    for number, text in enumerate(read_text(path).split("\n"), start=1):
        if not text.strip():
            continue
        try:
            values: object = json.loads(text)
        except json.JSONDecodeError as error:
            raise EvaluationError(f"{path}:{number}: not JSON ({error.msg} at character {error.pos + 1})") from None
        if not isinstance(values, dict):
            raise EvaluationError(f"{path}:{number}: not a JSON object")
        yield Line(path, number, cast("dict[str, Any]", values))


def read_text(path: Path) -> str:
    """The text of a file, packed by gzip or not. Raises EvaluationError."""
    try:
        content = path.read_bytes()
        return (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8")
    except OSError as error:  # of gzip, too
        raise EvaluationError(f"{path}: it cannot be read: {error.strerror or error}") from error
    except (UnicodeDecodeError, EOFError, zlib.error) as error:
        raise EvaluationError(f"{path}: it cannot be read: {error}") from error
