"""The operator's file of drives: what it can say, and how it is told what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from pydantic import SecretStr

from indexer.drive import Drive, Walk, labels_of
from indexer.drives_file import chosen_drives, indexed_drives, load_drives
from indexer.remote import RemoteDrive
from indexer.rules import Rules
from indexer.settings import IndexerSettings
from rag.errors import ConfigurationError
from rag.settings import load_settings
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
    assert isinstance(drive, Drive)
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


def test_an_index_is_made_anew_by_the_rules_of_the_file(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, a_md="x")
    path = a_file(tmp_path, '[drives.first]\nroot = "one"\nexclude = ["*.bak"]\n')
    first, second = indexed_drives(settings(path), {"first": "/elsewhere", "second": str(tmp_path / "two")})
    assert first.rules == Rules(exclude=("*.bak",)) and first.location == str(tmp_path / "one")
    assert (second.name, second.rules) == ("second", Rules())
    with pytest.raises(ConfigurationError, match=r"cloud comes from memory://x.*FOOTNOTE_DRIVES_FILE"):
        indexed_drives(settings(path), {"cloud": "memory://x"})
    with pytest.raises(ConfigurationError, match=r"'gone'.*mount it again"):
        indexed_drives(settings(path), {"gone": str(tmp_path / "missing")})


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
        ("", r"drives: Field required"),
        ("[drive.x]\nroot='a'", r"drive: "),
        ("[drives.x]\nroot='a'\nexlude=['y']", r"drives\.x\.exlude"),
        ("[drives.x]", r"drives\.x: .*`root`.*`url`"),
        ("[drives.x]\nroot='a'\nurl='s3://b'", r"drives\.x: .*either"),
        ("[drives.x]\nroot='a'\n[drives.x.options]\nanon=true", r"drives\.x: .*for drives with a `url`"),
        ("[drives.'Not A Name']\nroot='a'", r"'Not A Name'"),
        ("[drives.x]\nroot='a'\nexclude=['!']", r"drives\.x: .*'!' is no pattern"),
        ("[drives.x]\nroot='a'\ninclude='*.md'", r"drives\.x\.include"),
        ("[drives.x]\nroot='a'\nlabels={'HR/'=['handbook']}", r"drives\.x\.labels: .*'handbook' is no label"),
        ("[drives.x]\nurl='s3://b'\noptions={secret='tulip'}", r"drives\.x\.options: .*'secret' is a secret"),
        ("[drives.x]\nroot='a'\n[drives.y]\nroot='./a/'", r"drives\.y and drives\.x are the same"),
        ("[drives.x]\nurl='s3://b/c'\n[drives.y]\nurl='s3://b/c/'", r"drives\.y and drives\.x are the same"),
    ],
)
def test_what_the_file_says_wrongly_is_named_with_its_place(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigurationError, match=says) as caught:
        load_drives(settings(a_file(tmp_path, text)))
    assert "drives.toml" in str(caught.value)
    assert "tulip" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("no url", "is no URL"),
        ("nonsense://x/y", "nonsense:// is no protocol"),
        ("sftp://reader:tulip@host/share", "holds a password"),
        ("simplecache::s3://bucket", "is no URL"),
        ("gcs://bucket", r"need another package.*footnote\[remote\]"),
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
        (["x"], "y", r"'x' has its name from .*--name"),
        (["x", "."], "y", "--name is for one folder"),
    ],
)
def test_arguments_that_mean_no_drive_are_refused(
    tmp_path: Path, arguments: list[str], name: str | None, says: str
) -> None:
    write(tmp_path / "a", a_md="x")
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
