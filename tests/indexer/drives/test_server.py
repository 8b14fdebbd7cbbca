"""Drives on servers: real ones on this machine, and those of fsspec that need none."""

from __future__ import annotations

import os
import uuid
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import fsspec
import pytest

from indexer.drives.folder import FolderDrive
from indexer.drives.protocols import FileSystem, Server, server_at
from indexer.drives.rules import Rules
from indexer.drives.server import RemoteDrive, stamp_of
from indexer.pipeline.pipeline import RunOptions
from rag.errors import ConfigurationError
from tests.indexer.drives.servers import PASSWORD, USER, sftp, webdav
from tests.indexer.indexing import Watcher, a_pipeline, a_store, contents, index, write

FETCH_BYTES = 100_000


def remote(url: str, *, rules: Rules | None = None, fetch_bytes: int = FETCH_BYTES, **options: Any) -> RemoteDrive:
    return RemoteDrive("drive", server_at(url, options), rules or Rules(), fetch_bytes=fetch_bytes)


def fill(folder: Path) -> Path:
    write(
        folder,
        a_md="# Apples\n\nApples are red.",
        **{"ä & b #1 100%25?.md": "# Whales\n\nWhales are blue.", ".hidden": "x"},
    )
    write(folder / "HR" / "Leave", c_md="# Leave\n\nThirty days.")
    write(folder / "HR" / "drafts", d_md="# Draft")
    return folder


@contextmanager
def over_webdav(folder: Path) -> Generator[RemoteDrive]:
    with webdav(folder) as url:
        yield remote(url, rules=Rules(exclude=("drafts/",)), username=USER, password=PASSWORD)


@contextmanager
def over_sftp(folder: Path) -> Generator[RemoteDrive]:
    with sftp(folder) as server:
        known = server.known_hosts(folder.parent / "known_hosts")
        url = f"sftp://{USER}@127.0.0.1:{server.port}/"
        yield remote(url, rules=Rules(exclude=("drafts/",)), password=PASSWORD, known_hosts=str(known))


@contextmanager
def over_fsspec(folder: Path) -> Generator[RemoteDrive]:
    yield remote(f"file://{folder}", rules=Rules(exclude=("drafts/",)))


@pytest.mark.parametrize("reach", [over_webdav, over_sftp, over_fsspec])
async def test_a_drive_on_a_server_gives_the_chunks_of_the_same_folder(tmp_path: Path, reach: Any) -> None:
    folder = fill(tmp_path / "drive")
    with reach(folder) as drive:
        async with a_store(tmp_path / "far") as far, a_store(tmp_path / "near") as near:
            report = await run(far, drive)
            assert (report.new, report.failed, report.unreadable_folders) == (3, [], [])
            await index(near, FolderDrive("drive", folder, Rules(exclude=("drafts/",))))
            assert await texts(far) == await texts(near)
            records, chunks = await contents(far)
            assert set(records) == {"drive/a.md", "drive/ä & b #1 100%25?.md", "drive/HR/Leave/c.md"}
            assert {chunk.document.labels for chunk, *_ in chunks.values() if "Thirty" in chunk.text} == {
                frozenset({"drive", "drive/HR", "drive/HR/Leave"})
            }
            again = await run(far, drive)
            assert (again.unchanged, again.changed, again.touched, again.gone) == (3, 0, 0, 0)

            (folder / "a.md").write_text("# Apples\n\nApples are green, and there are more of them.")
            os.utime(folder / "a.md", (1_800_000_000, 1_800_000_000))
            (folder / "HR" / "Leave" / "c.md").rename(folder / "c.md")
            changed = await run(far, drive)
            assert (changed.changed, changed.moved, changed.gone) == (1, [("HR/Leave/c.md", "c.md")], 0)
            assert any("green" in text for text in await texts(far))
            assert (await far.manifest()).corpora["drive"].root == drive.location
            assert PASSWORD not in drive.location


async def test_a_wrong_password_drops_nothing_and_a_new_drive_is_refused(tmp_path: Path) -> None:
    folder = fill(tmp_path / "drive")
    async with a_store(tmp_path / "index") as store:
        with webdav(folder) as url:
            with pytest.raises(ConfigurationError, match="cannot be listed"):
                await run(store, remote(url, username=USER, password="rose"))
            await run(store, remote(url, username=USER, password=PASSWORD))
            report = await run(store, remote(url, username=USER, password="rose"))
            assert (report.gone, report.unreadable_folders) == (0, ["."])
        report = await run(store, remote(url, username=USER, password=PASSWORD))  # the server is gone
        assert (report.gone, report.unreadable_folders) == (0, ["."])
        assert len((await contents(store))[0]) == 4


async def test_a_server_whose_key_is_not_known_is_told_nothing(tmp_path: Path) -> None:
    folder = fill(tmp_path / "drive")
    with sftp(folder) as server, sftp(folder) as other:
        known = tmp_path / "known_hosts"
        known.write_text(other.known_hosts(known).read_text().replace(str(other.port), str(server.port)))
        drive = remote(f"sftp://{USER}@127.0.0.1:{server.port}/", password=PASSWORD, known_hosts=str(known))
        async with a_store(tmp_path / "index") as store:
            with pytest.raises(ConfigurationError, match="cannot be listed"):
                await run(store, drive)


