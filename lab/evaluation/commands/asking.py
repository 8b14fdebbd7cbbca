"""What `run` and `judge` take alike: sets, where their files stand, how many questions, where indexes are kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from lab.evaluation.commands.program import PROGRAM
from lab.evaluation.sets import read_set
from lab.evaluation.sets.base import QuestionCorpus
from rag.errors import EvaluationError
from rag.program import WRONG_USAGE

WORK: Final = Path(".footnote/evaluation")

Sets = Annotated[list[Path], typer.Argument(metavar="SET", help="Folders of sets.", show_default=False)]
Files = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Where the set's files stand, if not in its folder `pdfs` or `files`."),
]
Limit = Annotated[int | None, typer.Option(min=1, metavar="N", help="Ask the first N questions of each kind only.")]
Work = Annotated[Path, typer.Option(metavar="FOLDER", help="Where indexes are kept; may be deleted at any time.")]
Out = Annotated[Path | None, typer.Option(metavar="FILE", help="Write the figures there, as JSON.")]


def read_sets(folders: Sequence[Path], files: Path | None) -> list[QuestionCorpus]:
    """The sets, or the program's end."""
    if files is not None and len(folders) > 1:
        PROGRAM.stop("--files goes with one set only", WRONG_USAGE)
    try:
        return [read_set(folder, files=files) for folder in folders]
    except EvaluationError as error:
        PROGRAM.stop_for(error)
