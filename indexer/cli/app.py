"""The indexer's commands. To add one: write its file in `commands/`, add its line."""

from __future__ import annotations

from indexer.cli.commands.convert import convert
from indexer.cli.commands.doctor import doctor
from indexer.cli.commands.export import export
from indexer.cli.commands.forget import forget
from indexer.cli.commands.indexing import index, reindex
from indexer.cli.commands.inspect import inspect
from indexer.cli.commands.status import status
from indexer.cli.commands.watch import watch
from rag.program import BUSY, FAILED, INTERRUPTED, MISCONFIGURED, TERMINATED, WRONG_USAGE, command_line

COMMANDS = (
    index,
    reindex,
    watch,
    status,
    inspect,
    forget,
    export,
    doctor,
    convert,
)

app = command_line(
    COMMANDS,
    title="Reads shared drives and fills the index that the bot answers from.",
    epilog=f"Exit codes: 0 done (files that could not be read are in the report), {FAILED} failed, {WRONG_USAGE} wrong "
    f"usage, {MISCONFIGURED} a setting cannot work, {BUSY} another indexer is writing, {INTERRUPTED} interrupted, "
    f"{TERMINATED} told to stop (`watch` ends with 0 for both).",
)
