"""TOML files that operators write, checked against what they may say."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from rag.errors import ConfigurationError

M = TypeVar("M", bound=BaseModel)

_TEXT, _LIST, _TABLE = "must be text in quotes", 'must be a list, as in ["…"]', "must be a table"
_WORDS: Final[Mapping[str, str]] = {
    "missing": "is missing",
    "string_type": _TEXT,
    "path_type": _TEXT,
    "list_type": _LIST,
    "frozen_set_type": _LIST,
    "dict_type": _TABLE,
    "mapping_type": _TABLE,
    "model_type": _TABLE,
}
"""What is said of the mistakes that people make, by pydantic's names of them."""


def read_toml(path: Path, kind: type[M], *, setting: str) -> M:
    """What the file says. Raises ConfigurationError that names the file, the place in it, and what is wrong there.

    `setting` is what the operator named the file in.
    """
    try:
        return kind.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ConfigurationError(f"{setting}={str(path)!r} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} is not TOML: {error}") from error
    except ValidationError as error:
        problems = "; ".join(_told(kind, each) for each in error.errors())
        raise ConfigurationError(f"{path} says what cannot be understood: {problems}") from error


def _told(kind: type[BaseModel], problem: ErrorDetails) -> str:
    """A place of the file, and what is wrong there."""
    match problem:
        case {"type": "extra_forbidden"}:
            says = _unknown(kind, problem["loc"])
        case {"type": "value_error", "ctx": {"error": error}}:
            says = str(error)
        case _:
            says = _WORDS.get(problem["type"], problem["msg"])
    return f"{'.'.join(map(str, problem['loc']))}: {says}"


def _unknown(kind: type[BaseModel], place: Sequence[int | str]) -> str:
    known = _keys(kind, place[:-1])
    alike = get_close_matches(str(place[-1]), known, n=1)
    if alike:
        return f"is not known here; did you mean {alike[0]}?"
    return f"is not known here; what can be said is {', '.join(known)}" if known else "is not known here"


def _keys(kind: Any, place: Sequence[int | str]) -> list[str]:
    """What the table at this place may hold."""
    for part in place:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            kind = kind.model_fields[str(part)].annotation
        else:
            inner = get_args(kind)
            kind = inner[-1] if inner else None
    return list(kind.model_fields) if isinstance(kind, type) and issubclass(kind, BaseModel) else []
