"""What the indexer can be told."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal, TypeAlias

from pydantic import Field, PositiveFloat, PositiveInt, SecretStr

from indexer.foreign_settings import FOREIGN_SETTINGS
from rag.settings.engine import EngineSettings

ChunkerName: TypeAlias = Literal["fixed", "tokens", "sentence", "semantic", "markdown", "hierarchical"]


class IndexerSettings(EngineSettings):
    """The engine's settings, and how files become chunks."""

    foreign: ClassVar[frozenset[str]] = FOREIGN_SETTINGS

    chunker: ChunkerName = Field(
        default="markdown",
        description="How pages are cut: `markdown` (by headings, paragraphs and tables), `sentence` (whole sentences), "
        "`semantic` (where the subject changes; each sentence is embedded, too), `fixed` (windows of characters), "
        "`tokens` (windows of the model's tokens) or `hierarchical` (as `markdown`, gathered under parents).",
    )
    chunk_size: PositiveInt | None = Field(
        default=None,
        description="Size of a chunk in characters, of `tokens` in tokens, and never more than the model reads. "
        "When unset: 800 for `markdown` and `hierarchical`, 500 for `tokens`, 900 for the others.",
    )
    chunk_overlap: int | None = Field(
        default=None,
        ge=0,
        description="What neighbours share at most, in the same unit. When unset: 120 for `markdown` and "
        "`hierarchical`, 150 for `sentence` and `fixed`, 50 for `tokens`, but a sixth of the size at most; 0 for "
        "`semantic`.",
    )
    summaries: bool = Field(
        default=False,
        description="Whether LLM_MODEL writes a summary of each group of chunks, for `FOOTNOTE_CHUNKER=hierarchical`: "
        "every document is sent to that model.",
    )
    extractors: PositiveInt = Field(default=1, description="Processes that read files, beside the one that embeds.")
    file_seconds: PositiveInt = Field(default=300, description="Time that reading one file may take.")
    file_memory_mb: PositiveInt = Field(default=1000, description="Memory that reading one file may take, in MB.")
    passwords: list[SecretStr] = Field(
        default_factory=list[SecretStr],
        description='JSON list of passwords to try on protected files: `["…", "…"]`.',
    )
    ocr_languages: list[str] = Field(
        default=["eng"],
        description='JSON list of the languages that scans are read in, by their names in Tesseract: `["eng", "deu"]`. '
        "Empty: scans are not read.",
    )
    libreoffice: Path | None = Field(
        default=None,
        description="The program `soffice`, which reads DOC, XLS and PPT; looked for on the PATH when unset.",
    )
    drives_file: Path | None = Field(
        default=None,
        description="TOML file that names the drives, local and remote: what of them is read, under which labels.",
    )
    drive_secrets: dict[str, SecretStr] = Field(
        default_factory=dict[str, SecretStr],
        description="JSON object: the secrets that the drives file names. One each: FOOTNOTE_DRIVE_SECRETS__NAME, or "
        "its file FOOTNOTE_DRIVE_SECRETS__NAME_FILE.",
    )
    fetch_mb: PositiveInt = Field(default=2000, description="Size up to which a file is fetched from a server, in MB.")
    watch_seconds: PositiveFloat = Field(
        default=60.0,
        description="How often `watch` looks through drives that tell nothing of changes: those on servers and network "
        "mounts; local ones are looked through as often besides.",
    )
    settle_seconds: PositiveFloat = Field(
        default=5.0, description="How long a file must have been left alone before `watch` reads it."
    )
