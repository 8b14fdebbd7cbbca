"""Settings read, and what an operator is told of those that cannot work."""

from __future__ import annotations

import json
import logging
from typing import Any, Literal, TypeVar

from pydantic import ValidationError
from pydantic_settings import SettingsError

from rag.errors import ConfigurationError
from rag.settings.engine import EngineSettings
from rag.settings.names import PREFIX, variable_of, variables
from rag.settings.sources import SecretFiles, written
from rag.settings.spelling import strange_names

log = logging.getLogger(__name__)

S = TypeVar("S", bound=EngineSettings)


def load_settings(kind: type[S], **overrides: Any) -> S:
    """The settings of a program. Raises ConfigurationError that names each setting that cannot work, or is misspelt.

    A name of ours that resembles no setting may be meant for something else: it is logged.
    """
    for message in unread_names(kind):
        log.warning("%s", message)
    return read_values(kind, **overrides)


def read_values(kind: type[S], **overrides: Any) -> S:
    """Further settings for one part of a program, whose names have been looked through. Raises ConfigurationError."""
    try:
        return kind(**overrides)
    except ValidationError as error:
        lines = [f"{_named(kind, problem['loc'])}: {problem['msg']}" for problem in error.errors()]
        raise ConfigurationError("; ".join(lines)) from None
    except SettingsError as error:
        raise ConfigurationError(_not_json(kind, error)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(error) from None


def unread_names(kind: type[EngineSettings]) -> list[str]:
    """A message for each name of ours that is set and changes nothing. Raises ConfigurationError for misspelt ones."""
    try:
        strange = list(strange_names(kind))
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(error) from None
    misspelt = [found for found in strange if found.meant is not None]
    if misspelt:
        raise ConfigurationError(" ".join(found.message for found in misspelt))
    return [found.message for found in strange]


def log_style(kind: type[EngineSettings]) -> Literal["text", "json"]:
    """What FOOTNOTE_LOG_STYLE says, even where other settings cannot work: for a program that tells why it ends."""
    try:
        return "json" if written(kind).get(f"{PREFIX}LOG_STYLE") == "json" else "text"
    except (OSError, UnicodeDecodeError):
        return "text"


def _unreadable(error: OSError | UnicodeDecodeError) -> ConfigurationError:
    return ConfigurationError(f".env cannot be read: {error}")


def _named(kind: type[EngineSettings], location: tuple[int | str, ...]) -> str:
    """A problem's place as the operator wrote it."""
    first, *rest = map(str, location)
    field = kind.model_fields.get(first)
    name = first if field is None else variable_of(first, field)
    return "__".join([name, *(part.upper() for part in rest)])


def _not_json(kind: type[EngineSettings], error: SettingsError) -> str:
    """Which setting ought to be JSON, where it stops being it, and what it ought to be; its value may be a secret."""
    cause = error.__cause__
    if not isinstance(cause, json.JSONDecodeError):
        return str(error)
    files = {name: value or "" for name, value in SecretFiles(kind).env_vars.items()}
    names = [name.upper() for name, value in (files | written(kind)).items() if value == cause.doc]
    fields = variables(kind)
    wanted = dict.fromkeys(fields[name].description or "" for name in names if name in fields)
    meant = f"; what is wanted is a {' or a '.join(wanted)}".replace("`", "") if wanted else ""
    return f"{' or '.join(names) or error}: not JSON ({cause.msg} at character {cause.pos + 1}){meant}"
