"""Conversion to HTML by pandoc, which is an optional part: the package pypandoc-binary brings the program."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final

from indexer.extraction.container.program import run_bounded
from indexer.extraction.container.source import read_bytes
from rag.errors import ExtractionError

REMEDY: Final = "Run `pip install -c constraints.txt '.[documents]'` in the folder of the source."
"""Where pandoc is missing or broken."""
CONVERSION_SECONDS: Final = 120
"""A megabyte of LaTeX, some four hundred pages, takes twenty on busy cores."""
_FILTER: Final = Path(__file__).with_name("keep.lua")


def installed_pandoc() -> Path | None:
    """The program, where the package is installed. One of the system is not taken: its age would change the text."""
    package = find_spec("pypandoc")
    if package is None or package.origin is None:
        return None
    program = Path(package.origin).parent / "files" / "pandoc"
    return program if program.is_file() else None


def as_html(program: Path, source: str, reader: str, folder: Path) -> str:
    """The page that it makes of a text in the format that it calls `reader`; no other file and no address is read.

    `folder` is to be empty and is the caller's to delete. Raises ExtractionError ("damaged", "too_slow").
    """
    written, page = folder / "source", folder / "page.html"
    written.write_text(source, encoding="utf-8")
    command = [str(program), "--sandbox", f"--from={reader}", "--to=html", "--standalone", "--mathjax", "--wrap=none"]
    command += [f"--lua-filter={_FILTER}", f"--output={page}", str(written)]
    try:
        run_bounded(command, folder, name="pandoc", seconds=CONVERSION_SECONDS)
        return read_bytes(page).decode("utf-8", "replace")
    except OSError as error:
        raise ExtractionError("damaged", "pandoc cannot be started.", REMEDY) from error
    except ExtractionError as error:
        if error.failure.code != "vanished":
            raise
        raise ExtractionError("damaged", "pandoc cannot read the file.", "Mend its markup.") from error
