"""The drives as the operator's file names them: where they are, what of them is read, under which labels."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator, model_validator

from indexer.drive import Drive, Source, is_name
from indexer.protocols import server_at
from indexer.remote import RemoteDrive
from indexer.rules import Rules
from indexer.settings import IndexerSettings
from rag.errors import ConfigurationError

_LABEL: Final = re.compile(r"@[a-z0-9][a-z0-9_-]{0,62}")
"""Never the name of a corpus or of a folder in one, so that no label opens what it was not meant to."""
_SECRET: Final = re.compile(r"pass(word|phrase|wd)?|secret|token|credential|^key$|account_?key|sas", re.IGNORECASE)
MB: Final = 1_000_000  # bytes


class DriveEntry(BaseModel):
    """`[drives.NAME]`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    root: Path | None = None
    """A folder of this machine; a relative one starts where the file stands."""
    url: str | None = None
    """A folder on a server, by any protocol of fsspec."""
    include: list[str] = Field(default_factory=list[str])
    exclude: list[str] = Field(default_factory=list[str])
    labels: dict[str, list[str]] = Field(default_factory=dict[str, list[str]])
    """Pattern to labels that scopes can name: `"HR/Public/" = ["@public"]`."""
    options: dict[str, Any] = Field(default_factory=dict[str, Any])
    """What the protocol is told besides; never a secret."""
    secrets: dict[str, str] = Field(default_factory=dict[str, str])
    """Option to the name under which its value stands in FOOTNOTE_DRIVE_SECRETS."""

    @field_validator("labels")
    @classmethod
    def _are_labels(cls, labels: dict[str, list[str]]) -> dict[str, list[str]]:
        for label in (label for given in labels.values() for label in given):
            if not _LABEL.fullmatch(label):
                raise ValueError(f"{label!r} is no label: write @ and then lower-case letters, digits, - and _")
        return labels

    @field_validator("options")
    @classmethod
    def _hold_no_secret(cls, options: dict[str, Any]) -> dict[str, Any]:
        for name in options:
            if _SECRET.search(name):
                raise ValueError(f"{name!r} is a secret: name it under `secrets`, and set FOOTNOTE_DRIVE_SECRETS")
        return options

    @model_validator(mode="after")
    def _is_one_place(self) -> DriveEntry:
        if (self.root is None) == (self.url is None):
            raise ValueError("give either `root`, a folder, or `url`, a folder on a server")
        if self.url is None and (self.options or self.secrets):
            raise ValueError("`options` and `secrets` are for drives with a `url`")
        _ = self.rules
        return self

    @property
    def rules(self) -> Rules:
        """What is read of it."""
        return Rules(tuple(self.include), tuple(self.exclude), self.labels)


