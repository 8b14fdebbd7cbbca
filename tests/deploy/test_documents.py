"""What operators read agrees with what the programs do."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import bot.cli
import indexer.cli.app
from bot.access import ScopesFile
from bot.links import FileLinks, Templates
from bot.settings import BotSettings
from bot.slack import app
from deploy.settings import PROGRAMS, example, foreign_settings, settings, table
from rag.settings.loading import load_settings

ROOT = Path(__file__).parents[2]


def test_the_settings_page_is_the_one_that_the_programs_make() -> None:
    assert (ROOT / "docs" / "settings.md").read_text(encoding="utf-8") == table(), "run python -m deploy.settings"


def test_the_example_file_is_the_one_that_the_programs_make() -> None:
    assert (ROOT / ".env.example").read_text(encoding="utf-8") == example(), "run python -m deploy.settings"


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_a_program_knows_of_the_others_settings_is_what_they_read(program: str) -> None:
    written = (ROOT / program / "foreign_settings.py").read_text(encoding="utf-8")
    assert written == foreign_settings(program), "run python -m deploy.settings"


def test_every_setting_says_what_it_means() -> None:
    assert [setting.name for setting in settings() if not setting.meaning] == []


def test_the_settings_have_the_names_that_operators_expect() -> None:
    names = {setting.name for setting in settings()}
    assert {
        "SLACK_BOT_TOKEN",
        "SLACK_APP_TOKEN",
        "SLACK_SIGNING_SECRET",
        "QDRANT_URL",
        "QDRANT_API_KEY",
        "REDIS_URL",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "LLM_MODEL",
        "FOOTNOTE_DATA_DIR",
        "FOOTNOTE_RETRIEVAL__MODE",
    } <= names


def test_the_example_of_scopes_is_understood_and_grants_what_it_shows() -> None:
    text = (ROOT / "deploy" / "scopes.example.toml").read_text(encoding="utf-8")
    rules = ScopesFile.model_validate(tomllib.loads(text))
    assert rules.default == frozenset()
    assert rules.direct_messages == {"handbook"}
    uncommented = "\n".join(line.removeprefix("# ") if "=" in line else line for line in text.splitlines())
    assert ScopesFile.model_validate(tomllib.loads(uncommented)).channels["C0123456789"]


def manifest() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "slack-manifest.yaml").read_text(encoding="utf-8"))
    return loaded


def test_the_manifest_subscribes_to_the_events_that_the_bot_listens_to_and_no_others() -> None:
    subscribed = {event.split(".")[0] for event in manifest()["settings"]["event_subscriptions"]["bot_events"]}
    source = ast.parse((ROOT / "bot" / "slack" / "app.py").read_text(encoding="utf-8"))
    written = {node.value for node in ast.walk(source) if isinstance(node, ast.Constant)}
    quiet = {*vars(app)["_FAREWELLS"], *vars(app)["_NO_ANSWER_WANTED"]}
    assert subscribed == quiet | {"app_mention", "message", "agent_session_stopped"}
    assert subscribed <= written


def test_the_manifest_offers_the_command_that_the_bot_knows_and_lets_its_buttons_be_pressed() -> None:
    assert [command["command"] for command in manifest()["features"]["slash_commands"]] == [app.COMMAND]
    assert "commands" in manifest()["oauth_config"]["scopes"]["bot"]
    assert manifest()["settings"]["interactivity"] == {"is_enabled": True}


def told_by_programs() -> str:
    """All strings of our programs, those that stand in parts joined, white space evened out."""
    told: list[str] = []
    for path in sorted(path for package in ("rag", "bot", "indexer", "lab") for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                told.append("".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                told.append(node.value)
    return "\n".join(told)


def complaints() -> list[str]:
    """What stands on the left in the table of things that go wrong."""
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8").split("## When something is wrong")[1]
    return re.findall(r"^\| `([^`]+)`", page, flags=re.MULTILINE)


def test_what_operations_explains_is_what_the_programs_say() -> None:
    told = told_by_programs()
    assert len(complaints()) >= 15
    for complaint in complaints():
        for part in filter(None, (part.strip() for part in complaint.split("…"))):
            assert part in told, complaint


CODES = {"FAILED", "WRONG_USAGE", "MISCONFIGURED", "BUSY", "INTERRUPTED", "TERMINATED"}


def test_the_exit_codes_of_the_page_are_those_of_the_programs() -> None:
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    documented = {int(code) for code in re.findall(r"^\| (\d+) \|", page, flags=re.MULTILINE)}
    programs = (vars(indexer.cli.app), vars(bot.cli))
    own = {program[name] for program in programs for name in program.keys() & CODES}
    assert documented == own | {0, 2}


def test_each_setting_that_operations_names_exists() -> None:
    known = {setting.name for setting in settings()} | {"FOOTNOTE_SECRETS_DIR"}
    for page in ("README.md", "docs/operations.md", "CHANGELOG.md", "docker-compose.yml", "deploy/Dockerfile"):
        named = re.findall(r"\bFOOTNOTE_[A-Z_]+[A-Z]\b", (ROOT / page).read_text(encoding="utf-8"))
        assert set(named) <= known, page


def test_the_templates_of_links_that_operations_shows_are_taken() -> None:
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    [shown] = re.findall(r"FOOTNOTE_LINK_TEMPLATES='(.*?)'", page, flags=re.DOTALL)
    Templates(json.loads(shown), FileLinks({}))


def test_the_licence_is_the_affero_general_public_license() -> None:
    words = (ROOT / "LICENSE").read_text(encoding="utf-8").split()
    assert " ".join(words[:9]) == "GNU AFFERO GENERAL PUBLIC LICENSE Version 3, 19 November"
    assert len(words) == 5535


def test_every_setting_stands_under_a_heading() -> None:
    assert [setting.name for setting in settings() if not setting.group] == []


def test_the_example_file_is_read_as_it_stands_and_with_all_its_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text(example(), encoding="utf-8")
    assert load_settings(BotSettings) == BotSettings()
    uncommented = re.sub(r"^#(?=[A-Z])", "", example(), flags=re.MULTILINE)
    (tmp_path / ".env").write_text(uncommented, encoding="utf-8")
    with_defaults = load_settings(BotSettings)
    (tmp_path / ".env").unlink()
    assert with_defaults == load_settings(BotSettings)
