from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.access import Scopes
from rag.errors import ConfigurationError


def scopes(tmp_path: Path, text: str) -> Scopes:
    path = tmp_path / "scopes.toml"
    path.write_text(text, encoding="utf-8")
    return Scopes(path)


def rewrite(scopes: Scopes, text: str) -> None:
    assert scopes.path is not None
    before = scopes.path.stat().st_mtime_ns
    scopes.path.write_text(text, encoding="utf-8")
    os.utime(scopes.path, ns=(before + 1_000_000, before + 1_000_000))


def test_without_a_file_nobody_may_read_anything() -> None:
    assert Scopes(None).of("C1", user="U1").is_empty
    assert Scopes(None).of("D1", user="U1", direct=True).is_empty


def test_a_channel_that_is_not_named_may_read_nothing_unless_there_is_a_default(tmp_path: Path) -> None:
    assert scopes(tmp_path, '[channels]\nC1 = ["hr"]\n').of("C2").is_empty
    assert scopes(tmp_path, 'default = ["wiki"]\n[channels]\nC1 = ["hr"]\n').of("C2").labels == {"wiki"}


def test_a_channel_that_is_named_gets_what_it_is_given_and_not_the_default(tmp_path: Path) -> None:
    rules = scopes(tmp_path, 'default = ["wiki"]\n[channels]\nC1 = ["hr/Leave"]\nC2 = []\n')
    assert rules.of("C1").labels == {"hr/Leave"}
    assert rules.of("C2").is_empty


def test_in_a_direct_message_the_person_counts_and_not_the_channel(tmp_path: Path) -> None:
    rules = scopes(
        tmp_path,
        'default = ["all"]\ndirect_messages = ["wiki"]\n[channels]\nD1 = ["secret"]\n[users]\nU1 = ["legal"]\n',
    )
    assert rules.of("D1", user="U1", direct=True).labels == {"wiki", "legal"}
    assert rules.of("D1", user="U2", direct=True).labels == {"wiki"}
    assert rules.of("C1", user="U1").labels == {"all"}


def test_no_scope_from_a_file_is_ever_unlimited(tmp_path: Path) -> None:
    rules = scopes(tmp_path, 'default = ["*"]\n')
    assert not rules.of("C1").unlimited


def test_a_change_of_the_file_counts_at_once(tmp_path: Path) -> None:
    rules = scopes(tmp_path, '[channels]\nC1 = ["hr"]\n')
    rewrite(rules, '[channels]\nC1 = ["wiki"]\n')
    assert rules.of("C1").labels == {"wiki"}


@pytest.mark.parametrize("text", ["not toml [", 'chanels = {C1 = ["hr"]}', "[channels]\nC1 = 3"])
def test_while_the_file_is_broken_nobody_may_read_anything(tmp_path: Path, text: str) -> None:
    rules = scopes(tmp_path, 'default = ["hr"]\n')
    rewrite(rules, text)
    assert rules.of("C1").is_empty
    rewrite(rules, 'default = ["wiki"]\n')
    assert rules.of("C1").labels == {"wiki"}


@pytest.mark.parametrize("text", ["not toml [", 'chanels = {C1 = ["hr"]}', "[channels]\nC1 = 3"])
def test_a_file_that_is_broken_at_the_start_stops_the_program_and_is_named(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"scopes\.toml"):
        scopes(tmp_path, text)


def test_a_file_that_vanishes_takes_all_rights_with_it(tmp_path: Path) -> None:
    rules = scopes(tmp_path, 'default = ["hr"]\n')
    (tmp_path / "scopes.toml").unlink()
    assert rules.of("C1").is_empty
    with pytest.raises(ConfigurationError, match="FOOTNOTE_SCOPES_FILE"):
        Scopes(tmp_path / "scopes.toml")


def test_a_folder_is_named_in_one_spelling(tmp_path: Path) -> None:
    path = tmp_path / "scopes.toml"
    path.write_text('default = ["drive/Bu\u0308ro"]\n', encoding="utf-8")
    assert Scopes(path).of("C1").labels == {"drive/Büro"}
