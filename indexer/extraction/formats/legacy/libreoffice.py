"""Conversion by LibreOffice, in a process that is bounded and knows neither macros nor links."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from indexer.extraction.container.program import run_bounded
from rag.errors import ExtractionError

CONVERSION_SECONDS: Final = 120
"""Starting takes two; hundreds of pages take twenty."""
_SETTINGS: Final = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
 <item oor:path="/org.openoffice.Office.Common/Security/Scripting">
  <prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop>
  <prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop>
  <prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop>
 </item>
 <item oor:path="/org.openoffice.Office.Writer/Content/Update">
  <prop oor:name="Link" oor:op="fuse"><value>0</value></prop>
 </item>
 <item oor:path="/org.openoffice.Office.Calc/Content/Update">
  <prop oor:name="Link" oor:op="fuse"><value>2</value></prop>
 </item>
</oor:items>
"""
"""Very high macro security, no macros at all, nothing fetched, no link brought up to date."""


def converted(program: Path, path: Path, source: str, target: str, folder: Path) -> Path:
    """The file in another format, in `folder`, which is to be empty and is the caller's to delete.

    `source` and `target` are suffixes without a dot. Raises ExtractionError ("damaged", "too_slow", "unreadable").
    """
    profile = folder / "profile" / "user"
    profile.mkdir(parents=True)
    (profile / "registrymodifications.xcu").write_text(_SETTINGS, encoding="utf-8")
    original = folder / f"original.{source}"  # the program goes by the suffix, and names may hold anything
    _placed(path, original)
    command = [
        str(program),
        f"-env:UserInstallation={(folder / 'profile').as_uri()}",
        "--headless",
        "--norestore",
        "--nolockcheck",
        "--convert-to",
        target,
        "--outdir",
        str(folder / "converted"),
        str(original),
    ]
    try:
        run_bounded(command, folder, name="LibreOffice", seconds=CONVERSION_SECONDS)
    except OSError as error:
        raise ExtractionError(
            "needs_libreoffice", f"LibreOffice cannot be started: {error.strerror}.", "Check FOOTNOTE_LIBREOFFICE."
        ) from error
    result = folder / "converted" / f"original.{target}"
    if not result.is_file():
        raise ExtractionError(
            "damaged",
            "LibreOffice cannot open the file: it is damaged, or protected by a password.",
            "Open it in the program that it was made with, and save it in a newer format.",
        )
    return result


def _placed(path: Path, original: Path) -> None:
    try:
        shutil.copyfile(path, original)
    except OSError as error:
        raise ExtractionError(
            "unreadable", f"The file cannot be copied: {error.strerror}.", "Check its permissions, and the free space."
        ) from error
