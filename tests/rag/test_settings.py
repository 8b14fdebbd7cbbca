"""Settings come from the environment, secret files and `.env`, and what cannot work is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.errors import ConfigurationError
from rag.settings import AnsweringSettings, EngineSettings, load_settings


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder without a `.env`, and none of the variables that the tests set."""
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "LLM_MODEL", "FOOTNOTE_LOG_LEVEL", "FOOTNOTE_RETRIEVAL__PASSAGES"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_the_environment_wins_over_a_secret_file_and_that_over_the_env_file(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / ".env").write_text("OPENAI_API_KEY=from-env-file\nFOOTNOTE_RETRIEVAL__PASSAGES=3\n")
    (here / "key").write_text("from-secret\n")
    keys: list[str] = []
    for variables in ({}, {"OPENAI_API_KEY_FILE": str(here / "key")}, {"OPENAI_API_KEY": "from-environment"}):
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        loaded = load_settings(AnsweringSettings)
        assert loaded.openai_api_key is not None
        assert loaded.retrieval.passages == 3
        keys.append(loaded.openai_api_key.get_secret_value())
    assert keys == ["from-env-file", "from-secret", "from-environment"]


def test_a_folder_of_secrets_is_read_and_a_secret_is_not_shown(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "secrets").mkdir()
    (here / "secrets" / "OPENAI_API_KEY").write_text("hush\n")
    (here / "secrets" / "SOMEBODY_ELSES").write_text("x")
    monkeypatch.setenv("FOOTNOTE_SECRETS_DIR", str(here / "secrets"))
    loaded = load_settings(AnsweringSettings)
    assert loaded.openai_api_key is not None and loaded.openai_api_key.get_secret_value() == "hush"
    assert "hush" not in repr(loaded)
    assert not hasattr(load_settings(EngineSettings), "openai_api_key")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("FOOTNOTE_LOG_LEVEL", "LOUD", "FOOTNOTE_LOG_LEVEL"),
        ("FOOTNOTE_RETRIEVAL__PASSAGES", "0", "FOOTNOTE_RETRIEVAL__PASSAGES"),
        ("FOOTNOTE_RETRIEVAL__PASAGES", "5", "did you mean FOOTNOTE_RETRIEVAL__PASSAGES"),
        ("OPENAI_API_KEY_FILE", "no/such/file", "no/such/file"),
    ],
)
def test_what_cannot_work_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str, message: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError, match=message):
        load_settings(AnsweringSettings)


def test_a_name_of_another_program_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_SOMETHING_OF_ANOTHER_PROGRAM", "1")
    assert load_settings(EngineSettings).log_level == "INFO"


def test_a_refused_secret_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QDRANT_URL", "nonsense-with-password")
    with pytest.raises(ConfigurationError, match="QDRANT_URL") as refused:
        load_settings(EngineSettings)
    assert "password" not in str(refused.value)
