"""WebDAV with any names: webdav4 lists those that hold `#`, `?` or `%`, but does not open them."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import IO, Any, cast

import httpx


class Webdav:
    """The file system of webdav4; files are fetched over its connection."""

    def __init__(self, system: Any) -> None:
        self._system = system
        self._http = cast("httpx.Client", system.client.http)

    def ls(self, path: str, *, detail: bool) -> Sequence[Mapping[str, Any]]:
        """What lies in a folder."""
        entries: Sequence[Mapping[str, Any]] = self._system.ls(_escaped(path), detail=detail)
        return entries

    def info(self, path: str) -> Mapping[str, Any]:
        """What is known of a file."""
        found: Mapping[str, Any] = self._system.info(_escaped(path))
        return found

    def open(self, path: str, mode: str) -> IO[bytes]:
        """The file. Raises FileNotFoundError, httpx.HTTPError."""
        del mode
        url = self._system.client.join_url(_escaped(path))
        request = self._http.build_request("GET", url, headers={"Accept-Encoding": "identity"})
        response = self._http.send(request, stream=True, follow_redirects=True)
        if response.is_error:
            response.close()
            if response.status_code == HTTPStatus.NOT_FOUND:
                raise FileNotFoundError(path)
            response.raise_for_status()
        return cast("IO[bytes]", io.BufferedReader(_Body(response)))

    def close(self) -> None:
        """End the connection."""
        self._http.close()


class _Body(io.RawIOBase):
    """A response as it comes in."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._blocks = response.iter_bytes()
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._rest = block
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size

    def close(self) -> None:
        self._response.close()
        super().close()


def _escaped(path: str) -> str:
    """All other characters are escaped by webdav4."""
    return path.replace("%", "%25").replace("#", "%23").replace("?", "%3F")
