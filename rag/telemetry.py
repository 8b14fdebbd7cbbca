"""What the program did and how long it took: stage times, counters, logs. Never what a user asked or read."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import Final, Literal

log = logging.getLogger(__name__)

_STANDARD: Final = frozenset(vars(logging.makeLogRecord({})))
"""What each record carries anyway; the rest was given as `extra`."""


class Stopwatch:
    """The seconds that one answer spent in each stage."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Generator[None]:
        """Add the time inside the context to the stage."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.add({name: time.perf_counter() - began})

    def add(self, timings: Mapping[str, float]) -> None:
        """Add the seconds of stages that were measured elsewhere."""
        for name, seconds in timings.items():
            self._seconds[name] = self._seconds.get(name, 0.0) + seconds

    @property
    def seconds(self) -> Mapping[str, float]:
        """By stage, in the order in which they began."""
        return dict(self._seconds)


class Counters:
    """How often things happened since the start, for health and dashboards."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def count(self, name: str) -> None:
        """Once more."""
        self._counts[name] += 1

    @property
    def counts(self) -> Mapping[str, int]:
        """By name."""
        return dict(self._counts)


class _Fields(logging.Formatter):
    """Message and `extra`, as one line of text or of JSON."""

    def __init__(self, style: Literal["text", "json"]) -> None:
        super().__init__()
        self._shape = style

    def format(self, record: logging.LogRecord) -> str:
        fields = {key: value for key, value in vars(record).items() if key not in _STANDARD}
        if record.exc_info:
            fields["traceback"] = self.formatException(record.exc_info)
        if self._shape == "json":
            head = {
                "time": record.created,
                "level": record.levelname,
                "logger": record.name,
                "message": record.getMessage(),
            }
            return json.dumps({**head, **fields}, default=str, ensure_ascii=False)
        at = time.strftime("%H:%M:%S", time.localtime(record.created))
        traceback = fields.pop("traceback", None)
        line = " ".join(
            [at, record.levelname, f"{record.name}: {record.getMessage()}", *(f"{k}={v!r}" for k, v in fields.items())]
        )
        return line if traceback is None else f"{line}\n{traceback}"


def configure_logging(*, level: str, style: Literal["text", "json"], packages: Iterable[str]) -> None:
    """Send the logs of these packages to stderr; all others speak up from warnings on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Fields(style))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    for package in packages:
        logging.getLogger(package).setLevel(level)
