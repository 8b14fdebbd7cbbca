"""The operator's file of drives: what it can say, and how it is told what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from pydantic import SecretStr

from indexer.drives.choice import chosen_drives, every_drive, indexed_drives
from indexer.drives.documents import labels_of
from indexer.drives.drives_file import load_drives
from indexer.drives.folder import FolderDrive, Walk
from indexer.drives.rules import Rules
from indexer.drives.server import RemoteDrive
from indexer.settings import IndexerSettings
from rag.errors import ConfigurationError
from rag.settings.loading import load_settings
from tests.indexer.indexing import write
from tests.processes import ROOT, run_program


def settings(path: Path | None, secrets: Mapping[str, str] | None = None) -> IndexerSettings:
    hidden = {name: SecretStr(value) for name, value in (secrets or {}).items()}
    return load_settings(IndexerSettings, drives_file=path, drive_secrets=hidden)


def a_file(folder: Path, text: str) -> Path:
    path = folder / "drives.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_folder_is_read_by_its_patterns_and_under_its_labels(tmp_path: Path) -> None:
    write(tmp_path / "share", a_md="x", b_md="x")
    write(tmp_path / "share" / "HR" / "drafts", c_md="x")
    write(tmp_path / "share" / "HR", d_md="x", **{"old.bak": "x", "notes.txt": "x"})
    path = a_file(
        tmp_path,
        """
        [drives.handbook]
        root = "share"
        include = ["*.md", "*.bak"]
        exclude = ["**/drafts/**", "*.bak", "/b.md"]
        labels = { "HR/" = ["@internal"], "*.md" = ["@text"] }
        """,
    )
    [drive] = chosen_drives(settings(path), ["handbook"])
    assert isinstance(drive, FolderDrive)
    assert (drive.name, drive.root) == ("handbook", tmp_path / "share")
    assert [file.uri for file in Walk(drive).files()] == ["HR/d.md", "a.md"]
    assert labels_of(drive, "HR/d.md") == {"handbook", "handbook/HR", "@internal", "@text"}
    assert labels_of(drive, "a.md") == {"handbook", "@text"}


def test_a_pattern_takes_a_file_back_in_that_the_one_before_left_out() -> None:
    rules = Rules(exclude=("*.log", "!keep.log", "tmp/"))
    assert [name for name in ("a.log", "keep.log", "x/keep.log") if rules.admit(name)] == ["keep.log", "x/keep.log"]
    assert not rules.admit_folder("tmp") and rules.admit_folder("x")


def test_without_arguments_all_drives_of_the_file_are_meant_and_names_and_folders_can_be_mixed(tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        write(tmp_path / name, a_md="x")
    path = a_file(tmp_path, '[drives.first]\nroot = "one"\n[drives.second]\nroot = "two"\n')
    with_file = settings(path)
    assert [drive.name for drive in chosen_drives(with_file, [])] == ["first", "second"]
    chosen = chosen_drives(with_file, ["second", str(tmp_path / "three"), "second"])
    assert [(drive.name, drive.location) for drive in chosen] == [
        ("second", str(tmp_path / "two")),
        ("three", str(tmp_path / "three")),
    ]
    [named] = chosen_drives(settings(None), [str(tmp_path / "three")], name="wiki")
    assert named.name == "wiki"


def test_two_folders_of_one_name_are_refused(tmp_path: Path) -> None:
    folders = [str(tmp_path / place / "share") for place in ("north", "south")]
    for folder in folders:
        Path(folder).mkdir(parents=True)
    with pytest.raises(ConfigurationError, match=r"north/share and .*south/share would both be called 'share'.*--name"):
        chosen_drives(settings(None), folders)


def test_an_index_is_made_anew_by_the_rules_of_the_file(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, a_md="x")
    path = a_file(tmp_path, '[drives.first]\nroot = "one"\nexclude = ["*.bak"]\n')
    first, second = indexed_drives(
        load_drives(settings(path)), {"first": "/elsewhere", "second": str(tmp_path / "two")}
    )
    assert first.rules == Rules(exclude=("*.bak",)) and first.location == str(tmp_path / "one")
    assert (second.name, second.rules) == ("second", Rules())
    with pytest.raises(ConfigurationError, match=r"cloud comes from memory://x.*FOOTNOTE_DRIVES_FILE"):
        indexed_drives(load_drives(settings(path)), {"cloud": "memory://x"})
    with pytest.raises(ConfigurationError, match=r"'gone'.*mount it again"):
        indexed_drives(load_drives(settings(path)), {"gone": str(tmp_path / "missing")})


def test_a_folder_that_is_a_drive_of_the_file_is_that_drive(tmp_path: Path) -> None:
    write(tmp_path / "one", a_md="x")
    path = a_file(tmp_path, '[drives.first]\nroot = "one"\nexclude = ["*.bak"]\n')
    [drive] = chosen_drives(settings(path), [str(tmp_path / "one" / ".." / "one"), "first"])
    assert (drive.name, drive.rules) == ("first", Rules(exclude=("*.bak",)))


def test_every_drive_is_one_of_the_index_or_of_the_file(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, a_md="x")
    path = a_file(tmp_path, '[drives.first]\nroot = "one"\n')
    drives = every_drive(settings(path), {"second": str(tmp_path / "two")})
    assert [(drive.name, drive.location) for drive in drives] == [
        ("second", str(tmp_path / "two")),
        ("first", str(tmp_path / "one")),
    ]


def test_of_all_drives_some_may_be_absent_but_not_one_that_is_named_nor_all(tmp_path: Path) -> None:
    path = a_file(tmp_path, '[drives.first]\nroot = "one"\n[drives.second]\nroot = "two"\n')
    with pytest.raises(ConfigurationError, match=r"names no drive that is there: first \(.*one\), second"):
        chosen_drives(settings(path), [])
    write(tmp_path / "one", a_md="x")
    assert [drive.name for drive in chosen_drives(settings(path), [])] == ["first", "second"]
    with pytest.raises(ConfigurationError, match=r"drives\.second: .*two"):
        chosen_drives(settings(path), ["second"])


async def test_an_absent_drive_of_the_file_is_named_and_stops_no_other(tmp_path: Path) -> None:
    write(tmp_path / "one", a_md="# Apples\n\nApples are red.")
    path = a_file(tmp_path, '[drives.first]\nroot = "one"\n[drives.second]\nroot = "two"\n')
    code, out, errors = await run_program("indexer", "index", "--json", folder=tmp_path, FOOTNOTE_DRIVES_FILE=str(path))
    assert code == 1 and "two (second) cannot be listed" in errors
    first, second = json.loads(out)["drives"]
    assert (first["new"], second["unreadable_folders"]) == (1, ["."]) and "second" in second["left_out"]


def test_secrets_come_from_the_settings_and_stand_nowhere_else(tmp_path: Path) -> None:
    path = a_file(
        tmp_path,
        """
        [drives.cloud]
        url = "webdav://files.example.com/share"
        options = { username = "reader" }
        secrets = { password = "cloud_password" }
        """,
    )
    [drive] = chosen_drives(settings(path, {"CLOUD_password": "tulip"}), [])
    assert isinstance(drive, RemoteDrive)
    assert drive.location == "webdav://files.example.com/share"
    assert "tulip" not in repr(drive) + repr(load_drives(settings(path, {"CLOUD_password": "tulip"})))
    with pytest.raises(ConfigurationError, match=r"drives\.cloud.*FOOTNOTE_DRIVE_SECRETS__CLOUD_PASSWORD"):
        chosen_drives(settings(path), [])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("drives.x.root = 'a'\nbroken\n", r"not TOML.*line 2"),
        ("", r"drives: no drive is named"),
        ("drives = {}", r"drives: no drive is named"),
        ("[drives.x]\nroot='~nosuchuser/x'", r"drives\.x\.root: .*'~nosuchuser/x' is in the home of a user"),
        ('[drives.x]\nroot="a\\u0000b"', r"drives\.x\.root: .*no path can hold"),
        ("[drives.x]\nurl='http://[::1'", r"drives\.x\.url: .*host or port"),
        ("[drives.x]\nurl='sftp://host:99999/x'", r"drives\.x\.url: .*host or port"),
        ("[drives.x]\nurl='sftp://reader:tulip/x'", r"drives\.x\.url: .*host or port"),
        ("[drive.x]\nroot='a'", r"drive: "),
        ("[drives.x]\nroot='a'\nexlude=['y']", r"drives\.x\.exlude: is not known here; did you mean exclude\?"),
        ("[drives.x]", r"drives\.x: .*`root`.*`url`"),
        ("[drives.x]\nroot='a'\nurl='s3://b'", r"drives\.x: .*either"),
        ("[drives.x]\nroot='a'\n[drives.x.options]\nanon=true", r"drives\.x: .*for drives with a `url`"),
        ("[drives.'Not A Name']\nroot='a'", r"'Not A Name'"),
        ("[drives.x]\nroot='a'\nexclude=['!']", r"drives\.x: .*'!' is no pattern"),
        ("[drives.x]\nroot='a'\ninclude='*.md'", r"drives\.x\.include: must be a list"),
        ("[drives.x]\nroot='a'\nlabels={'HR/'=['handbook']}", r"drives\.x\.labels: .*'handbook' is no label"),
        ("[drives.x]\nurl='s3://b'\noptions={secret='tulip'}", r"drives\.x\.options: .*'secret' is a secret"),
        (
            "[drives.x]\nurl='s3://b'\noptions={client_kwargs={aws_secret_access_key='tulip'}}",
            r"drives\.x\.options: .*'aws_secret_access_key' is a secret",
        ),
        ("[drives.x]\nurl='s3://b'\noptions={a=[[{token='tulip'}]]}", r"drives\.x\.options: .*'token' is a secret"),
        ("[drives.x]\nroot='a'\n[drives.y]\nroot='./a/'", r"drives\.y and drives\.x are the same"),
        ("[drives.x]\nurl='s3://b/c'\n[drives.y]\nurl='s3://b/c/'", r"drives\.y and drives\.x are the same"),
    ],
)
def test_what_the_file_says_wrongly_is_named_with_its_place(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigurationError, match=says) as caught:
        load_drives(settings(a_file(tmp_path, text)))
    assert "drives.toml" in str(caught.value)
    assert "tulip" not in str(caught.value)
    assert "Value error" not in str(caught.value) and "Extra inputs" not in str(caught.value)


def test_a_folder_at_home_and_its_whole_path_are_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    text = f"[drives.x]\nroot='~/a'\n[drives.y]\nroot='{tmp_path}/a'"
    with pytest.raises(ConfigurationError, match=r"drives\.y and drives\.x are the same"):
        load_drives(settings(a_file(tmp_path, text)))


def test_links_that_lead_round_are_no_folder(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(ConfigurationError, match=r"drives\.toml.*x"):
        chosen_drives(settings(a_file(tmp_path, "[drives.x]\nroot='a'")), [])


def test_known_hosts_of_nobody_are_named_with_their_drive(tmp_path: Path) -> None:
    text = "[drives.x]\nurl='sftp://host/x'\noptions={known_hosts='~nosuchuser/hosts'}"
    with pytest.raises(ConfigurationError, match=r"drives\.x: known_hosts='~nosuchuser/hosts'"):
        chosen_drives(settings(a_file(tmp_path, text)), [])


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("no url", "is no URL"),
        ("nonsense://x/y", "nonsense:// is no protocol"),
        ("sftp://reader:tulip@host/share", "holds a password"),
        ("simplecache::s3://bucket", "is no URL"),
        ("gcs://bucket", r"need another package.*'\.\[remote\]'"),
    ],
)
def test_an_address_that_leads_nowhere_is_named(tmp_path: Path, url: str, says: str) -> None:
    file = a_file(tmp_path, f"[drives.x]\nurl='{url}'")
    with pytest.raises(ConfigurationError, match=says) as caught:
        chosen_drives(settings(file), [])
    assert "tulip" not in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "name", "says"),
    [
        (["nowhere"], None, r"'nowhere' is neither a folder nor a drive.*x"),
        ([""], None, "an empty string"),
        (["x"], "y", r"'x' has its name, x, from .*--name"),
        (["x", "."], "y", "--name is for one folder"),
        ([], "y", "--name is for one folder"),
        (["a"], "y", r"'a' has its name, x, from .*--name"),
    ],
)
def test_arguments_that_mean_no_drive_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], name: str | None, says: str
) -> None:
    write(tmp_path / "a", a_md="x")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigurationError, match=says):
        chosen_drives(settings(a_file(tmp_path, "[drives.x]\nroot='a'")), arguments, name=name)


async def test_the_command_line_indexes_all_drives_and_then_one(tmp_path: Path) -> None:
    write(tmp_path / "one", a_md="# Apples\n\nApples are red.")
    write(tmp_path / "two", b_md="# Whales\n\nWhales are blue.")
    path = a_file(tmp_path, '[drives.first]\nroot = "one"\n[drives.second]\nroot = "two"\n')
    code, out, errors = await run_program("indexer", "index", "--json", folder=tmp_path, FOOTNOTE_DRIVES_FILE=str(path))
    assert code == 0, errors
    assert [(drive["corpus"], drive["new"]) for drive in json.loads(out)["drives"]] == [("first", 1), ("second", 1)]
    (tmp_path / "two" / "b.md").rename(tmp_path / "two" / "c.md")
    code, out, errors = await run_program(
        "indexer", "index", "second", "--json", folder=tmp_path, FOOTNOTE_DRIVES_FILE=str(path)
    )
    assert code == 0, errors
    [drive] = json.loads(out)["drives"]
    assert (drive["corpus"], drive["moved"]) == ("second", [{"from": "b.md", "to": "c.md"}])


def test_the_example_can_be_understood_with_and_without_its_comments(tmp_path: Path) -> None:
    text = (ROOT / "deploy" / "drives.example.toml").read_text(encoding="utf-8")
    assert load_drives(settings(a_file(tmp_path, text)))
    plain = [line.removeprefix("# ") for line in text.splitlines()]
    bare = "\n".join(line for line in plain if " = " in line or line.startswith("["))
    drives = load_drives(settings(a_file(tmp_path, bare), {"contracts": "x", "cloud": "x"}))
    assert drives is not None
    assert set(drives.entries) == {"handbook", "contracts", "cloud", "archive"}
    for name in ("contracts", "cloud"):
        assert isinstance(drives.source(name), RemoteDrive)
