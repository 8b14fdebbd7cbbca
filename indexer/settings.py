"""What the indexer can be told."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, PositiveInt, SecretStr

from rag.settings import EngineSettings


class IndexerSettings(EngineSettings):
    """The engine's settings, and how files become chunks."""

    chunker: Literal["markdown", "fixed"] = Field(
        default="markdown", description="How pages are cut: `markdown` (by headings and paragraphs) or `fixed`."
    )
    chunk_size: PositiveInt | None = Field(
        default=None, description="Characters of a chunk; 800 for `markdown` and 900 for `fixed` when unset."
    )
    chunk_overlap: int | None = Field(
        default=None, ge=0, description="Characters that neighbours share; 120 and 150 when unset."
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