class _Content(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    drives: dict[str, DriveEntry]

    @field_validator("drives")
    @classmethod
    def _have_names(cls, drives: dict[str, DriveEntry]) -> dict[str, DriveEntry]:
        for name in drives:
            if not is_name(name):
                raise ValueError(f"{name!r} is no name for a drive: use lower-case letters, digits, - and _")
        return drives


@dataclass(frozen=True, slots=True)
class DrivesFile:
    """The drives by name, in the order of the file."""

    path: Path
    entries: Mapping[str, DriveEntry]
    secrets: Mapping[str, SecretStr]
    fetch_bytes: int

    def source(self, name: str) -> Source:
        """The drive; nothing is sent yet. Raises ConfigurationError."""
        entry = self.entries.get(name)
        if entry is None:
            raise ConfigurationError(f"{self.path} names no drive {name!r}: it has {', '.join(self.entries) or 'none'}")
        try:
            if entry.root is not None:
                return Drive.at(self.path.parent / entry.root.expanduser(), name, entry.rules)
            server = server_at(entry.url or "", {**entry.options, **self._revealed(entry)})
        except ConfigurationError as error:
            raise ConfigurationError(f"{self.path}: drives.{name}: {error}") from error
        return RemoteDrive(name, server, entry.rules, fetch_bytes=self.fetch_bytes)

    def _revealed(self, entry: DriveEntry) -> dict[str, str]:
        """The values of the entry's secret options."""
        missing = [name for name in entry.secrets.values() if name.lower() not in self.secrets]
        if missing:
            raise ConfigurationError(
                f"the secret {missing[0]!r} is not set: set FOOTNOTE_DRIVE_SECRETS__{missing[0].upper()}, or give its "
                f"file as FOOTNOTE_DRIVE_SECRETS__{missing[0].upper()}_FILE"
            )
        return {option: self.secrets[name.lower()].get_secret_value() for option, name in entry.secrets.items()}


def load_drives(settings: IndexerSettings) -> DrivesFile | None:
    """What FOOTNOTE_DRIVES_FILE names; None where it is not set. Raises ConfigurationError that names the place."""
    path = settings.drives_file
    if path is None:
        return None
    try:
        content = _Content.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ConfigurationError(f"FOOTNOTE_DRIVES_FILE={str(path)!r} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} is not TOML: {error}") from error
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, p['loc']))}: {p['msg']}" for p in error.errors())
        raise ConfigurationError(f"{path} says what cannot be understood: {problems}") from error
    secrets = {name.lower(): value for name, value in settings.drive_secrets.items()}
    drives = DrivesFile(path.absolute(), content.drives, secrets, settings.fetch_mb * MB)
    _check_places(drives)
    return drives


def _check_places(drives: DrivesFile) -> None:
    """Two names for one place would index everything twice. Raises ConfigurationError."""
    names: dict[str, str] = {}
    for name, entry in drives.entries.items():
        root = entry.root
        place = (entry.url or "").rstrip("/") if root is None else str((drives.path.parent / root).resolve())
        if place in names:
            raise ConfigurationError(f"{drives.path}: drives.{name} and drives.{names[place]} are the same: {place}")
        names[place] = name


def chosen_drives(settings: IndexerSettings, arguments: Sequence[str], *, name: str | None = None) -> list[Source]:
    """The drives that a command line means: names of the drives file, or a folder; without any, all of the file.

    `name` is what a single folder is called. Raises ConfigurationError.
    """
    file = load_drives(settings)
    if not arguments:
        if file is None:
            raise ConfigurationError("name a folder, or set FOOTNOTE_DRIVES_FILE to a file that names the drives")
        return [file.source(known) for known in file.entries]
    if name is not None and len(arguments) > 1:
        raise ConfigurationError("--name is for one folder; several drives have their names from FOOTNOTE_DRIVES_FILE")
    return [_chosen(file, argument, name) for argument in dict.fromkeys(arguments)]


def _chosen(file: DrivesFile | None, argument: str, name: str | None) -> Source:
    if not argument:
        raise ConfigurationError("the drive is an empty string: name its folder (is a variable unset?)")
    if file is not None and argument in file.entries:
        if name is not None:
            raise ConfigurationError(f"{argument!r} has its name from {file.path}: leave --name out")
        return file.source(argument)
    if file is not None and not Path(argument).is_dir():
        known = ", ".join(file.entries) or "none"
        raise ConfigurationError(f"{argument!r} is neither a folder nor a drive of {file.path}, which has {known}")
    return Drive.at(Path(argument), name)


def indexed_drives(settings: IndexerSettings, roots: Mapping[str, str]) -> list[Source]:
    """The drives of an index by name and location: as the drives file has them, or the folders. ConfigurationError."""
    file = load_drives(settings)
    drives: list[Source] = []
    for name, root in roots.items():
        if file is not None and name in file.entries:
            drives.append(file.source(name))
        elif "://" in root:
            raise ConfigurationError(f"{name} comes from {root}, which FOOTNOTE_DRIVES_FILE does not name any more")
        else:
            drives.append(_indexed_folder(name, root))
    return drives


def _indexed_folder(name: str, root: str) -> Drive:
    try:
        return Drive.at(Path(root), name)
    except ConfigurationError as error:
        raise ConfigurationError(f"the corpus {name!r}: {error}, or mount it again") from error
