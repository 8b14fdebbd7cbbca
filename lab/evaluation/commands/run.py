"""`run`: measure retrieval modes on sets of questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from lab.evaluation.commands.asking import WORK, Files, Limit, Out, Sets, Work, read_sets
from lab.evaluation.commands.program import KEPT, PROGRAM, check_libraries
from rag.program import AsJson


def run(
    sets: Sets,
    *,
    modes: Annotated[
        list[str] | None,
        typer.Option(
            "--mode",
            metavar="WAY",
            help="A retrieval mode, as FOOTNOTE_RETRIEVAL__MODE spells it, or a bare baseline: `bm25-documents`, "
            "`embedding-alone`. May be given several times; the setting's way by default.",
        ),
    ] = None,
    files: Files = None,
    limit: Limit = None,
    work: Work = WORK,
    as_json: AsJson = False,
    out: Out = None,
    details: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write what came of each question there, as JSON lines, for `compare`."),
    ] = None,
    misses: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what was missed there, to be read by people.")
    ] = None,
) -> None:
    """Measure retrieval modes on sets of questions, by the code that serves.

    A set is a folder in the layout of BEIR (`corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv`), or `questions.jsonl`
    (`id`, `question`, `gold_file`, `gold_pages`, `also_ok_pages`) beside the folder `pdfs` or `files`, with
    `unanswerable.jsonl` where there are such questions. It is indexed by the real indexer with today's settings; what
    is unchanged is not indexed again.

    Examples:
    python -m lab.evaluation run sets/scifact --mode hybrid --mode bm25-documents --out scifact.json

    python -m lab.evaluation run sets/handbook --details now.jsonl --misses misses.md
    """
    check_libraries()
    settings = PROGRAM.read_settings(is_quiet=True)
    corpora = read_sets(sets, files)
    from lab.evaluation import asking, measuring, results, view  # noqa: PLC0415  # scipy, models and stores, which `--help` does not need
    from lab.evaluation.misses import misses_text  # noqa: PLC0415  # the same

    named = modes or [settings.retrieval.mode]
    plan = measuring.MeasurementPlan(corpora, named, work, limit, misses=misses is not None)
    measured = PROGRAM.run(measuring.measure(plan, settings, Console(stderr=True)), settings, when_stopped=KEPT)
    figures = [one.result for one in measured]
    if out is not None:
        results.write_text(out, results.results_json(figures))
    if details is not None:
        results.write_lines(details, [detail for one in measured for detail in asking.details_of(one.asking)])
    if misses is not None:
        results.write_text(misses, misses_text([one.asking for one in measured]))
    if as_json:
        typer.echo(results.results_json(figures), nl=False)
    else:
        view.show_results(Console(), figures)
