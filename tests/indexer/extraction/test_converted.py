"""What pandoc reads, and what is read without it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from indexer.extraction import FORMATS
from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.dispatch import extract_inner
from indexer.extraction.formats.converted import pandoc
from indexer.pipeline.recipe import Recipes

PANDOC = pandoc.installed_pandoc()

LATEX = r"""% a remark
\documentclass{article}
\newcommand{\product}{Footnote}
\title{Harbour rules}\author{Ada Moss}
\begin{document}\maketitle
\section{Speed}
\product{} sails at \SI{5}{\knot}\footnote{At ebb.}, as \cite{moss} says. \unknown{Unheard of} \input{/etc/hostname}
\begin{strange}[x]In a strange place.\end{strange}
\begin{tabular}{lr}Berth & Depth\\ A1 & 9 m\\\end{tabular}
\begin{enumerate}\item one\item two\end{enumerate}
\[ E = mc^2 \]
\end{document}
"""
TEXTILE = (
    "h1. Harbour rules\n\nFive knots[1] at most.\n\n|_. Berth|_. Depth|\n|A1|9 m|\n\n# one\n# two\n\nfn1. At ebb.\n"
)
TABLE = "<table><tr><th>Berth</th><th>Depth</th></tr><tr><td>A1</td><td>9</td></tr></table>"
NOTEBOOK = json.dumps({
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {},
    "cells": [
        {"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["# Harbour rules\n", "\n", "Five *knots*."]},
        {
            "cell_type": "code", "id": "b", "metadata": {}, "execution_count": 1, "source": ["depth('A1')"],
            "outputs": [
                {"output_type": "stream", "name": "stdout", "text": ["sounding …\n"]},
                {
                    "output_type": "execute_result", "execution_count": 1, "metadata": {},
                    "data": {
                        "text/html": [TABLE],
                        "text/plain": ["Berth Depth"], "image/png": "iVBORw0KGgo=",
                    },
                },
                {"output_type": "error", "ename": "ValueError", "evalue": "x", "traceback": ["\x1b[31maground\x1b[0m"]},
            ],
        },
    ],
})  # fmt: skip


def read(path: Path, program: Path | None = PANDOC) -> tuple[Extraction, str]:
    extraction = extract_inner(path, ExtractionContext(pandoc=program))
    [page] = extraction.pages
    return extraction, page.text


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.needs("pandoc")
def test_latex_keeps_its_structure_and_the_words_of_commands_that_nobody_knows(tmp_path: Path):
    extraction, text = read(written(tmp_path, "rules.tex", LATEX))
    assert extraction.title == "Harbour rules" and not extraction.paged and not extraction.warnings
    assert text.split("\n\n") == [
        "# Harbour rules",
        "Ada Moss",
        "# Speed",
        r"Footnote sails at 5 kn, as \cite{moss} says. \unknown{Unheard of} \input{/etc/hostname}",
        "[^1]: At ebb.",
        r"\begin{strange}[x]In a strange place.\end{strange}",
        "| Berth | Depth |\n| --- | --- |\n| A1 | 9 m |",
        "1. one\n2. two",
        r"\[E = mc^2\]",
    ]


@pytest.mark.needs("pandoc")
def test_a_notebook_has_its_texts_its_code_and_what_came_out(tmp_path: Path):
    extraction, text = read(written(tmp_path, "depths.ipynb", NOTEBOOK))
    assert extraction.title == "Harbour rules"
    assert text.split("\n\n") == [
        "# Harbour rules",
        "Five knots.",
        "```\ndepth('A1')\n```",
        "```\nsounding …\n```",
        "| Berth | Depth |\n| --- | --- |\n| A1 | 9 |",
        "```\naground\n```",
    ]


@pytest.mark.needs("pandoc")
def test_textile_keeps_its_structure(tmp_path: Path):
    text = read(written(tmp_path, "rules.textile", TEXTILE))[1]
    assert text.split("\n\n") == [
        "# Harbour rules",
        "Five knots at most.",
        "[^1]: At ebb.",
        "| Berth | Depth |\n| --- | --- |\n| A1 | 9 m |",
        "1. one\n2. two",
    ]


@pytest.mark.parametrize(("name", "source"), [("a.tex", LATEX), ("a.ipynb", NOTEBOOK), ("a.textile", TEXTILE)])
def test_without_pandoc_the_text_is_read_as_it_was_typed_and_the_report_says_so(tmp_path: Path, name: str, source: str):
    extraction, text = read(written(tmp_path, name, source), None)
    assert "Harbour rules" in text and "Berth" in text
    assert [warning for warning in extraction.warnings if "pip install -c constraints.txt '.[documents]'" in warning]


@pytest.mark.needs("pandoc")
def test_what_pandoc_cannot_read_is_read_as_it_was_typed(tmp_path: Path):
    extraction, text = read(written(tmp_path, "a.ipynb", '{"cells": "Five knots"}'))
    assert "Five knots" in text
    assert extraction.warnings == ["pandoc cannot read the file. It was read as plain text."]


def test_a_conversion_that_hangs_is_ended_and_the_text_read_as_it_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(pandoc, "CONVERSION_SECONDS", 1)
    program = tmp_path / "pandoc"
    program.write_text("#!/bin/sh\nsleep 600\n", encoding="ascii")
    program.chmod(0o755)
    extraction, text = read(written(tmp_path, "a.textile", TEXTILE), program)
    assert "Five knots" in text and "within 1 seconds" in extraction.warnings[0]


@pytest.mark.needs("pandoc")
def test_no_other_file_is_read(tmp_path: Path):
    secret = written(tmp_path, "secret.tex", "The hoard lies at berth B2.")
    asks = rf"\input{{{secret}}}\include{{{tmp_path / 'secret'}}}\verbatiminput{{{secret}}}\lstinputlisting{{{secret}}}"
    assert "hoard" not in read(written(tmp_path, "a.tex", f"Five knots. {asks}"))[1]


@pytest.mark.parametrize(
    ("name", "source", "kind"),
    [
        ("a.tex", "Five knots.", "latex"),
        ("a.txt", "\\documentclass{article}", "latex"),
        ("a.txt", "He writes \\documentclass{article}.", "text"),
        ("a.ipynb", NOTEBOOK, "notebook"),
        ("a.json", NOTEBOOK, "text"),
        ("a.ipynb", "Five knots.", "text"),
        ("a.textile", TEXTILE, "textile"),
        ("a.txt", TEXTILE, "text"),
    ],
)
def test_formats_are_told_by_what_leaves_no_doubt(tmp_path: Path, name: str, source: str, kind: str):
    assert kind_of(written(tmp_path, name, source)) == kind


def test_files_are_read_anew_when_pandoc_comes_and_others_are_not(tmp_path: Path):
    without = Recipes(FORMATS, "chunker", "embedder")
    there = replace(without, context=ExtractionContext(pandoc=tmp_path))
    for kind in ("latex", "notebook", "textile", "eml", "docx"):  # a message may hold one of them
        assert without.prefix(kind) != there.prefix(kind)
    for kind in ("pdf", "text", "markdown", "odt", "rtf"):
        assert without.prefix(kind) == there.prefix(kind)


def test_where_there_is_no_pandoc_files_that_may_hold_others_are_not_read_anew_for_it():
    others = [each for each in FORMATS if not each.uses_pandoc]
    for kind in ("eml", "docx", "doc"):
        assert Recipes(FORMATS, "", "").prefix(kind) == Recipes(others, "", "").prefix(kind)
