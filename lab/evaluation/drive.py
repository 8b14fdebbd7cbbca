"""A set of questions as a drive: a folder that the indexer reads like any other."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from lab.evaluation.sets.base import QuestionCorpus, SetText

FOLDER: Final = "drive"


def drive_of(corpus: QuestionCorpus, work: Path) -> Path:
    """The folder of its files: the set's own, or one below `work` where its texts are written as Markdown.

    A file that is right already keeps its date, so that the indexer has no reason to read it anew.
    """
    if corpus.drive is not None:
        return corpus.drive
    root = work / FOLDER
    root.mkdir(parents=True, exist_ok=True)
    for file in root.rglob("*.md"):
        if file.relative_to(root).as_posix() not in corpus.texts:
            file.unlink()
    for name, text in corpus.texts.items():
        file, content = root / name, as_markdown(text).encode()
        if not file.is_file() or file.read_bytes() != content:
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(content)
    return root


def as_markdown(text: SetText) -> str:
    """The title as its heading, then the text; a document without words is an empty file."""
    return "\n\n".join(part for part in (f"# {text.title}" if text.title else "", text.body.strip()) if part)
