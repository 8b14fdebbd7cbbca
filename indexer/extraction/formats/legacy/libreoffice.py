"""Conversion by LibreOffice, in a process that is bounded and knows neither macros nor links."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Final

from rag.errors import ExtractionError

CONVERSION_SECONDS: Final = 120
"""Starting takes two; hundreds of pages take twenty."""
_CPU_SECONDS: Final = 240
_MEMORY_KILOBYTES: Final = 3 * 1024 * 1024
_OUTPUT_BLOCKS: Final = 1024 * 1024  # of 512 bytes
_BOUNDED: Final = """
ulimit -S -d "$1" 2>/dev/null; ulimit -S -t "$2" 2>/dev/null; ulimit -S -f "$3" 2>/dev/null
(sleep "$4"; kill -s KILL 0) &
shift 4
exec "$@"
"""
"""Limits of its own, instead of ours; and an end of its own, for the case that we are gone before it."""
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
_PROXY: Final = "http://127.0.0.1:9"
"""Where nobody listens (the discard port): whatever asks for an address all the same gets no answer."""


def converted(program: Path, path: Path, source: str, target: str, folder: Path) -> Path:
    """The file in another format, in `folder`, which is to be empty and is the caller's to delete.

    `source` and `target` are suffixes without a dot. Raises ExtractionError ("damaged", "too_slow", "unreadable").
    """
    profile = folder / "profile" / "user"
    profile.mkdir(parents=True)
    (profile / "registrymodifications.xcu").write_text(_SETTINGS, encoding="utf-8")
    original = folder / f"original.{source}"  # the program goes by the suffix, and names may hold anything
    _placed(path, original)
    limits = [str(limit) for limit in (_MEMORY_KILOBYTES, _CPU_SECONDS, _OUTPUT_BLOCKS, CONVERSION_SECONDS + 10)]
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
    _run(["/bin/sh", "-c", _BOUNDED, "sh", *limits, *command], folder)
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


def _run(command: list[str], folder: Path) -> None:
    environment = dict.fromkeys(("http_proxy", "https_proxy", "ftp_proxy"), _PROXY)
    environment |= {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "HOME": str(folder), "TMPDIR": str(folder)}
    try:
        process = subprocess.Popen(  # noqa: S603  # the program that the operator named, and no shell's words but ours
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise ExtractionError(
            "needs_libreoffice", f"LibreOffice cannot be started: {error.strerror}.", "Check FOOTNOTE_LIBREOFFICE."
        ) from error
    try:
        process.wait(CONVERSION_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise ExtractionError(
            "too_slow",
            f"LibreOffice has not converted the file within {CONVERSION_SECONDS} seconds.",
            "Save it in a newer format, or split it.",
        ) from error
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # the watch that ends it goes with it
        process.wait()
