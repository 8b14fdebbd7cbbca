"""Which drives a command means: named ones, folders, those of the index, or all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from indexer.drives.base import Drive
from indexer.drives.drives_file import DrivesFile, load_drives
from indexer.drives.folder import FolderDrive
from indexer.settings import IndexerSettings
from rag.errors import ConfigurationError


def chosen_drives(settings: IndexerSettings, arguments: Sequence[str], *, name: str | None = None) -> list[Drive]:
    """The drives that a command line means: names of the drives file, or a folder; without any, all of the file.

    `name` is what a single folder is called. Of all of the file, some may be absent. Raises ConfigurationError.
    """
    file = load_drives(settings)
    if not arguments:
        if file is None:
            raise ConfigurationError("name a folder, or set FOOTNOTE_DRIVES_FILE to a file that names the drives")
        if name is not None:
            raise ConfigurationError(f"--name is for one folder: the drives of {file.path} have their names from there")
        return _all_of(file)
    if name is not None and len(arguments) > 1:
        raise ConfigurationError("--name is for one folder; several drives have their names from FOOTNOTE_DRIVES_FILE")
    chosen = [_chosen(file, argument, name) for argument in arguments]
    drives = list({(drive.name, drive.location): drive for drive in chosen}.values())
    by_name = {drive.name: drive for drive in drives}
    for drive in drives:
        if (other := by_name[drive.name]) is not drive:
            raise ConfigurationError(
                f"{drive.location} and {other.location} would both be called {drive.name!r}: index them one at a "
                "time, each with --name, or name them in FOOTNOTE_DRIVES_FILE"
            )
    return drives


def _all_of(file: DrivesFile) -> list[Drive]:
    drives = [file.source(name, may_be_absent=True) for name in file.entries]
    if all(isinstance(drive, FolderDrive) and not drive.root.is_dir() for drive in drives):
        places = ", ".join(f"{drive.name} ({drive.location})" for drive in drives)
        raise ConfigurationError(f"{file.path} names no drive that is there: {places or 'it is empty'}")
    return drives


def _chosen(file: DrivesFile | None, argument: str, name: str | None) -> Drive:
    if not argument:
        raise ConfigurationError("the drive is an empty string: name its folder (is a variable unset?)")
    known = None if file is None else argument if argument in file.entries else file.name_of(Path(argument))
    if file is not None and known is not None:
        if name is not None and name != known:
            raise ConfigurationError(f"{argument!r} has its name, {known}, from {file.path}: leave --name out")
        return file.source(known)
    if file is not None and not Path(argument).is_dir():
        names = ", ".join(file.entries) or "none"
        raise ConfigurationError(f"{argument!r} is neither a folder nor a drive of {file.path}, which has {names}")
    return FolderDrive.at(Path(argument), name)


def every_drive(settings: IndexerSettings, roots: Mapping[str, str]) -> list[Drive]:
    """Those of an index, by name and location, and those of the drives file besides. Raises ConfigurationError."""
    file = load_drives(settings)
    return indexed_drives(file, every_root(file, roots))


def every_root(file: DrivesFile | None, roots: Mapping[str, str]) -> dict[str, str]:
    """The drives of an index by name and location, and behind them those that only the file names, located by it."""
    return {**dict(roots), **{name: "" for name in (() if file is None else file.entries) if name not in roots}}


def indexed_drives(file: DrivesFile | None, roots: Mapping[str, str]) -> list[Drive]:
    """The drives of an index by name and location: as the drives file has them, or the folders. ConfigurationError."""
    drives: list[Drive] = []
    for name, root in roots.items():
        if file is not None and name in file.entries:
            drives.append(file.source(name))
        elif "://" in root:
            raise ConfigurationError(f"{name} comes from {root}, which FOOTNOTE_DRIVES_FILE does not name any more")
        else:
            drives.append(_indexed_folder(name, root))
    return drives


def _indexed_folder(name: str, root: str) -> FolderDrive:
    try:
        return FolderDrive.at(Path(root), name)
    except ConfigurationError as error:
        raise ConfigurationError(f"the corpus {name!r}: {error}, or mount it again") from error
