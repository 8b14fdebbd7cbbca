"""The evaluation as a program, and what several of its commands share."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from lab.evaluation.settings import EvaluationSettings
from rag.program import MISCONFIGURED, Program

PROGRAM: Final = Program("lab", EvaluationSettings)

LIBRARIES: Final = ("ir_measures", "pytrec_eval", "scipy")
KEPT: Final = "what was indexed is kept"
"""What is said when a run is stopped."""


def check_libraries() -> None:
    """The program's end where the libraries of figures are not installed."""
    if absent := [name for name in LIBRARIES if find_spec(name) is None]:
        remedy = "run `pip install -c constraints.txt '.[evaluation]'` in the folder of the source"
        PROGRAM.stop(f"{' and '.join(absent)} is not installed: {remedy}", MISCONFIGURED)
