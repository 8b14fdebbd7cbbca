"""How far a run over a drive is, how fast it goes and how long it will take: told by bytes read and chunks embedded."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from indexer.pipeline.stages import EMBEDDING_CHUNKS


class Throughput:
    """Counts what one run does to one drive."""

    def __init__(self, sizes: Mapping[str, int], *, clock: Callable[[], float] = time.monotonic) -> None:
        """`sizes`: the bytes of each file that is to be read, by uri."""
        self._sizes = sizes
        self._clock = clock
        self._began = clock()
        self._bytes = sum(sizes.values())
        self._bytes_read = 0
        self._read_until = self._began
        self.files = len(sizes)
        self.files_read = self.pages = self.chunks_read = self.chunks_embedded = 0

    def read(self, uri: str, pages: int, chunks: int) -> None:
        """A file was read and cut."""
        self._bytes_read += self._sizes.get(uri, 0)
        self._read_until = self._clock()
        self.files_read += 1
        self.pages += pages
        self.chunks_read += chunks

    @property
    def seconds(self) -> float:
        """Since the beginning; never zero."""
        return max(self._clock() - self._began, 1e-6)

    @property
    def is_read(self) -> bool:
        """Whether the number of chunks is known."""
        return self.files_read >= self.files

    @property
    def chunks_expected(self) -> int:
        """Of all files: those that are not read yet are taken to have as many a byte as the others."""
        if self.is_read or not self._bytes_read:
            return self.chunks_read
        return max(round(self.chunks_read / self._bytes_read * self._bytes), self.chunks_read)

    @property
    def seconds_left(self) -> float | None:
        """Until all is read and embedded, whichever takes longer; None while there is too little to judge by."""
        if self.is_read and self.chunks_embedded >= self.chunks_read:
            return 0.0
        if self.chunks_embedded < EMBEDDING_CHUNKS and self.chunks_read:  # the first batch tells little
            return None
        left = [
            todo / done * self.seconds
            for todo, done in (
                (self._bytes - self._bytes_read, self._bytes_read),
                (self.chunks_expected - self.chunks_embedded, self.chunks_embedded),
            )
            if done
        ]
        return max(left, default=None)

    @property
    def pages_per_second(self) -> float:
        """On average, until the last file was read: what is embedded afterwards is not reading."""
        return self.pages / max(self._read_until - self._began, 1e-6)

    @property
    def chunks_per_second(self) -> float:
        """Embedded, on average."""
        return self.chunks_embedded / self.seconds
