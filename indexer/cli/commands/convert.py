"""`convert`: an embedding model as a folder that runs without torch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from indexer.cli.commands.program import PROGRAM
from indexer.cli.views.console import say
from rag.program import NO_VALUE, AsJson, print_json


def convert(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="A profile, `minilm-fp32`, or a model's hub name or folder.")
    ],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where it is written.")],
    *,
    int8: Annotated[
        bool, typer.Option("--int8", metavar=NO_VALUE, help="In 8 bits: a quarter of the size, faster, less exact.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write an embedding model as a folder that runs without torch, for FOOTNOTE_EMBEDDING__MODEL.

    It needs torch and a converter (pip install -c constraints.txt '.[torch,convert]', in the folder of the source);
    the programs that use the folder need neither. In 32 bits it fits an index that
    the model itself has made; in 8 bits it is another model, and the index is to be made anew.

    Example: python -m indexer convert base /srv/models/base

    Example: python -m indexer convert minilm-fp32 models/minilm --int8
    """
    from rag.bootstrap.models import convert_model  # noqa: PLC0415  # not every command needs a model

    settings = PROGRAM.read_settings()
    asked = settings.embedding.model_copy(update={"model": model, "backend": "auto"})
    made = PROGRAM.run(convert_model(asked, folder, int8=int8), settings)
    if as_json:
        print_json({"folder": str(folder), "model": made.name, "cosine_mean": made.mean, "cosine_min": made.least})
        return
    say(Console(), f"{folder} holds {made.name}.")
    say(Console(), f"Cosine to the original on sample texts: {made.mean:.4f} on average, {made.least:.4f} at least.")
    say(Console(), f"Set FOOTNOTE_EMBEDDING__MODEL={folder}.")
