"""What the engine can be told from outside. Read once, in a program's __main__, then handed down."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, get_origin

from pydantic import BaseModel, Field, HttpUrl, PositiveFloat, PositiveInt, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from rag.errors import ConfigurationError

log = logging.getLogger(__name__)

OF_ONE_PROGRAM: Final = frozenset(
    {
        "FOOTNOTE_CHUNKER",
        "FOOTNOTE_CHUNK_OVERLAP",
        "FOOTNOTE_CHUNK_SIZE",
        "FOOTNOTE_DRIVES_FILE",
        "FOOTNOTE_DRIVE_ROOTS",
        "FOOTNOTE_DRIVE_SECRETS",
        "FOOTNOTE_EXTRACTORS",
        "FOOTNOTE_FILE_MEMORY_MB",
        "FOOTNOTE_FETCH_MB",
        "FOOTNOTE_FILE_SECONDS",
        "FOOTNOTE_GRACE_SECONDS",
        "FOOTNOTE_HTTP_HOST",
        "FOOTNOTE_HTTP_PORT",
        "FOOTNOTE_LIBREOFFICE",
        "FOOTNOTE_LINK_HOURS",
        "FOOTNOTE_LINK_SECRET",
        "FOOTNOTE_LINK_TEMPLATES",
        "FOOTNOTE_OCR_LANGUAGES",
        "FOOTNOTE_PASSWORDS",
        "FOOTNOTE_PUBLIC_URL",
        "FOOTNOTE_SCOPES_FILE",
        "FOOTNOTE_SETTLE_SECONDS",
        "FOOTNOTE_SLACK_API_URL",
        "FOOTNOTE_WATCH_SECONDS",
        "FOOTNOTE_SUMMARIES",
    }
)
"""Settings that a program reads besides the engine's: where two programs share an environment, no misspelt ones."""
_PREFIX: Final = "FOOTNOTE_"
_FOLDER: Final = "FOOTNOTE_SECRETS_DIR"
_OF_TESTS: Final = "FOOTNOTE_TEST_"
_MISSPELT: Final = 0.9
"""Likeness (difflib's ratio) from which a name is taken for a misspelt one. Less may be no setting of ours at all:
Kubernetes sets FOOTNOTE_PORT and its like for a service called "footnote"."""


class EmbeddingSettings(BaseModel):
    """The model that texts are compared by."""

    model: str = Field(
        default="small",
        description="A profile: `small` (all-MiniLM-L6-v2, packaged, no torch; also called `minilm`), `base` "
        "(BAAI/bge-base-en-v1.5) or `multilingual` (intfloat/multilingual-e5-small); `minilm-fp32` (packaged); a "
        "folder that `python -m indexer convert` wrote (no torch); or the hub name or folder of any "
        "sentence-transformers model. All but those marked need torch: run `pip install -c constraints.txt "
        "'.[torch]'` in the folder of the source.",
    )
    backend: Literal["auto", "torch", "onnx", "openvino"] = Field(
        default="auto",
        description="What runs the model: `auto` takes the fastest that is installed and has files. `openvino` needs "
        "OpenVINO: run `pip install -c constraints.txt '.[openvino]'` in the folder of the source.",
    )
    query_prefix: str | None = Field(
        default=None,
        description="What the model is to read before a question, instead of what its card or its files say. It "
        "changes the index, and so does the next.",
    )
    document_prefix: str | None = Field(default=None, description="Likewise, before a passage.")
    batch_size: PositiveInt = Field(default=32, description="Texts that a sentence-transformers model reads at once.")


class StoreSettings(BaseModel):
    """Where the index is kept."""

    collection: str = Field(default="footnote", description="Name of the index on a Qdrant server.")


class ProviderSettings(BaseModel):
    """One OpenAI-compatible endpoint."""

    name: str
    base_url: HttpUrl | None = None
    model: str
    api_key: SecretStr | None = None
    reasoning: bool = False
    """It is one of OpenAI's reasoning models: they take no temperature, and the limit under another name."""


class LLMSettings(BaseModel):
    """How models that write are used."""

    fallbacks: list[ProviderSettings] = Field(
        default_factory=list[ProviderSettings],
        description="JSON list of further providers, tried in order when the first fails: "
        '`[{"name": …, "base_url": …, "model": …, "api_key": …}]`.',
    )
    reasoning: bool = Field(
        default=False,
        description="Whether LLM_MODEL is one of OpenAI's reasoning models (o3, gpt-5): they take no temperature, and "
        "the limit as max_completion_tokens. A fallback has its own key `reasoning`.",
    )
    first_token_seconds: PositiveFloat = Field(default=20.0, description="Silence allowed before the first token.")
    silence_seconds: PositiveFloat = Field(default=8.0, description="Silence allowed between two tokens.")
    total_seconds: PositiveFloat = Field(default=60.0, description="Time allowed for a whole answer.")
    max_tokens: PositiveInt = Field(default=800, description="Length allowed for an answer.")
    prices: dict[str, tuple[float, float]] = Field(
        default_factory=dict[str, tuple[float, float]],
        description="JSON object: model to USD a million tokens, in and out; wins over the built-in table.",
    )


