"""Writes what follows from the programs' own settings: `python -m deploy.settings`.

That is docs/settings.md, .env.example, and what each program knows of the others' names.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from bot.settings import BotSettings
from indexer.settings import IndexerSettings
from rag.settings.engine import AnsweringSettings, EngineSettings
from rag.settings.names import variables

ROOT: Final = Path(__file__).parent.parent
PROGRAMS: Final[dict[str, type[EngineSettings]]] = {"bot": BotSettings, "indexer": IndexerSettings}

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "Slack": ("SLACK_", "FOOTNOTE_SLACK_"),
    "The model that writes": ("OPENAI_", "LLM_", "FOOTNOTE_LLM__"),
    "Where index and cache are": ("FOOTNOTE_DATA_DIR", "QDRANT_", "FOOTNOTE_STORE__", "REDIS_"),
    "Who may read what": ("FOOTNOTE_SCOPES_FILE",),
    "Links to the originals": ("FOOTNOTE_PUBLIC_URL", "FOOTNOTE_LINK_", "FOOTNOTE_DRIVE_ROOTS"),
    "The bot's own server": ("FOOTNOTE_HTTP_", "FOOTNOTE_GRACE_SECONDS"),
    "How passages are found and answers made": ("FOOTNOTE_RETRIEVAL__", "FOOTNOTE_ANSWER__"),
    "The model that texts are compared by": ("FOOTNOTE_EMBEDDING__",),
    "Which drives are indexed": (
        "FOOTNOTE_DRIVES_FILE",
        "FOOTNOTE_DRIVE_SECRETS",
        "FOOTNOTE_FETCH_",
        "FOOTNOTE_WATCH_",
        "FOOTNOTE_SETTLE_",
    ),
    "How files are read and cut": (
        "FOOTNOTE_EXTRACTORS",
        "FOOTNOTE_FILE_",
        "FOOTNOTE_PASSWORDS",
        "FOOTNOTE_OCR_",
        "FOOTNOTE_LIBREOFFICE",
        "FOOTNOTE_CHUNK",
        "FOOTNOTE_SUMMARIES",
    ),
    "Logs": ("FOOTNOTE_LOG_",),
}
"""What stands under which heading, by how its name begins."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One environment variable."""

    name: str
    default: str
    """As one would write it; empty where there is none."""
    meaning: str
    programs: tuple[str, ...]
    group: str
    """The heading that it stands under; empty where none fits."""


def settings() -> list[Setting]:
    """All of them, group by group, as the programs declare them."""
    found: dict[str, Setting] = {}
    for program, model in PROGRAMS.items():
        for name, field in variables(model).items():
            programs = (*found[name].programs, program) if name in found else (program,)
            meaning = " ".join((field.description or "").split())
            found[name] = Setting(name, _default(field), meaning, programs, _group(name))
    order = ["", *GROUPS]
    return sorted(found.values(), key=lambda setting: order.index(setting.group))


def _group(name: str) -> str:
    return next((group for group, beginnings in GROUPS.items() if name.startswith(beginnings)), "")


def _default(field: FieldInfo) -> str:
    value: Any = field.default
    if value is None or value is PydanticUndefined:  # made by a factory, which makes nothing but empty tables
        return ""
    return json.dumps(value) if isinstance(value, list | tuple) else str(value)


def table() -> str:
    """docs/settings.md."""
    lines = [
        "# Settings",
        "",
        "Environment variables, or lines of `.env`. A value may also stand in a file: `NAME_FILE` says where, or the",
        "file is called `NAME` and lies in the folder that `FOOTNOTE_SECRETS_DIR` names. The environment wins over",
        "files, those over `.env`; an empty value counts as unset. A misspelt name stops the program, whatever its",
        "prefix. A name that resembles no setting is logged where it can only be meant for Footnote: with the prefix",
        "`FOOTNOTE_` anywhere, with `SLACK_`, `OPENAI_`, `LLM_`, `QDRANT_` or `REDIS_` in `.env`. This page is made by",
        "`python -m deploy.settings`.",
    ]
    for group in GROUPS:
        lines += ["", f"## {group}", "", "| Name | Default | Meaning | Read by |", "|---|---|---|---|"]
        lines += [_row(setting) for setting in settings() if setting.group == group]
    return "\n".join([*lines, ""])


def _row(setting: Setting) -> str:
    default = f"`{setting.default}`" if setting.default else ""
    return f"| `{setting.name}` | {default} | {setting.meaning} | {', '.join(setting.programs)} |"


def example() -> str:
    """.env.example."""
    lines = [
        "# Copy to .env and uncomment what you need. Made by `python -m deploy.settings`; docs/settings.md says more."
    ]
    for group in GROUPS:
        lines += ["", f"## {group}"]
        for setting in settings():
            if setting.group == group:
                lines += ["", f"# {setting.meaning}", f"#{setting.name}={setting.default}"]
    secrets = "# The folder in which secrets stand, each in a file of its name."
    return "\n".join([*lines, "", "## Secrets", "", secrets, "#FOOTNOTE_SECRETS_DIR=", ""])


def foreign_settings(program: str) -> str:
    """`foreign_settings.py` of a program: what only others read, which may stand in the same environment."""
    known = {*variables(AnsweringSettings), *variables(PROGRAMS[program])}
    names = sorted({name for model in PROGRAMS.values() for name in variables(model)} - known)
    lines = [
        '"""Settings of other programs that may stand in the same environment; made by `python -m deploy.settings`."""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Final",
        "",
        "FOREIGN_SETTINGS: Final = frozenset(",
        "    {",
        *(f'        "{name}",' for name in names),
        "    }",
        ")",
    ]
    return "\n".join([*lines, ""])


def main() -> None:
    """Write all of them."""
    (ROOT / "docs" / "settings.md").write_text(table(), encoding="utf-8")
    (ROOT / ".env.example").write_text(example(), encoding="utf-8")
    for program in PROGRAMS:
        (ROOT / program / "foreign_settings.py").write_text(foreign_settings(program), encoding="utf-8")


if __name__ == "__main__":
    main()
