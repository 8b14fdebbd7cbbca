"""The drives as the operator's file names them: where they are, what of them is read, under which labels."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

from indexer.drives.base import Drive, is_name
from indexer.drives.folder import FolderDrive
from indexer.drives.protocols import server_at
from indexer.drives.rules import Rules
from indexer.drives.server import RemoteDrive
from indexer.settings import IndexerSettings
from indexer.units import MB
from rag.errors import ConfigurationError
from rag.toml_files import read_toml

_LABEL: Final = re.compile(r"@[a-z0-9][a-z0-9_-]{0,62}")
"""Never the name of a corpus or of a folder in one, so that no label opens what it was not meant to."""
_SECRET: Final = re.compile(r"pass(word|phrase|wd)?|secret|token|credential|^key$|account_?key|sas", re.IGNORECASE)


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

    @field_validator("root")
    @classmethod
    def _is_a_path(cls, root: Path) -> Path:
        if "\0" in str(root):
            raise ValueError(f"{str(root)!r} holds a character that no path can hold")
        try:
            root.expanduser()
        except RuntimeError as error:
            raise ValueError(f"{str(root)!r} is in the home of a user who is not known here") from error
        return root

    @field_validator("url")
    @classmethod
    def _is_an_address(cls, url: str) -> str:
        try:
            _ = urlsplit(url).port
        except ValueError as error:  # which may quote a password
            raise ValueError(
                "its host or port cannot be understood: write it like sftp://files.example.com:22/share"
            ) from error
        return url

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
        for name in _names_in(options):
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


def _names_in(value: Any) -> Iterator[str]:
    """Of options, at every depth."""
    match value:
        case dict():
            options = cast("dict[str, Any]", value)
            yield from options
            yield from chain.from_iterable(map(_names_in, options.values()))
        case list():
            yield from chain.from_iterable(map(_names_in, cast("list[Any]", value)))
        case _:
            return


class _Content(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    drives: dict[str, DriveEntry] = Field(default_factory=dict[str, DriveEntry], validate_default=True)

    @field_validator("drives")
    @classmethod
    def _have_names(cls, drives: dict[str, DriveEntry]) -> dict[str, DriveEntry]:
        if not drives:
            raise ValueError("no drive is named: write [drives.NAME] and its `root` or `url`")
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

    def source(self, name: str, *, may_be_absent: bool = False) -> Drive:
        """The drive; nothing is sent yet. Raises ConfigurationError, also where a folder that must be there is not."""
        entry = self.entries.get(name)
        if entry is None:
            raise ConfigurationError(f"{self.path} names no drive {name!r}: it has {', '.join(self.entries) or 'none'}")
        try:
            if (folder := self.folder(entry)) is not None:
                return (
                    FolderDrive(name, folder, entry.rules)
                    if may_be_absent
                    else FolderDrive.at(folder, name, entry.rules)
                )
            server = server_at(entry.url or "", {**entry.options, **self._revealed(entry)})
        except ConfigurationError as error:
            raise ConfigurationError(f"{self.path}: drives.{name}: {error}") from error
        return RemoteDrive(name, server, entry.rules, fetch_bytes=self.fetch_bytes)

    def folder(self, entry: DriveEntry) -> Path | None:
        """Where the drive lies on this machine, if it does."""
        return None if entry.root is None else _resolved(self.path.parent / entry.root.expanduser())

    def name_of(self, folder: Path) -> str | None:
        """The drive that this folder is."""
        place = _resolved(folder)
        return next((name for name, entry in self.entries.items() if self.folder(entry) == place), None)

    def _revealed(self, entry: DriveEntry) -> dict[str, str]:
        """The values of the entry's secret options."""
        missing = [name for name in entry.secrets.values() if name.lower() not in self.secrets]
        if missing:
            raise ConfigurationError(
                f"the secret {missing[0]!r} is not set: set FOOTNOTE_DRIVE_SECRETS__{missing[0].upper()}, or give its "
                f"file as FOOTNOTE_DRIVE_SECRETS__{missing[0].upper()}_FILE"
            )
        return {option: self.secrets[name.lower()].get_secret_value() for option, name in entry.secrets.items()}


def _resolved(folder: Path) -> Path:
    """Where links lead; of those that lead round, the link itself: `Path.resolve` raises RuntimeError for them."""
    return Path(os.path.realpath(folder))


def load_drives(settings: IndexerSettings) -> DrivesFile | None:
    """What FOOTNOTE_DRIVES_FILE names; None where it is not set. Raises ConfigurationError that names the place."""
    path = settings.drives_file
    if path is None:
        return None
    content = read_toml(path, _Content, setting="FOOTNOTE_DRIVES_FILE")
    secrets = {name.lower(): value for name, value in settings.drive_secrets.items()}
    drives = DrivesFile(path.absolute(), content.drives, secrets, settings.fetch_mb * MB)
    _check_places(drives)
    return drives


def _check_places(drives: DrivesFile) -> None:
    """Two names for one place would index everything twice. Raises ConfigurationError."""
    names: dict[str, str] = {}
    for name, entry in drives.entries.items():
        place = str(drives.folder(entry) or (entry.url or "").rstrip("/"))
        if place in names:
            raise ConfigurationError(f"{drives.path}: drives.{name} and drives.{names[place]} are the same: {place}")
        names[place] = name