Count: TypeAlias = Annotated[int, Field(ge=1, le=1_000_000)]
"""Beyond that a store takes no number."""
Weight: TypeAlias = Annotated[float, Field(gt=0, le=1_000_000)]


class RetrievalSettings(BaseModel):
    """How passages are found."""

    mode: str = Field(
        default="hybrid+ranker",
        description="The way of retrieving, `base[+stage…]`. Bases: `dense`, `bm25`, `hybrid` (both, fused by rank), "
        "`fusion` (both, fused by score), `mmr` (dense, and not the same thing many times), `hierarchical` (needs an "
        "index made with `FOOTNOTE_CHUNKER=hierarchical`). Stages: `ranker` (learned, packaged), `queries` (other "
        "wordings of the question, by the language model), `cross` (a cross-encoder), `late` (MaxSim over the vectors "
        "of tokens).",
    )
    candidates: Count = Field(default=60, description="Passages that each way of searching brings in.")
    passages: Count = Field(default=8, description="Passages that an answer is written from.")
    ranker: str = Field(
        default="",
        description="A file of weights for the ranker and for how likely passages answer, made by "
        "`python -m lab.training.ranker` for another embedding model than the packaged one. Empty: what ships.",
    )
    reranker: str = Field(
        default="",
        description="Hub name or folder of a sentence-transformers CrossEncoder, for the stage `cross`; needs "
        "torch: run `pip install -c constraints.txt '.[torch]'` in the folder of the source. Empty: that of the "
        "embedding model's profile, if it has one.",
    )
    rerank_pool: Count = Field(default=20, description="Candidates that the stages `cross` and `late` look at.")
    rrf_k: Count = Field(
        default=60,  # Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion", SIGIR 2009, sec. 3
        description="The constant k of reciprocal rank fusion: a passage scores 1 / (k + rank / weight) in each "
        "ranking. The lower, the more the first places count.",
    )
    weights: tuple[Weight, Weight] = Field(
        default=(1.0, 1.0),
        description="JSON list of two numbers: the weights of dense vectors and of BM25 when they are fused by rank.",
    )
    mmr_lambda: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="The base `mmr`: 1 asks for relevance alone, 0 for difference alone.",
    )
    queries: int = Field(
        default=3,
        ge=1,
        le=8,
        description="Other wordings of a question that the model writes at most, for the stage `queries`.",
    )
    query_seconds: PositiveFloat = Field(default=8.0, description="Time that the model may take for them.")


class AnswerSettings(BaseModel):
    """How answers are made."""

    context_chars: PositiveInt = Field(default=24_000, description="Characters of sources that a model is given.")
    excerpts: PositiveInt = Field(default=5, description="Passages quoted when no model writes.")
    cache_hours: float = Field(
        default=24.0,
        ge=0.001,  # a cache keeps whole seconds
        le=87_600,
        description="How long a finished answer may be given again.",
    )


