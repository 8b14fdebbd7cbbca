"""The evaluation's commands. To add one: write its file in `commands/`, add its line."""

from __future__ import annotations

from lab.evaluation.commands.compare import compare
from lab.evaluation.commands.history import history
from lab.evaluation.commands.judge import judge
from lab.evaluation.commands.report import report
from lab.evaluation.commands.run import run
from rag.program import FAILED, INTERRUPTED, MISCONFIGURED, TERMINATED, WRONG_USAGE, command_line

COMMANDS = (run, compare, history, report, judge)

app = command_line(
    COMMANDS,
    title="Measures retrieval and declining on sets of questions, by the very code that serves.",
    epilog=f"Exit codes: 0 done, {FAILED} failed, or a figure fell (`history`) or missed its bound (`judge`), or the "
    f"page is not up to date (`report --check`), {WRONG_USAGE} wrong usage, {MISCONFIGURED} a setting cannot work, "
    f"{INTERRUPTED} interrupted, {TERMINATED} told to stop.",
)
