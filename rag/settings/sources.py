"""Where settings stand: the environment, `.env`, and files of secrets. The only place that reads the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from pydantic_settings import BaseSettings, DotEnvSettingsSource, EnvSettingsSource

from rag.errors import ConfigurationError
from rag.settings.names import SECRETS_DIR, variable_of


class SecretFiles(EnvSettingsSource):
    """Values from files: `NAME_FILE` says where NAME stands, or NAME is a file in the folder FOOTNOTE_SECRETS_DIR."""

    def _load_env_vars(self) -> Mapping[str, str | None]:
        wanted = {variable_of(name, field) for name, field in self.settings_cls.model_fields.items()}
        said = written(self.settings_cls)
        named = {name.removesuffix("_FILE"): Path(path) for name, path in said.items() if name.endswith("_FILE")}
        files = {**files_in_folder(said), **named}
        found = {name: _read(name, path) for name, path in files.items() if name.split("__")[0] in wanted}
        return {name.lower(): value for name, value in found.items() if value}


def written(kind: type[BaseSettings]) -> dict[str, str]:
    """What the environment or else `.env` says, by name in capitals; an empty value says nothing.

    Raises OSError and UnicodeDecodeError where `.env` cannot be read.
    """
    return written_in_dotenv(kind) | {name.upper(): value for name, value in os.environ.items() if value}


def written_in_dotenv(kind: type[BaseSettings]) -> dict[str, str]:
    """What `.env` alone says; like `written`."""
    return {name.upper(): value for name, value in DotEnvSettingsSource(kind).env_vars.items() if value}


def files_in_folder(said: Mapping[str, str]) -> dict[str, Path]:
    """The files of the folder that FOOTNOTE_SECRETS_DIR names, by name in capitals. Raises ConfigurationError."""
    folder = said.get(SECRETS_DIR)
    try:
        return {path.name.upper(): path for path in Path(folder).iterdir() if path.is_file()} if folder else {}
    except OSError as error:
        raise ConfigurationError(f"{SECRETS_DIR}={folder!r} cannot be read: {error.strerror}") from error


def _read(name: str, path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ConfigurationError(f"{name}: its file {str(path)!r} cannot be read: {reason}") from None
