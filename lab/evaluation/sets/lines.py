"""Files of one JSON object a line, whose errors name file and line."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from rag.errors import EvaluationError

T = TypeVar("T")
_HALF: Final = re.compile(r"\\ud[89a-f]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class JsonLine:
    """One object, and where it stands."""

    path: Path
    number: int
    """Counted from 1."""
    values: Mapping[str, Any]

    def words(self, name: str) -> str:
        """The text of a field. Raises EvaluationError when it is missing, no text, or blank."""
        text = self.get(name, str)
        if not text.strip():
            raise self.error(f"the field {name!r} is blank")
        return text

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


def read_lines(path: Path) -> Iterator[JsonLine]:
    """Each object of a file, packed by gzip or not; empty lines are left out. Raises EvaluationError."""
    for number, text in enumerate(read_text(path).split("\n"), start=1):
        if not text.strip():
            continue
        try:
            values: object = json.loads(text)
        except json.JSONDecodeError as error:
            raise EvaluationError(f"{path}:{number}: not JSON ({error.msg} at character {error.pos + 1})") from None
        except (RecursionError, ValueError) as error:  # nested without end; a number of thousands of digits
            raise EvaluationError(f"{path}:{number}: cannot be read as JSON ({error})") from None
        if not isinstance(values, dict):
            raise EvaluationError(f"{path}:{number}: not a JSON object")
        if _HALF.search(text):  # may be half of a character beyond the 65,536th: no file and no model takes that
            try:
                json.dumps(values, ensure_ascii=False).encode()
            except UnicodeEncodeError:
                raise EvaluationError(f"{path}:{number}: it holds half a character (\\ud800 to \\udfff)") from None
        yield JsonLine(path, number, cast("dict[str, Any]", values))


def by_key(lines: Iterable[tuple[JsonLine, str]]) -> dict[str, JsonLine]:
    """The lines by what must be theirs alone. Raises EvaluationError for the second of one key."""
    found: dict[str, JsonLine] = {}
    for line, key in lines:
        if key in found:
            first = found[key]
            where = f"line {first.number}" if first.path == line.path else f"{first.path}:{first.number}"
            raise line.error(f"its id {key!r} is that of {where}, too")
        found[key] = line
    return found


def read_text(path: Path) -> str:
    """The text of a file, packed by gzip or not, without a byte order mark. Raises EvaluationError."""
    try:
        content = path.read_bytes()
        return (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8-sig")
    except OSError as error:  # of gzip, too
        raise EvaluationError(f"{path}: it cannot be read: {error.strerror or error}") from error
    except (UnicodeDecodeError, EOFError, zlib.error) as error:
        raise EvaluationError(f"{path}: it cannot be read: {error}") from error