async def test_a_folder_that_fails_half_way_keeps_its_documents(tmp_path: Path) -> None:
    folder = fill(tmp_path / "drive")
    with sftp(folder) as server:
        known = server.known_hosts(tmp_path / "known_hosts")
        url = f"sftp://{USER}@127.0.0.1:{server.port}/"
        drive = remote(url, password=PASSWORD, known_hosts=str(known))
        async with a_store(tmp_path / "index") as store:
            await run(store, drive)
            server.broken |= {"HR/Leave", "a.md"}
            (folder / "a.md").write_text("# Apples\n\nApples are yellow and green.")
            (folder / "ä & b #1 100%25?.md").unlink()
            report = await run(store, drive)
            assert (report.gone, report.kept, report.unreadable_folders) == (1, 1, ["HR/Leave"])
            assert [(uri, failure.code) for uri, failure in report.failed] == [("a.md", "unreadable")]
            assert "Thirty days." in " ".join(await texts(store)) and "Apples are red." in " ".join(await texts(store))
            server.broken.clear()
            report = await run(store, drive)
            assert (report.changed, report.gone, report.failed) == (1, 0, [])


class Fickle:
    """A server that changes a file while it is fetched, or has it no more."""

    def __init__(self, system: FileSystem, *, gone: Sequence[str] = (), changing: Sequence[str] = ()) -> None:
        self._system = system
        self._gone = gone
        self._changing = changing
        self._asked = 0

    def ls(self, path: str, *, detail: bool) -> Any:
        return self._system.ls(path, detail=detail)

    def info(self, path: str) -> Any:
        self._asked += 1
        found = dict(self._system.info(path))
        return {**found, "created": str(self._asked)} if path.endswith(tuple(self._changing)) else found

    def open(self, path: str, mode: str) -> Any:
        if self._gone and path.endswith(tuple(self._gone)):
            raise FileNotFoundError(path)
        return self._system.open(path, mode)


async def test_files_that_change_go_or_are_too_large_cost_only_themselves(tmp_path: Path) -> None:
    system: Any = fsspec.filesystem("memory")
    base = f"/{uuid.uuid4()}"
    for name, text in {"a.md": "# A", "changing.md": "# B", "gone.md": "# C", "large.md": "# D" * 50_000}.items():
        system.pipe_file(f"{base}/{name}", text.encode())
    fickle = Fickle(system, gone=("gone.md",), changing=("changing.md",))
    drive = RemoteDrive("drive", Server("memory://x", base, lambda: fickle), Rules(), fetch_bytes=FETCH_BYTES)
    async with a_store(tmp_path / "index") as store:
        report = await run(store, drive)
        assert {uri: failure.code for uri, failure in report.failed} == {
            "changing.md": "vanished",
            "gone.md": "vanished",
            "large.md": "too_large",
        }
        assert await texts(store) == {"# A"}
        again = await run(store, drive)
        assert (again.unchanged, len(again.failed)) == (2, 2)
        assert (await store.manifest()).generation == 1


async def test_names_that_lead_elsewhere_and_entries_without_a_size_are_passed_over(tmp_path: Path) -> None:
    class Hostile(Fickle):
        def ls(self, path: str, *, detail: bool) -> Any:
            good = super().ls(path, detail=detail)
            entry = {"type": "file", "size": 3, "created": "x"}
            bad = [{**entry, "name": f"{path}/{name}"} for name in ("..", ".", "x\0y", "\udcff")]
            return [*good, *bad, {**entry, "name": f"{path}/sheet", "size": None}, {"name": path, "type": "directory"}]

    system: Any = fsspec.filesystem("memory")
    base = f"/{uuid.uuid4()}"
    system.pipe_file(f"{base}/a.md", b"# A")
    listing = RemoteDrive(
        "drive", Server("memory://x", base, lambda: Hostile(system)), Rules(), fetch_bytes=FETCH_BYTES
    ).listing()
    assert [file.uri for file in listing.files()] == ["a.md"]
    assert listing.skipped == 5


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"mtime": 1_700_000_000, "etag": "1"}, {"mtime": 1_700_000_000, "etag": "2"}),
        ({"mtime": 1_700_000_000.25}, {"mtime": 1_700_000_000.5}),
        ({"ETag": "1"}, {"ETag": "2"}),
        ({"modified": "2026-01-01T00:00:00Z"}, {"modified": "2026-01-01T00:00:01Z"}),
        ({}, {"created": "x"}),
    ],
)
def test_a_change_is_seen_by_whatever_the_server_tells(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert stamp_of(one) != stamp_of(other)
    assert stamp_of(one) == stamp_of(dict(one))


def test_without_a_date_a_file_is_of_the_first_day_of_1970_and_with_one_of_that_second() -> None:
    assert 0 <= stamp_of({"etag": "x"}) < 86_400 * 10**9
    assert stamp_of({"mtime": 1_700_000_000, "etag": "x"}) // 10**9 == 1_700_000_000


async def run(store: Any, drive: RemoteDrive) -> Any:
    return (await a_pipeline(store).run([drive], Watcher(), RunOptions())).drives[0]


async def texts(store: Any) -> set[str]:
    return {row.chunk.text async for row in store.scan()}
