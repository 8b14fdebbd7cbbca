"""What operators read agrees with what the programs do."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.scopes import ScopesFile
from deploy.settings import example, settings, table

ROOT = Path(__file__).parents[2]


def test_the_settings_page_is_the_one_that_the_programs_make() -> None:
    assert (ROOT / "docs" / "settings.md").read_text(encoding="utf-8") == table(), "run python -m deploy.settings"


def test_the_example_file_is_the_one_that_the_programs_make() -> None:
    assert (ROOT / ".env.example").read_text(encoding="utf-8") == example(), "run python -m deploy.settings"


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


def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    return loaded


def test_each_service_that_others_wait_for_can_say_that_it_is_well() -> None:
    services = compose()["services"]
    for service in services.values():
        for name in service.get("depends_on", {}):
            assert "healthcheck" in services[name]


def test_compose_sets_only_settings_that_exist() -> None:
    known = {setting.name for setting in settings()} | {"FOOTNOTE_SECRETS_DIR"}
    for service in compose()["services"].values():
        assert set(service.get("environment", {})) <= known
    assert set(compose()["secrets"]) <= known


def test_the_bot_is_given_longer_to_stop_than_it_takes() -> None:
    grace = next(setting for setting in settings() if setting.name == "FOOTNOTE_GRACE_SECONDS")
    assert int(compose()["services"]["bot"]["stop_grace_period"].rstrip("s")) > float(grace.default)


def test_both_programs_see_the_drive_at_the_same_path_and_cannot_write_to_it() -> None:
    services = compose()["services"]
    [bot] = [volume for volume in services["bot"]["volumes"] if ":/drive" in volume]
    [indexer] = [volume for volume in services["indexer"]["volumes"] if ":/drive" in volume]
    assert bot == indexer
    assert bot.endswith(":ro")


def test_the_example_of_scopes_is_understood_and_grants_what_it_shows() -> None:
    text = (ROOT / "deploy" / "scopes.example.toml").read_text(encoding="utf-8")
    rules = ScopesFile.model_validate(tomllib.loads(text))
    assert rules.default == frozenset()
    assert rules.direct_messages == {"handbook"}
    uncommented = "\n".join(line.removeprefix("# ") if "=" in line else line for line in text.splitlines())
    assert ScopesFile.model_validate(tomllib.loads(uncommented)).channels["C0123456789"]


def test_the_manifest_asks_for_no_event_that_the_bot_leaves_unanswered() -> None:
    manifest = yaml.safe_load((ROOT / "deploy" / "slack-manifest.yaml").read_text(encoding="utf-8"))
    source = (ROOT / "bot" / "slack" / "app.py").read_text(encoding="utf-8")
    for event in manifest["settings"]["event_subscriptions"]["bot_events"]:
        assert event.split(".")[0] in source, event


@pytest.mark.parametrize("name", ["deploy/Dockerfile", "docker-compose.yml", "constraints.txt"])
def test_no_version_is_left_to_chance(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert ":latest" not in text
    if name == "constraints.txt":
        assert all("==" in line for line in text.splitlines() if line.strip())
