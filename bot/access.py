"""Who may read what: channels, direct messages and people held against the operator's file."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict

from rag.errors import ConfigurationError
from rag.toml_files import read_toml
from rag.types.scope import Scope
from rag.uris import label_of

Labels: TypeAlias = frozenset[Annotated[str, AfterValidator(label_of)]]

log = logging.getLogger(__name__)


class ScopesFile(BaseModel):
    """What stands in the file: corpora ("handbook") and folders of them ("drive/HR/Leave") by who may read them."""

    model_config = ConfigDict(extra="forbid")

    default: Labels = frozenset()
    """For channels that are not named."""
    direct_messages: Labels = frozenset()
    """For everybody, in a direct message."""
    channels: Mapping[str, Labels] = {}
    """By channel id; a channel that is named gets this and not the default."""
    users: Mapping[str, Labels] = {}
    """By user id: what this person may read besides, in a direct message."""


@dataclass(slots=True)
class Scopes:
    """The scope of each asker. Without a file nobody may read anything."""

    path: Path | None
    _rules: ScopesFile = field(default_factory=ScopesFile, init=False)
    _read_at: int = field(default=-1, init=False)

    def __post_init__(self) -> None:
        """Raises ConfigurationError when the file cannot be read or says something that we do not know."""
        if self.path is not None:
            self._rules, self._read_at = _read(self.path), _changed_at(self.path)

    def of(self, channel: str, *, user: str = "", direct: bool = False) -> Scope:
        """What may be read there; nothing, where the operator has said nothing."""
        rules = self._current()
        if direct:
            return Scope(rules.direct_messages | rules.users.get(user, frozenset()))
        return Scope(rules.channels.get(channel, rules.default))

    @property
    def labels(self) -> frozenset[str]:
        """All that the file names: for a check against what is indexed."""
        rules = self._current()
        return rules.default.union(rules.direct_messages, *rules.channels.values(), *rules.users.values())

    def _current(self) -> ScopesFile:
        """The rules as they stand in the file now; while it is unreadable nobody may read anything."""
        if self.path is not None and (changed_at := _changed_at(self.path)) != self._read_at:
            self._read_at = changed_at
            try:
                self._rules = _read(self.path)
                log.info("scopes read again", extra={"path": str(self.path)})
            except ConfigurationError as error:
                self._rules = ScopesFile()
                log.error("nobody may read anything until the scopes file is mended", extra={"reason": str(error)})
        return self._rules


def _read(path: Path) -> ScopesFile:
    return read_toml(path, ScopesFile, setting="FOOTNOTE_SCOPES_FILE")


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
