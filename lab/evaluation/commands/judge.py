"""`judge`: answers written and judged by language models."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from lab.evaluation.commands.asking import WORK, Files, Limit, Out, Sets, Work, read_sets
from lab.evaluation.commands.program import KEPT, PROGRAM, check_libraries
from rag.program import FAILED, AsJson


def judge(
    sets: Sets,
    *,
    mode: Annotated[
        str | None,
        typer.Option(metavar="WAY", help="How passages are retrieved; FOOTNOTE_RETRIEVAL__MODE by default."),
    ] = None,
    files: Files = None,
    limit: Limit = None,
    model: Annotated[
        str | None,
        typer.Option("--judge", metavar="MODEL", help="Who judges, on LLM_MODEL's server; LLM_MODEL by default."),
    ] = None,
    min_faithfulness: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, metavar="X", help="Fail where statements are borne out less than this."),
    ] = None,
    min_similarity: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, metavar="X", help="Fail where answers agree less than this with the set's."),
    ] = None,
    max_not_judged: Annotated[
        float,
        typer.Option(
            min=0.0, max=1.0, metavar="X", help="Fail where a bound is given and more than this share was not judged."
        ),
    ] = 0.2,
    work: Work = WORK,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Have a language model judge the answers to a set of questions.

    Each question goes the way that it goes in a chat. Of answers that a model wrote are judged: faithfulness (the share
    of statements that the cited passages bear out), similarity (the judge's grade against the set's `answer`, and the
    cosine of the two), relevance (how near the questions that it would answer are). What could not be judged is
    counted apart, never as a zero. It costs some 5 calls a question.

    Examples:
    python -m lab.evaluation judge sets/handbook --limit 20

    python -m lab.evaluation judge sets/handbook --min-faithfulness .80 --min-similarity .80 --judge gpt-4.1
    """
    check_libraries()
    settings = PROGRAM.read_settings(is_quiet=True)
    corpora = read_sets(sets, files)
    from lab.evaluation.judging import measuring, results, view  # noqa: PLC0415  # models and stores, which `--help` does not need
    from lab.evaluation.results import write_text  # noqa: PLC0415  # the same

    plan = measuring.JudgingPlan(corpora, work, limit, mode, model)
    asking = measuring.judge_sets(plan, settings, Console(stderr=True))
    judged = PROGRAM.run(asking, settings, when_stopped=KEPT)
    if out is not None:
        write_text(out, results.judged_json(judged))
    if as_json:
        typer.echo(results.judged_json(judged), nl=False)
    else:
        for result in judged:
            view.show_judged(Console(), result)
    wanted = {"faithfulness": min_faithfulness, "similarity": min_similarity}
    least = {name: bound for name, bound in wanted.items() if bound is not None}
    short = [text for result in judged for text in results.shortfalls(result, least, most_not_judged=max_not_judged)]
    if short:
        PROGRAM.stop("; ".join(short), FAILED)
