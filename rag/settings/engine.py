"""What the engine can be told from outside, as far as a program uses it."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field, HttpUrl, SecretStr
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from rag.settings.groups import AnswerSettings, EmbeddingSettings, LLMSettings, RetrievalSettings, StoreSettings
from rag.settings.names import PREFIX
from rag.settings.sources import SecretFiles


class EngineSettings(BaseSettings):
    """What every program is told; each adds its own, and is given no secret that it does not use."""

    foreign: ClassVar[frozenset[str]] = frozenset()
    """Settings of other programs that may stand in the same environment or `.env`: they are no mistakes."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        populate_by_name=True,
    )

    data_dir: Path = Field(default=Path(".footnote"), description="Where the embedded index and cache are kept.")
    qdrant_url: HttpUrl | None = Field(
        default=None, validation_alias="QDRANT_URL", description="A Qdrant server instead of the embedded store."
    )
    qdrant_api_key: SecretStr | None = Field(
        default=None, validation_alias="QDRANT_API_KEY", description="The key of that server."
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(default="INFO", description="How much is logged.")
    log_style: Literal["text", "json"] = Field(default="text", description="`text` or `json`, one line a record.")
    embedding: EmbeddingSettings = EmbeddingSettings()
    store: StoreSettings = StoreSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment wins over secret files, those over `.env`."""
        return init_settings, env_settings, SecretFiles(settings_cls), dotenv_settings, file_secret_settings


class WritingSettings(EngineSettings):
    """What a program that lets a model write is told besides."""

    openai_api_key: SecretStr | None = Field(
        default=None, validation_alias="OPENAI_API_KEY", description="The key of the model that writes."
    )
    openai_base_url: HttpUrl | None = Field(
        default=None,
        validation_alias="OPENAI_BASE_URL",
        description="Any OpenAI-compatible server; OpenAI's own when unset.",
    )
    llm_model: str | None = Field(
        default=None,
        validation_alias="LLM_MODEL",
        description="The model that writes. Unset: answers are the best passages, quoted.",
    )
    llm: LLMSettings = LLMSettings()


class AnsweringSettings(WritingSettings):
    """What a program that answers is told besides."""

    redis_url: SecretStr | None = Field(
        default=None, validation_alias="REDIS_URL", description="A Redis server instead of the built-in cache."
    )
    retrieval: RetrievalSettings = RetrievalSettings()
    answer: AnswerSettings = AnswerSettings()
