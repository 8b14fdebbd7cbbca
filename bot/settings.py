"""What the bot can be told."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from pydantic import Field, HttpUrl, PositiveFloat, SecretStr

from bot.foreign_settings import FOREIGN_SETTINGS
from rag.settings.engine import AnsweringSettings


class BotSettings(AnsweringSettings):
    """The engine's settings, and how the bot speaks."""

    foreign: ClassVar[frozenset[str]] = FOREIGN_SETTINGS

    slack_bot_token: SecretStr | None = Field(
        default=None, validation_alias="SLACK_BOT_TOKEN", description="The bot's token, xoxb-…; needed for Slack."
    )
    slack_app_token: SecretStr | None = Field(
        default=None, validation_alias="SLACK_APP_TOKEN", description="App-level token, xapp-…, for Socket Mode."
    )
    slack_signing_secret: SecretStr | None = Field(
        default=None,
        validation_alias="SLACK_SIGNING_SECRET",
        description="For signed HTTP at /slack/events instead of Socket Mode.",
    )
    slack_api_url: HttpUrl = Field(
        default=HttpUrl("https://slack.com/api/"), description="Where Slack's Web API is; for proxies and tests."
    )
    scopes_file: Path | None = Field(
        default=None, description="TOML file that says which channel may read what; without it nobody may."
    )
    http_host: str = Field(default="127.0.0.1", description="Address that the bot's own server listens on.")
    http_port: int = Field(default=8008, ge=0, le=65535, description="Port of that server; 0 takes a free one.")
    public_url: HttpUrl | None = Field(
        default=None, description="How members reach that server; its own address when unset."
    )
    link_templates: dict[str, str] = Field(
        default_factory=dict[str, str],
        description="JSON object: corpus to the URL of a file on the team's own share, with {path}, {page}, {label}.",
    )
    link_secret: SecretStr | None = Field(
        default=None, description="Signs links to files; made and kept in the data folder when unset."
    )
    link_hours: PositiveFloat = Field(default=168.0, description="How long such a link opens its file.")
    drive_roots: dict[str, Path] = Field(
        default_factory=dict[str, Path],
        description="JSON object: corpus to its folder on this machine, where it differs from the indexer's.",
    )
    grace_seconds: PositiveFloat = Field(
        default=20.0, description="Time that running answers are given to finish when the bot is stopped."
    )
