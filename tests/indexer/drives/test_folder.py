"""The walk over a drive: what is a document, what is litter, and what cannot be entered."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from indexer.drives.documents import describe, document_id
from indexer.drives.folder import FolderDrive, Walk
from rag.errors import ConfigurationError


def uris(folder: Path) -> list[str]:
    return [file.uri for file in Walk(FolderDrive("drive", folder)).files()]


def touch(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text", encoding="utf-8")


def test_files_come_in_the_order_of_their_names_with_folders_among_them(tmp_path: Path) -> None:
    touch(tmp_path, "b/2.md", "b/1.md", "c.md", "a.md", "b/deep/er/3.md")
    assert uris(tmp_path) == ["a.md", "b/1.md", "b/2.md", "b/deep/er/3.md", "c.md"]


@pytest.mark.parametrize(
    "name",
    [
        ".hidden.md",
        ".hidden\nin two lines",
        ".git/config.md",
        "~$Report.docx",
        "Report.docx~",
        "Thumbs.db",
        "THUMBS.DB",
        "desktop.ini",
        "Icon\r",
        "download.pdf.crdownload",
        "two\nlines.TMP",
        "film.mp4.filepart",
        "data.laccdb",
        ".~lock.plan.odt#",
        "@eaDir/plan.md",
        "__MACOSX/a.md",
        "$RECYCLE.BIN/a.md",
        "System Volume Information/a.md",
    ],
)
def test_litter_is_passed_over(tmp_path: Path, name: str) -> None:
    touch(tmp_path, name, "kept.md")
    assert uris(tmp_path) == ["kept.md"]


@pytest.mark.parametrize(
    "name", ["thumbs.db.md", "a.tmp.md", "icon.md", "~notes.md", "part.pdf", "Ünïcödé 日本.md", "two\nlines.md", " "]
)
def test_a_name_that_only_resembles_litter_is_kept(tmp_path: Path, name: str) -> None:
    touch(tmp_path, name)
    assert uris(tmp_path) == [name]


def test_links_and_special_files_are_counted_and_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path / "outside", "secret.md")
    touch(tmp_path / "drive", "kept.md")
    drive = tmp_path / "drive"
    (drive / "link.md").symlink_to(tmp_path / "outside" / "secret.md")
    (drive / "folder").symlink_to(tmp_path / "outside", target_is_directory=True)
    (drive / "loop").symlink_to(drive, target_is_directory=True)
    (drive / "broken").symlink_to(drive / "nowhere")
    os.mkfifo(drive / "pipe")
    monkeypatch.chdir(drive)  # the address of a socket is short
    with socket.socket(socket.AF_UNIX) as unheard:
        unheard.bind("socket")
    walk = Walk(FolderDrive("drive", drive))
    assert [file.uri for file in walk.files()] == ["kept.md"]
    assert walk.skipped == 6
    assert walk.unreadable == []


def test_a_name_that_is_no_utf8_gives_a_uri_that_json_can_hold(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"gr\xfc\xdfe.md")).write_text("text")
    [file] = Walk(FolderDrive("drive", tmp_path)).files()
    assert file.uri == "gr\\xfc\\xdfe.md"
    assert file.uri.encode("utf-8")
    assert file.path.read_text() == "text"


def test_two_spellings_of_one_name_are_two_files(tmp_path: Path) -> None:
    touch(tmp_path, "K\u00fcche.md", "Ku\u0308che.md")
    drive = FolderDrive("drive", tmp_path)
    files = list(Walk(drive).files())
    documents = [describe(drive, file, title="", kind="markdown", paged=False, fingerprint="f") for file in files]
    assert sorted(file.uri for file in files) == ["Ku\u0308che.md", "K\u00fcche.md"]
    assert len({document.id for document in documents}) == 2
    assert {document.title for document in documents} == {"K\u00fcche"}


def test_folders_are_labelled_in_one_spelling(tmp_path: Path) -> None:
    touch(tmp_path, "Bu\u0308ro/a.md")
    drive = FolderDrive("drive", tmp_path)
    [file] = Walk(drive).files()
    document = describe(drive, file, title="", kind="markdown", paged=False, fingerprint="f")
    assert document.labels == {"drive", "drive/B\u00fcro"}


def test_a_file_is_known_by_size_and_the_time_of_its_last_change(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"12345")
    os.utime(path, ns=(1, 1_700_000_000_123_456_789))
    [file] = Walk(FolderDrive("drive", tmp_path)).files()
    assert (file.size, file.mtime_ns) == (5, 1_700_000_000_123_456_789)


def nest(folder: Path, *names: str) -> None:
    """Folders in one another, and beside the innermost nothing; deeper than a path can be written."""
    here = os.open(folder, os.O_RDONLY)
    for name in names:
        os.mkdir(name, dir_fd=here)
        below = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("file.md", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)


def unnest(folder: Path, *names: str) -> None:
    """Take away what `nest` made: what clears up after a test cannot."""
    handles = [os.open(folder, os.O_RDONLY)]
    for name in names:
        handles.append(os.open(name, os.O_RDONLY, dir_fd=handles[-1]))
    os.unlink("file.md", dir_fd=handles[-1])
    for name, handle in zip(reversed(names), reversed(handles[:-1]), strict=True):
        os.rmdir(name, dir_fd=handle)
    for handle in handles:
        os.close(handle)


def test_a_folder_too_deep_to_be_listed_is_named_and_stops_nothing(tmp_path: Path) -> None:
    touch(tmp_path, "a.md", "z.md")
    names = ["n" * 200] * 25
    nest(tmp_path, *names)
    try:
        walk = Walk(FolderDrive("drive", tmp_path))
        assert [file.uri for file in walk.files()] == ["a.md", "z.md"]
        [folder] = walk.unreadable
        assert "/".join(names).startswith(folder)
    finally:
        unnest(tmp_path, *names)


def test_a_file_that_the_system_does_not_let_us_look_at_makes_its_folder_unreadable(tmp_path: Path) -> None:
    longest = os.pathconf("/", "PC_PATH_MAX")
    names = ["n" * 200] * ((longest - len(str(tmp_path))) // 201 - 1)
    rest = longest - len(str(tmp_path)) - 201 * len(names)
    names.append("m" * (rest - 5 - len("/")))  # the folder's path is short enough, its file's is not
    nest(tmp_path, *names)
    try:
        walk = Walk(FolderDrive("drive", tmp_path))
        assert list(walk.files()) == []
        assert walk.unreadable == ["/".join(names)]
    finally:
        unnest(tmp_path, *names)


def test_more_folders_in_one_another_than_functions_may_call_each_other(tmp_path: Path) -> None:
    names = ["d"] * 1500
    nest(tmp_path, *names)
    try:
        assert uris(tmp_path) == ["/".join([*names, "file.md"])]
    finally:
        unnest(tmp_path, *names)


def test_a_drive_is_named_after_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "Team Drive (2026)"
    folder.mkdir()
    assert FolderDrive.at(folder, None) == FolderDrive("team-drive-2026", folder)
    assert FolderDrive.at(folder, "hr_1").name == "hr_1"


@pytest.mark.parametrize("name", ["HR", "a/b", "a b", "-a", "ä", "x" * 64, "a|b", "a@b", "*", "a\n"])
def test_a_name_that_scopes_could_not_hold_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigurationError, match="--name"):
        FolderDrive.at(tmp_path, name)


def test_a_folder_whose_name_gives_none_asks_for_one(tmp_path: Path) -> None:
    folder = tmp_path / "資料"
    folder.mkdir()
    with pytest.raises(ConfigurationError, match="--name"):
        FolderDrive.at(folder, None)


def test_what_is_no_folder_is_refused_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "missing"):
        with pytest.raises(ConfigurationError, match=str(path)):
            FolderDrive.at(path, None)


def test_a_document_carries_a_label_for_each_folder_above_it(tmp_path: Path) -> None:
    touch(tmp_path, "HR/Leave/2026/days.md")
    drive = FolderDrive("drive", tmp_path)
    [file] = Walk(drive).files()
    document = describe(drive, file, title="", kind="markdown", paged=False, fingerprint="f")
    assert document.labels == {"drive", "drive/HR", "drive/HR/Leave", "drive/HR/Leave/2026"}
    assert document.title == "days"


def test_an_id_depends_on_drive_and_path_and_nothing_else(tmp_path: Path) -> None:
    here, there = FolderDrive("drive", tmp_path), FolderDrive("drive", tmp_path / "elsewhere")
    assert document_id(here, "a.md") == document_id(there, "a.md")
    assert (
        len({document_id(here, "a.md"), document_id(here, "b.md"), document_id(FolderDrive("other", tmp_path), "a.md")})
        == 3
    )
