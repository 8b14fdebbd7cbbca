"""Servers of files on this machine, for tests of remote drives: WebDAV and SFTP."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import paramiko
from cheroot import wsgi
from paramiko.common import AUTH_FAILED, AUTH_SUCCESSFUL, OPEN_SUCCEEDED
from wsgidav.wsgidav_app import WsgiDAVApp

USER = "reader"
PASSWORD = "tulip"


@contextmanager
def webdav(folder: Path) -> Generator[str]:
    """The folder under a URL, for whoever has user and password."""
    app: Any = WsgiDAVApp(
        {
            "provider_mapping": {"/share": str(folder)},
            "simple_dc": {"user_mapping": {"*": {USER: {"password": PASSWORD}}}},
            "http_authenticator": {"accept_basic": True, "accept_digest": False, "default_to_digest": False},
            "logging": {"enable": False},
            "verbose": 0,
        }
    )
    server: Any = wsgi.Server(("127.0.0.1", 0), app)
    server.prepare()
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield f"webdav://127.0.0.1:{server.bind_addr[1]}/share"
    finally:
        server.stop()
        thread.join(10)


@dataclass
class SftpServer:
    """Where it listens, and by which key it is known."""

    port: int
    key: paramiko.RSAKey
    broken: set[str] = field(default_factory=set[str])
    """Folders and files that give an error."""

    def known_hosts(self, path: Path) -> Path:
        path.write_text(f"[127.0.0.1]:{self.port} {self.key.get_name()} {self.key.get_base64()}\n")
        return path


class _Login(paramiko.ServerInterface):
    def check_auth_password(self, username: str, password: str) -> int:
        allowed = (username, password) == (USER, PASSWORD)
        return AUTH_SUCCESSFUL if allowed else AUTH_FAILED

    def get_allowed_auths(self, username: str) -> str:
        return "password"

    def check_channel_request(self, kind: str, chanid: int) -> int:
        return OPEN_SUCCEEDED


class _Folder(paramiko.SFTPServerInterface):
    """Reads below one folder."""

    root = Path()
    broken: set[str] = set()  # noqa: RUF012  # the library makes the instances

    def _real(self, path: str) -> str:
        if path.strip("/") in self.broken:
            raise PermissionError(13, "denied")
        return str(self.root) + os.path.normpath("/" + path)

    def list_folder(self, path: str) -> Any:
        try:
            real = self._real(path)
            return [
                paramiko.SFTPAttributes.from_stat(os.lstat(os.path.join(real, name)), name)  # noqa: PTH118  # as the protocol has it
                for name in os.listdir(real)  # noqa: PTH208  # likewise
            ]
        except OSError as error:
            return paramiko.SFTPServer.convert_errno(error.errno or 0)

    def stat(self, path: str) -> Any:
        try:
            return paramiko.SFTPAttributes.from_stat(os.stat(self._real(path)))  # noqa: PTH116  # likewise
        except OSError as error:
            return paramiko.SFTPServer.convert_errno(error.errno or 0)

    def lstat(self, path: str) -> Any:
        return self.stat(path)

    def open(self, path: str, flags: int, attr: Any) -> Any:
        try:
            file = Path(self._real(path)).open("rb")  # noqa: SIM115  # the handle closes it
        except OSError as error:
            return paramiko.SFTPServer.convert_errno(error.errno or 0)
        handle: Any = paramiko.SFTPHandle(flags)
        handle.readfile = file
        handle.stat = lambda: paramiko.SFTPAttributes.from_stat(os.fstat(file.fileno()))
        return handle


@contextmanager
def sftp(folder: Path) -> Generator[SftpServer]:
    """The folder as the root of a server."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = SftpServer(listener.getsockname()[1], paramiko.RSAKey.generate(2048))
    interface = type("Folder", (_Folder,), {"root": folder, "broken": server.broken})
    transports: list[paramiko.Transport] = []

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            transport = paramiko.Transport(connection)
            transports.append(transport)
            transport.add_server_key(server.key)
            transport.set_subsystem_handler("sftp", paramiko.SFTPServer, interface)
            try:
                transport.start_server(server=_Login())
            except (paramiko.SSHException, EOFError, OSError):
                transport.close()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(10)
        for transport in transports:
            transport.close()
