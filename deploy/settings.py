"""Writes docs/settings.md and .env.example from the programs' own settings: `python -m deploy.settings`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from bot.settings import BotSettings
from indexer.settings import IndexerSettings
from rag.settings import EngineSettings, variables

ROOT: Final = Path(__file__).parent.parent
PREFIX: Final = "FOOTNOTE_"
PROGRAMS: Final[dict[str, type[EngineSettings]]] = {"bot": BotSettings, "indexer": IndexerSettings}


@dataclass(frozen=True, slots=True)
class Setting:
    """One environment variable."""

    name: str
    default: str
    """As one would write it; empty where there is none."""
    meaning: str
    programs: tuple[str, ...]


def settings() -> list[Setting]:
    """All of them, those that bear the names of others first, then by name."""
    found: dict[str, Setting] = {}
    for program, model in PROGRAMS.items():
        for name, field in variables(model, PREFIX).items():
            known = found.get(name)
            programs = (program,) if known is None else (*known.programs, program)
            found[name] = Setting(name, _default(field), " ".join((field.description or "").split()), programs)
    return sorted(found.values(), key=lambda setting: (setting.name.startswith(PREFIX), setting.name))


def _default(field: FieldInfo) -> str:
    value: Any = field.get_default(call_default_factory=True) if field.default_factory is None else []
    if field.default_factory is not None or value is None or value is PydanticUndefined:
        return ""
    return json.dumps(value) if isinstance(value, (bool, dict, list)) else str(value)


def table() -> str:
    """docs/settings.md."""
    rows = [
        f"| `{setting.name}` | {f'`{setting.default}`' if setting.default else ''} | {setting.meaning} "
        f"| {', '.join(setting.programs)} |"
        for setting in settings()
    ]
    head = [
        "# Settings",
        "",
        "Environment variables, or lines of `.env`. A value may also stand in a file: `NAME_FILE` says where, or the",
        "file is called `NAME` and lies in the folder that `FOOTNOTE_SECRETS_DIR` names. The environment wins over",
        "files, those over `.env`; an empty value counts as unset. This page is made by `python -m deploy.settings`.",
        "",
        "| Name | Default | Meaning | Read by |",
        "|---|---|---|---|",
    ]
    return "\n".join([*head, *rows, ""])


def example() -> str:
    """.env.example."""
    lines = [
        "# Copy to .env and uncomment what you need. Made by `python -m deploy.settings`; docs/settings.md says more.",
        "",
    ]
    for setting in settings():
        lines += [f"# {setting.meaning}", f"# {setting.name}={setting.default}", ""]
    return "\n".join(lines)


def main() -> None:
    """Write both."""
    (ROOT / "docs" / "settings.md").write_text(table(), encoding="utf-8")
    (ROOT / ".env.example").write_text(example(), encoding="utf-8")


if __name__ == "__main__":
    main()