class EngineSettings(BaseSettings):
    """Base of BotSettings and IndexerSettings: each program is given no secret that it does not use."""

    model_config = SettingsConfigDict(
        env_prefix="FOOTNOTE_",
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
        return init_settings, env_settings, _SecretFiles(settings_cls), dotenv_settings, file_secret_settings


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


class _SecretFiles(EnvSettingsSource):
    """Values from files: `NAME_FILE` says where NAME stands, or NAME is a file in the folder FOOTNOTE_SECRETS_DIR."""

    def _load_env_vars(self) -> Mapping[str, str | None]:
        wanted = {_first_name(name, field) for name, field in self.settings_cls.model_fields.items()}
        written = _written(self.settings_cls)
        named = {name.removesuffix("_FILE"): Path(path) for name, path in written.items() if name.endswith("_FILE")}
        files = {**_folder(written), **named}
        found = {name: _read(name, path) for name, path in files.items() if name.split("__")[0] in wanted}
        return {name.lower(): value for name, value in found.items() if value}


def _written(kind: type[BaseSettings]) -> dict[str, str]:
    """What the environment or else `.env` says, by name in capitals; an empty value says nothing."""
    dotenv = {name.upper(): value for name, value in DotEnvSettingsSource(kind).env_vars.items() if value}
    return dotenv | {name.upper(): value for name, value in os.environ.items() if value}


def _folder(written: Mapping[str, str]) -> dict[str, Path]:
    folder = written.get(_FOLDER)
    try:
        return {path.name.upper(): path for path in Path(folder).iterdir() if path.is_file()} if folder else {}
    except OSError as error:
        raise ConfigurationError(f"{_FOLDER}={folder!r} cannot be read: {error.strerror}") from error


def _read(name: str, path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ConfigurationError(f"{name}: its file {str(path)!r} cannot be read: {reason}") from None


def _first_name(name: str, field: FieldInfo) -> str:
    alias = field.validation_alias
    return alias if isinstance(alias, str) else f"{_PREFIX}{name.upper()}"


S = TypeVar("S", bound=EngineSettings)


def variables(model: type[BaseModel], prefix: str) -> dict[str, FieldInfo]:
    """Each environment variable that a model reads, and the field that it fills."""
    found: dict[str, FieldInfo] = {}
    for name, field in model.model_fields.items():
        variable = field.validation_alias if isinstance(field.validation_alias, str) else f"{prefix}{name.upper()}"
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            found |= variables(field.annotation, f"{variable}__")
        else:
            found[variable] = field
    return found


def load_settings(kind: type[S], **overrides: Any) -> S:
    """The settings of a program. Raises ConfigurationError that names each setting that cannot work, or is misspelt.

    A name of ours that resembles no setting may be meant for something else: it is logged.
    """
    try:
        for name, meant in _strange_names(kind):
            if meant:
                raise ConfigurationError(f"{name} is not a setting; did you mean {meant}?")
            log.warning("%s is not a setting and changes nothing", name)
        return kind(**overrides)
    except ValidationError as error:
        lines = [f"{_named(kind, problem['loc'])}: {problem['msg']}" for problem in error.errors()]
        raise ConfigurationError("; ".join(lines)) from None
    except SettingsError as error:
        raise ConfigurationError(_not_json(kind, error)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f".env cannot be read: {error}") from None


def log_style(kind: type[EngineSettings]) -> Literal["text", "json"]:
    """What FOOTNOTE_LOG_STYLE says, even where other settings cannot work: for a program that tells why it ends."""
    try:
        return "json" if _written(kind).get(f"{_PREFIX}LOG_STYLE") == "json" else "text"
    except (OSError, UnicodeDecodeError):
        return "text"


def unknown_names(kind: type[EngineSettings]) -> list[str]:
    """Names of ours that are set, and resemble no setting. Raises ConfigurationError where they cannot be read."""
    try:
        return [name for name, meant in _strange_names(kind) if not meant]
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f".env cannot be read: {error}") from None


def _strange_names(kind: type[EngineSettings]) -> Iterator[tuple[str, str | None]]:
    """Names of ours that are set and are no settings, each with the setting that is meant where that can be told."""
    written = _written(kind)
    fields = variables(AnsweringSettings, _PREFIX) | variables(kind, _PREFIX)
    groups = {_first_name(*item) for item in (AnsweringSettings.model_fields | kind.model_fields).items()}
    known = {*fields, *groups, *OF_ONE_PROGRAM, _FOLDER}
    tables = {name for name, field in fields.items() if get_origin(field.annotation) is dict}
    entries = tuple(f"{name}__" for name in tables | OF_ONE_PROGRAM)
    for name in [*written, *_folder(written)]:
        plain = name.removesuffix("_FILE")
        is_ours = name.startswith(_PREFIX) and not name.startswith((_OF_TESTS, *entries))
        if is_ours and known.isdisjoint((name, plain)):
            yield name, _meant(name, plain, known)


def _meant(name: str, plain: str, known: Collection[str]) -> str | None:
    """The setting that a name resembles most: SLACK_BOT_TOKEN for FOOTNOTE_SLACK_BOT_TOKEN too."""
    bare = plain.removeprefix(_PREFIX)
    alike = (match for tried in (name, plain) for match in get_close_matches(tried, sorted(known), cutoff=_MISSPELT))
    return bare if bare in known else next(alike, None)


def _named(kind: type[EngineSettings], location: tuple[int | str, ...]) -> str:
    """A problem's place as the operator wrote it."""
    first, *rest = map(str, location)
    field = kind.model_fields.get(first)
    name = first if field is None else _first_name(first, field)
    return "__".join([name, *(part.upper() for part in rest)])


def _not_json(kind: type[EngineSettings], error: SettingsError) -> str:
    """Which setting ought to be JSON, where it stops being it, and what it ought to be; its value may be a secret."""
    cause = error.__cause__
    if not isinstance(cause, json.JSONDecodeError):
        return str(error)
    files = {name: value or "" for name, value in _SecretFiles(kind).env_vars.items()}
    names = [name.upper() for name, value in (files | _written(kind)).items() if value == cause.doc]
    fields = variables(kind, _PREFIX)
    wanted = dict.fromkeys(fields[name].description or "" for name in names if name in fields)
    meant = f"; what is wanted is a {' or a '.join(wanted)}".replace("`", "") if wanted else ""
    return f"{' or '.join(names) or error}: not JSON ({cause.msg} at character {cause.pos + 1}){meant}"
