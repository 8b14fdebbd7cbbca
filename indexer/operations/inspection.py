"""What would be indexed of single files: they are read and cut as always, and nothing is stored."""

from __future__ import annotations

import asyncio
import stat
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from indexer.bootstrap import build_chunker, build_extraction_context, build_ruler
from indexer.chunking.base import Chunker, Piece
from indexer.drives.base import is_litter
from indexer.drives.folder import uri_of
from indexer.extraction.base import ExtractionContext
from indexer.extraction.sandbox.extract_job import ExtractedText, ExtractJob, Unread
from indexer.extraction.sandbox.pool import ExtractorPool, open_pool
from indexer.settings import IndexerSettings
from rag.types.documents import Failure, Page
from rag.uris import title_of


@dataclass(frozen=True, slots=True)
class Inspected:
    """What a file comes out as."""

    path: str
    """As it was given."""
    kind: str = ""
    """Empty where it cannot be told."""
    pages: Sequence[Page] = ()
    pieces: Sequence[Piece] = ()
    """What would be the chunks."""
    warnings: Sequence[str] = ()
    failure: Failure | None = None

    def as_json(self) -> Mapping[str, Any]:
        """For `--json`."""
        return {
            "path": self.path,
            "kind": self.kind,
            "pages": [
                {"number": page.number, "label": page.label, "text": page.text, "ocr": page.ocr} for page in self.pages
            ],
            "chunks": [
                {
                    "text": piece.page.text[piece.start : piece.end],
                    "pages": [piece.page.number],
                    "start": piece.start,
                    "end": piece.end,
                    "headings": list(piece.headings),
                }
                for piece in self.pieces
            ],
            "warnings": list(self.warnings),
            "error": None if self.failure is None else asdict(self.failure),
        }


async def inspect(settings: IndexerSettings, paths: Sequence[str], show: Callable[[Inspected], None]) -> None:
    """Hand each file to `show`, in the order given and as soon as it is ready. Raises ConfigurationError."""
    chunker = await asyncio.to_thread(lambda: build_chunker(settings, build_ruler(settings.embedding)))
    context = build_extraction_context(settings)
    async with open_pool(settings.extractors, seconds=settings.file_seconds, memory_mb=settings.file_memory_mb) as pool:
        inspector = _Inspector(pool, chunker, context)
        async with asyncio.TaskGroup() as group:
            ahead: deque[asyncio.Task[Inspected]] = deque()
            for path in paths:
                ahead.append(group.create_task(inspector.inspect(path)))
                if len(ahead) > pool.count:  # one is being cut while the others are read
                    show(await ahead.popleft())
            while ahead:
                show(await ahead.popleft())


@dataclass(frozen=True, slots=True)
class _Inspector:
    """Reads and cuts one file after the other."""

    pool: ExtractorPool
    chunker: Chunker
    context: ExtractionContext

    async def inspect(self, given: str) -> Inspected:
        """What one file comes out as."""
        path = Path(given)
        if (failure := await asyncio.to_thread(_no_file, path)) is not None:
            return Inspected(given, failure=failure)
        if is_litter(path.name):
            return Inspected(given, warnings=[_LITTER])
        outcome = await self.pool.extract(ExtractJob(path, "", self.context))
        match outcome:
            case ExtractedText():
                pieces = await asyncio.to_thread(self._cut, path, outcome)
                return Inspected(given, outcome.kind, outcome.pages, pieces, outcome.warnings)
            case Unread():
                return Inspected(given, outcome.kind, failure=outcome.failure)
            case _:
                return Inspected(given)

    def _cut(self, path: Path, text: ExtractedText) -> Sequence[Piece]:
        title = text.title or title_of(uri_of(path.parent, path))
        return self.chunker.cut(text.pages, title=title)


_LITTER: Final = "ignored: lock files, half-loaded files and what operating systems leave behind are not indexed."


def _no_file(path: Path) -> Failure | None:
    """Why there is nothing to read; None where there is."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return Failure("missing", "There is no such file.", "Check the path.")
    except OSError as error:
        return Failure("unreadable", f"The file cannot be looked at: {error.strerror}.", "Check its rights.")
    if stat.S_ISDIR(mode):
        return Failure("folder", "This is a folder.", "Name its files; `index` reads whole folders.")
    if not stat.S_ISREG(mode):
        return Failure("not_a_file", "This is no regular file but a pipe, a socket or a device.", "Name a file.")
    return None
