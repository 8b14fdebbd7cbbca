"""Builds the demo company's drive: `python -m demo.build TARGET_DIR`.

A file in `texts/` becomes the file of the same place on the drive. What ends in `.pdf.md`, `.docx.md` or `.xlsx.md` is
printed as PDF, Word document or workbook, and `.scan.pdf.md` as a scan; everything else is copied as it is.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final

from demo.press.pdf import to_pdf
from demo.press.scan import to_scan
from demo.press.source import Source, read_source
from demo.press.word import to_docx
from demo.press.workbook import to_xlsx

COMPANY: Final = "Moorvant Cargo Cycles"
TEXTS: Final = Path(__file__).parent / "texts"
PRINTERS: Final[Mapping[str, tuple[str, Callable[[Source], bytes]]]] = MappingProxyType(
    {
        ".scan.pdf.md": (".pdf", partial(to_scan, company=COMPANY)),
        ".pdf.md": (".pdf", partial(to_pdf, company=COMPANY)),
        ".docx.md": (".docx", partial(to_docx, company=COMPANY)),
        ".xlsx.md": (".xlsx", partial(to_xlsx, company=COMPANY)),
    }
)
"""How the name of a text ends: how the name of its file ends, and what prints it. The first that fits."""


def build_drive(target: Path) -> tuple[Path, ...]:
    """Writes the drive and gives its files, relative to `target` and sorted. Other files in `target` are left alone."""
    written = sorted(_build_file(text, target) for text in TEXTS.rglob("*") if text.is_file())
    return tuple(path.relative_to(target) for path in written)


def _build_file(text: Path, target: Path) -> Path:
    goal = target / text.relative_to(TEXTS)
    content = text.read_bytes()
    for ending, (suffix, to_file) in PRINTERS.items():
        if text.name.endswith(ending):
            goal = goal.with_name(text.name.removesuffix(ending) + suffix)
            content = to_file(read_source(content.decode()))
            break
    goal.parent.mkdir(parents=True, exist_ok=True)
    # A file that is already right keeps its date, so that an indexer has no reason to read it anew.
    if not goal.is_file() or goal.read_bytes() != content:
        goal.write_bytes(content)
    return goal


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Build the demo company's drive.")
    parser.add_argument("target", type=Path, help="the folder to write it to; made when it is missing")
    target: Path = parser.parse_args().target
    print(f"{len(build_drive(target))} documents in {target}")


if __name__ == "__main__":
    main()
