"""What operators may write, where they may write it, and what they are told when it cannot work."""

from __future__ import annotations

import logging
import os
import traceback
from pathlib import Path

import pytest

from bot.settings import BotSettings
from indexer.settings import IndexerSettings
from lab.evaluation.settings import EvaluationSettings
from rag.errors import ConfigurationError
from rag.settings.engine import EngineSettings
from rag.settings.loading import load_settings
from rag.settings.names import variables

SECRET = "xoxb-never-to-be-shown"
PROGRAMS: list[type[EngineSettings]] = [BotSettings, IndexerSettings, EvaluationSettings]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to start programs in, and an environment that says nothing."""
    monkeypatch.chdir(tmp_path)
    for name in os.environ:
        if name.startswith(("FOOTNOTE_", "SLACK_", "OPENAI_", "LLM_", "QDRANT_", "REDIS_")):
            monkeypatch.delenv(name)
    return tmp_path


def bot_token() -> str | None:
    token = load_settings(BotSettings).slack_bot_token
    return None if token is None else token.get_secret_value()


def test_the_environment_wins_over_files_and_files_over_dotenv(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / ".env").write_text("SLACK_BOT_TOKEN=of-dotenv\n", encoding="utf-8")
    assert bot_token() == "of-dotenv"
    (folder / "secrets").mkdir()
    (folder / "secrets" / "SLACK_BOT_TOKEN").write_text("of-folder\n", encoding="utf-8")
    monkeypatch.setenv("FOOTNOTE_SECRETS_DIR", str(folder / "secrets"))
    assert bot_token() == "of-folder"
    (folder / "token").write_text("of-file\n", encoding="utf-8")
    monkeypatch.setenv("SLACK_BOT_TOKEN_FILE", str(folder / "token"))
    assert bot_token() == "of-file"
    monkeypatch.setenv("SLACK_BOT_TOKEN", "of-environment")
    assert bot_token() == "of-environment"


def test_dotenv_may_say_where_secret_files_are(folder: Path) -> None:
    (folder / "secrets").mkdir()
    (folder / "secrets" / "openai_api_key").write_text("of-folder", encoding="utf-8")
    (folder / "token").write_text("of-file", encoding="utf-8")
    (folder / ".env").write_text("FOOTNOTE_SECRETS_DIR=secrets\nSLACK_BOT_TOKEN_FILE=token\n", encoding="utf-8")
    settings = load_settings(BotSettings)
    assert settings.openai_api_key is not None and settings.openai_api_key.get_secret_value() == "of-folder"
    assert bot_token() == "of-file"


def test_a_part_of_a_group_may_stand_in_a_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "fallbacks").write_text(f'[{{"name": "b", "model": "m", "api_key": "{SECRET}"}}]', encoding="utf-8")
    monkeypatch.setenv("FOOTNOTE_LLM__FALLBACKS_FILE", str(folder / "fallbacks"))
    [provider] = load_settings(BotSettings).llm.fallbacks
    assert provider.api_key is not None and provider.api_key.get_secret_value() == SECRET


@pytest.mark.parametrize("name", ["SLACK_BOT_TOKEN", "SLACK_BOT_TOKEN_FILE", "FOOTNOTE_SECRETS_DIR"])
def test_an_empty_value_is_none(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / ".env").write_text("SLACK_BOT_TOKEN=of-dotenv\nLLM_MODEL=\n", encoding="utf-8")
    monkeypatch.setenv(name, "")
    assert bot_token() == "of-dotenv"
    assert load_settings(BotSettings).llm_model is None


def test_an_empty_secret_file_is_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "token").write_text("\n", encoding="utf-8")
    monkeypatch.setenv("SLACK_BOT_TOKEN_FILE", str(folder / "token"))
    assert bot_token() is None


def test_a_secret_file_that_cannot_be_read_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN_FILE", str(folder / "missing"))
    with pytest.raises(ConfigurationError, match=r"^SLACK_BOT_TOKEN: .*missing.*: No such file"):
        load_settings(BotSettings)
    (folder / "missing").write_bytes(b"\xff\xfe" + SECRET.encode("utf-16-le"))
    with pytest.raises(ConfigurationError, match=r"^SLACK_BOT_TOKEN: .* it is not UTF-8$"):
        load_settings(BotSettings)


def test_a_missing_folder_of_secrets_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_SECRETS_DIR", str(folder / "missing"))
    with pytest.raises(ConfigurationError, match=r"^FOOTNOTE_SECRETS_DIR=.*missing.*: No such file"):
        load_settings(BotSettings)


def test_a_program_reads_no_secret_that_is_not_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", SECRET)
    monkeypatch.setenv("OPENAI_API_KEY_FILE", str(folder / "may-not-even-be-there"))
    assert SECRET not in str(load_settings(IndexerSettings).model_dump())


def test_what_is_no_json_is_told_with_what_is_wanted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_OCR_LANGUAGES", "jpn")
    with pytest.raises(ConfigurationError) as caught:
        load_settings(IndexerSettings)
    assert "FOOTNOTE_OCR_LANGUAGES: not JSON" in str(caught.value) and '["eng", "deu"]' in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("FOOTNOTE_HTTP_PORT", "70000", "FOOTNOTE_HTTP_PORT: Input should be less than or equal to 65535"),
        ("FOOTNOTE_LOG_STYLE", "jsonn", "FOOTNOTE_LOG_STYLE: Input should be 'text' or 'json'"),
        ("QDRANT_URL", "qdrant:6333", "QDRANT_URL: URL scheme should be 'http' or 'https'"),
        ("FOOTNOTE_LINK_TEMPLATES", "{x", "FOOTNOTE_LINK_TEMPLATES: not JSON"),
        ("FOOTNOTE_LLM__PRICES", "[1", "FOOTNOTE_LLM__PRICES: not JSON"),
        ("FOOTNOTE_RETRIEVAL__CANDIDATES", "9" * 30, "FOOTNOTE_RETRIEVAL__CANDIDATES: Input should be less than"),
        ("FOOTNOTE_RETRIEVAL__RRF_K", "9" * 30, "FOOTNOTE_RETRIEVAL__RRF_K: Input should be less than"),
        ("FOOTNOTE_RETRIEVAL__WEIGHTS", "[Infinity, 1]", "FOOTNOTE_RETRIEVAL__WEIGHTS__0: Input should be less than"),
        ("FOOTNOTE_ANSWER__CACHE_HOURS", "inf", "FOOTNOTE_ANSWER__CACHE_HOURS: Input should be less than"),
        ("FOOTNOTE_ANSWER__CACHE_HOURS", "1e-300", "FOOTNOTE_ANSWER__CACHE_HOURS: Input should be greater than"),
        ("FOOTNOTE_LLM__FALLBACKS", "[{}]", "FOOTNOTE_LLM__FALLBACKS__0__NAME: Field required"),
    ],
)
def test_a_bad_value_is_named_as_it_was_written(
    name: str, value: str, told: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".env").write_text(f"{name}={value}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError) as of_dotenv:
        load_settings(BotSettings)
    (folder / ".env").unlink()
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError) as of_environment:
        load_settings(BotSettings)
    assert str(of_environment.value).startswith(told)
    assert str(of_dotenv.value) == str(of_environment.value)


def test_all_that_cannot_work_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_HTTP_PORT", "x")
    monkeypatch.setenv("FOOTNOTE_LOG_LEVEL", "LOUD")
    with pytest.raises(ConfigurationError, match=r"FOOTNOTE_LOG_LEVEL: .*FOOTNOTE_HTTP_PORT: "):
        load_settings(BotSettings)


def test_secrets_stand_in_no_representation_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET", "OPENAI_API_KEY", "QDRANT_API_KEY"):
        monkeypatch.setenv(name, SECRET)
    monkeypatch.setenv("REDIS_URL", f"redis://:{SECRET}@localhost")
    monkeypatch.setenv("FOOTNOTE_LINK_SECRET", SECRET)
    monkeypatch.setenv("FOOTNOTE_LLM__FALLBACKS", f'[{{"name": "b", "model": "m", "api_key": "{SECRET}"}}]')
    settings = load_settings(BotSettings)
    assert bot_token() == SECRET
    assert SECRET not in f"{settings!r} {settings} {settings.model_dump_json()}"


@pytest.mark.parametrize("value", [f'[{{"api_key": "{SECRET}"', f'[{{"api_key": "{SECRET}"}}]', f'"{SECRET}"'])
def test_a_secret_in_a_value_that_cannot_work_is_not_repeated(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_LLM__FALLBACKS", value)
    with pytest.raises(ConfigurationError, match=r"^FOOTNOTE_LLM__FALLBACKS") as raised:
        load_settings(BotSettings)
    assert SECRET not in "".join(traceback.format_exception(raised.value))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("FOOTNOTE_SCOPE_FILE", "FOOTNOTE_SCOPES_FILE"),
        ("FOOTNOTE_RETRIEVAL_MODE", "FOOTNOTE_RETRIEVAL__MODE"),
        ("FOOTNOTE_CHUNKR", "FOOTNOTE_CHUNKER"),
        ("FOOTNOTE_LINK_SECRETS_FILE", "FOOTNOTE_LINK_SECRET"),
        ("FOOTNOTE_SECRET_DIR", "FOOTNOTE_SECRETS_DIR"),
        ("FOOTNOTE_QDRANT_URL", "QDRANT_URL"),
        ("SLACK_BOT_TOKN", "SLACK_BOT_TOKEN"),
        ("SLACK_SINGING_SECRET_FILE", "SLACK_SIGNING_SECRET"),
        ("LLM_MODLE", "LLM_MODEL"),
        ("OPENAI_APIKEY", "OPENAI_API_KEY"),
        ("OPENAI_BASEURL", "OPENAI_BASE_URL"),
        ("QDRANT_ULR", "QDRANT_URL"),
        ("QDRANT_API_KEYS_FILE", "QDRANT_API_KEY"),
        ("REDIS_ULR", "REDIS_URL"),
    ],
)
@pytest.mark.parametrize("kind", PROGRAMS)
def test_a_misspelt_name_stops_every_program(
    kind: type[EngineSettings], written: str, meant: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = f"^{written} is not a setting; did you mean {meant}\\?$"
    (folder / ".env").write_text(f"{written}=x\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=told):
        load_settings(kind)
    (folder / ".env").unlink()
    monkeypatch.setenv(written, "x")
    with pytest.raises(ConfigurationError, match=told):
        load_settings(kind)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("FOOTNOTE_LINK_SECRT", "FOOTNOTE_LINK_SECRET"),
        ("slack_bot_tokn", "SLACK_BOT_TOKEN"),
        ("OPENAI_API_KEEY", "OPENAI_API_KEY"),
        ("QDRANT_APIKEY", "QDRANT_API_KEY"),
        ("REDIS_URLL", "REDIS_URL"),
    ],
)
def test_a_misspelt_secret_file_stops_the_program(
    written: str, meant: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / written).write_text(SECRET, encoding="utf-8")
    monkeypatch.setenv("FOOTNOTE_SECRETS_DIR", str(folder))
    with pytest.raises(ConfigurationError, match=f"^{written.upper()} is not a setting; did you mean {meant}"):
        load_settings(BotSettings)


OF_OTHERS = [
    *("SLACK_WEBHOOK_URL", "SLACK_API_TOKEN", "SLACK_USER_TOKEN", "SLACK_TOKEN"),
    *("OPENAI_ORG_ID", "OPENAI_API_BASE", "OPENAI_API_BASE_URL", "OPENAI_API_KEYS", "OPENAI_ADMIN_KEY", "LLM_MODEL_ID"),
    *("QDRANT__SERVICE__API_KEY", "QDRANT_PORT_6333_TCP_ADDR", "QDRANT_SERVICE_HOST"),
    *("REDIS_PORT", "REDIS_PORT_6379_TCP", "REDIS_SERVICE_HOST", "REDIS_TLS_URL"),
]


@pytest.mark.parametrize("kind", PROGRAMS)
def test_names_of_other_tools_in_the_environment_are_none_of_our_business(
    kind: type[EngineSettings], folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in OF_OTHERS:
        monkeypatch.setenv(name, "x")
    (folder / "SLACK_CLIENT_SECRET").write_text(SECRET, encoding="utf-8")
    monkeypatch.setenv("FOOTNOTE_SECRETS_DIR", str(folder))
    load_settings(kind)
    assert caplog.records == []


def test_a_name_near_a_setting_that_is_set_is_another_tools(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("QDRANT_URI", "grpc://elsewhere")
    with pytest.raises(ConfigurationError, match=r"^QDRANT_URI is not a setting; did you mean QDRANT_URL\?$"):
        load_settings(BotSettings)
    monkeypatch.setenv("QDRANT_URL", "http://localhost:6333")
    load_settings(BotSettings)
    assert caplog.records == []


@pytest.mark.parametrize("kind", PROGRAMS)
@pytest.mark.parametrize("name", ["SLACK_WEBHOOK_URL", "OPENAI_ORG_ID", "LLM_TEMPERATURE", "QDRANT_PORT", "REDIS_HOST"])
def test_what_nobody_reads_of_dotenv_is_logged_whichever_its_prefix(
    name: str, kind: type[EngineSettings], folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / ".env").write_text(f"{name}=x\nPATH_OF_ANOTHER=y\n", encoding="utf-8")
    load_settings(kind)
    assert [record.getMessage() for record in caplog.records] == [f"{name} is not a setting and changes nothing"]


def test_a_setting_without_our_prefix_in_dotenv_is_told_with_it(folder: Path) -> None:
    (folder / ".env").write_text("SLACK_API_URL=https://proxy.example.com\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"^SLACK_API_URL is not .* did you mean FOOTNOTE_SLACK_API_URL\?$"):
        load_settings(BotSettings)


def test_all_misspelt_names_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKN", "x")
    monkeypatch.setenv("FOOTNOTE_SCOPE_FILE", "x")
    with pytest.raises(ConfigurationError) as raised:
        load_settings(IndexerSettings)
    assert "SLACK_BOT_TOKEN?" in str(raised.value) and "FOOTNOTE_SCOPES_FILE?" in str(raised.value)


@pytest.mark.parametrize("kind", PROGRAMS)
def test_a_setting_that_is_gone_is_told_with_what_holds_now(
    kind: type[EngineSettings], folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / ".env").write_text("FOOTNOTE_ANSWER__SEMANTIC_CACHE=true\n", encoding="utf-8")
    load_settings(kind)
    [told] = [record.getMessage() for record in caplog.records]
    assert told == (
        "FOOTNOTE_ANSWER__SEMANTIC_CACHE is a setting no more and changes nothing: answers are given again to the same "
        "question only"
    )


@pytest.mark.parametrize("kind", PROGRAMS)
def test_a_name_that_resembles_no_setting_is_logged(
    kind: type[EngineSettings], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("FOOTNOTE_PORT", "tcp://10.0.0.1:80")
    monkeypatch.setenv("FOOTNOTE_TEST_QDRANT_URL", "http://localhost")
    load_settings(kind)
    assert [record.getMessage() for record in caplog.records] == ["FOOTNOTE_PORT is not a setting and changes nothing"]


@pytest.mark.parametrize("kind", PROGRAMS)
def test_programs_that_share_an_environment_take_no_setting_of_the_others_for_a_mistake(
    kind: type[EngineSettings], folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    names = {name for program in PROGRAMS for name in variables(program)}
    foreign = sorted(names - set(variables(kind)))
    (folder / ".env").write_text("".join(f"{name}=x\n" for name in foreign), encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        load_settings(kind)
    assert caplog.records == []


def test_a_group_and_an_entry_of_a_table_may_be_set_by_themselves(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("FOOTNOTE_RETRIEVAL", '{"mode": "dense"}')
    monkeypatch.setenv("FOOTNOTE_LINK_TEMPLATES__HR", "https://share.example.com/{path}")
    settings = load_settings(BotSettings)
    assert settings.retrieval.mode == "dense"
    assert settings.link_templates == {"hr": "https://share.example.com/{path}"}
    load_settings(IndexerSettings)
    assert caplog.records == []


def test_a_dotenv_that_is_no_text_is_named(folder: Path) -> None:
    (folder / ".env").write_bytes(b"\xff\xfeL\x00")
    with pytest.raises(ConfigurationError, match=r"^\.env cannot be read"):
        load_settings(IndexerSettings)
