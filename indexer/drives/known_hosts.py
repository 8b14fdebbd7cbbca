"""Whether an SSH server is the one that it says it is."""

from __future__ import annotations

from pathlib import Path

from paramiko import HostKeys, MissingHostKeyPolicy, PKey, SSHClient, SSHException


class KnownHosts(MissingHostKeyPolicy):
    """Takes the keys that a file of known hosts names, and no others."""

    def __init__(self, path: Path) -> None:
        """`path`: in OpenSSH's format."""
        self._path = path

    def missing_host_key(self, client: SSHClient, hostname: str, key: PKey) -> None:
        """Raises SSHException for a key that is not known."""
        del client
        known = HostKeys(str(self._path)) if self._path.is_file() else HostKeys()
        if not known.check(hostname, key):
            raise SSHException(
                f"the key of {hostname} ({key.get_name()}) does not stand in {self._path}: compare it with the "
                "server's, and add it with ssh-keyscan"
            )
