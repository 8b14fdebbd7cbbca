"""How servers are reached: a drive's URL and options, turned into one of fsspec's file systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, Protocol, cast
from urllib.parse import urlsplit

from rag.errors import ConfigurationError

_WEBDAV: Final[Mapping[str, str]] = {"webdav": "http", "dav": "http", "webdavs": "https", "davs": "https"}
_SFTP: Final = frozenset({"sftp", "ssh"})
TIMEOUT_SECONDS: Final = 60.0  # without a sign of life


class FileSystem(Protocol):
    """What we ask of one of fsspec's file systems."""

    def ls(self, path: str, *, detail: bool) -> Sequence[Mapping[str, Any]]:
        """What lies in a folder."""
        ...

    def info(self, path: str) -> Mapping[str, Any]:
        """What is known of a file."""
        ...

    def open(self, path: str, mode: str) -> IO[bytes]:
        """The file."""
        ...


def _keep(system: object) -> None:
    """Most libraries end their connections by themselves."""
    del system


@dataclass(frozen=True, slots=True)
class Server:
    """A file system that is not reached yet, and the folder on it that is the drive."""

    url: str
    base: str
    connect: Callable[[], FileSystem] = field(compare=False)
    """Raises whatever the protocol's library raises."""
    close: Callable[[Any], None] = field(compare=False, default=_keep)
    """Ends the connection of a file system that `connect` gave."""


def server_at(url: str, options: Mapping[str, Any]) -> Server:
    """Where a URL leads. Nothing is sent yet. Raises ConfigurationError."""
    parts = urlsplit(url)
    if not parts.scheme or "::" in url:
        raise ConfigurationError(f"{url!r} is no URL of a drive: write it like sftp://files.example.com/share")
    if parts.password is not None:
        raise ConfigurationError(f"the URL of {parts.hostname} holds a password: name it under `secrets` instead")
    if parts.scheme in _WEBDAV:
        return _webdav(url, options)
    if parts.scheme in _SFTP:
        return _sftp(url, options)
    kind = _file_system(parts.scheme)
    given: dict[str, Any] = {**kind._get_kwargs_from_urls(url), **options}  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # as fsspec's own url_to_fs does
    return Server(url, str(kind._strip_protocol(url)), lambda: kind(**given, **_UNCACHED))  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # likewise


_UNCACHED: Final[Mapping[str, Any]] = {"skip_instance_cache": True, "use_listings_cache": False}
"""A listing that is remembered would hide what has changed."""


def _file_system(protocol: str) -> Any:
    """The class of fsspec for a protocol. Raises ConfigurationError when a package is missing."""
    try:
        from fsspec import get_filesystem_class  # noqa: PLC0415  # drives on this machine do without
    except ImportError as error:
        raise ConfigurationError(
            "remote drives need more packages: run `pip install -c constraints.txt '.[remote]'` in the folder "
            "of the source"
        ) from error
    try:
        return get_filesystem_class(protocol)
    except ImportError as error:
        raise ConfigurationError(
            f"drives at {protocol}:// need another package ({error}): run `pip install -c constraints.txt '.[remote]'` "
            "in the folder of the source"
        ) from error
    except ValueError as error:
        raise ConfigurationError(f"{protocol}:// is no protocol that drives can be reached by") from error


def _webdav(url: str, options: Mapping[str, Any]) -> Server:
    """Its whole address is the root; username and password are the options of the same name."""
    kind = _file_system("webdav")
    scheme, rest = url.split(":", 1)
    others = {name: value for name, value in options.items() if name not in {"username", "password"}}
    username = options.get("username", urlsplit(url).username)
    auth = None if username is None else (username, options.get("password", ""))
    address = f"{_WEBDAV[scheme]}:{rest.replace(f'//{urlsplit(url).username}@', '//')}"
    given: dict[str, Any] = {"timeout": TIMEOUT_SECONDS, **others}

    def connect() -> FileSystem:
        from indexer.drives.webdav import Webdav  # noqa: PLC0415  # its client is there if anybody needs it

        return Webdav(kind(address, auth=auth, **given, skip_instance_cache=True))

    return Server(url, "", connect, lambda system: system.close())


def _sftp(url: str, options: Mapping[str, Any]) -> Server:
    """The server must show a key that we know: fsspec would take any."""
    kind = _file_system("sftp")
    parts = urlsplit(url)
    given = {name: value for name, value in options.items() if name != "known_hosts"}
    known_hosts = Path(str(options.get("known_hosts", "~/.ssh/known_hosts")))
    try:
        known_hosts = known_hosts.expanduser()
    except RuntimeError as error:
        raise ConfigurationError(
            f"known_hosts={str(known_hosts)!r} is in the home of a user who is not known here: write the whole path"
        ) from error
    given |= {"port": parts.port or 22, "username": given.get("username", parts.username)}

    def connect() -> FileSystem:
        from indexer.drives.known_hosts import KnownHosts  # noqa: PLC0415  # paramiko is there if anybody needs it

        system = kind(
            parts.hostname,
            **given,
            timeout=TIMEOUT_SECONDS,
            host_key_policy=KnownHosts(known_hosts),
            skip_instance_cache=True,
        )
        system.ftp.get_channel().settimeout(TIMEOUT_SECONDS)
        return cast("FileSystem", system)

    return Server(url, parts.path, connect, lambda system: system.client.close())
