"""The indexer as a program, and what several of its commands share."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from indexer.settings import IndexerSettings
from rag.program import Program

PROGRAM: Final = Program("indexer", IndexerSettings)

GO_ON: Final = "what was done is kept: run the same command again to go on"
"""What is said when a run over drives is stopped."""

Corpus = Annotated[
    str | None, typer.Option("--name", metavar="NAME", help="What the corpus is called; the folder's name by default.")
]
