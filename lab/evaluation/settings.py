"""What the evaluation can be told, and what it tells the indexer that it runs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Final

from bot.settings import BotSettings
from indexer.settings import IndexerSettings
from rag.settings.engine import AnsweringSettings
from rag.settings.names import variables
from rag.settings.sources import written

_CHUNKING: Final = ("FOOTNOTE_CHUNKER", "FOOTNOTE_CHUNK_OVERLAP", "FOOTNOTE_CHUNK_SIZE", "FOOTNOTE_SUMMARIES")


class EvaluationSettings(AnsweringSettings):
    """The settings of a program that answers, and no others."""

    foreign: ClassVar[frozenset[str]] = frozenset({*variables(BotSettings), *variables(IndexerSettings)})


def chunking() -> Mapping[str, str]:
    """What the indexer is told of chunking, by the name of the setting; another index is kept for each."""
    said = written(EvaluationSettings)
    return {name: said[name] for name in _CHUNKING if name in said}


def indexer_environment(data_dir: Path, collection: str) -> Mapping[str, str]:
    """The environment of an indexer that writes there: on a Qdrant server, under this name."""
    own = {"FOOTNOTE_DATA_DIR": str(data_dir), "FOOTNOTE_STORE__COLLECTION": collection}
    return {**os.environ, **own}
