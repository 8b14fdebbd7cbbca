"""The container of Office files, whole, odd and hostile."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from indexer.extraction.container import ooxml
from indexer.extraction.container.ooxml import Package
from rag.errors import ExtractionError
from tests.indexer.extraction.packages import package, relations


def failure_of(path: Path, part: str = "a.xml") -> str:
    with pytest.raises(ExtractionError) as raised, Package.open(path) as opened:
        opened.xml(part)
    return raised.value.failure.code


@pytest.mark.parametrize("name", ["word/document.xml", "Word/Document.XML", "word\\document.xml", "/word/document.xml"])
def test_parts_are_found_however_their_names_are_spelled(tmp_path: Path, name: str):
    with Package.open(package(tmp_path / "a.docx", {name: "<a/>"})) as opened:
        assert opened.xml("word/document.xml") is not None


@pytest.mark.parametrize("target", ["media/my%20chart.xml", "/word/media/my chart.xml", "media\\my chart.xml"])
def test_relations_find_escaped_and_absolute_targets(tmp_path: Path, target: str):
    parts = {"word/media/my chart.xml": "<a/>", "word/_rels/document.xml.rels": relations(("rId1", "chart", target))}
    with Package.open(package(tmp_path / "a.docx", parts)) as opened:
        assert opened.has(opened.relations("word/document.xml")["rId1"].part)


def test_targets_outside_the_file_are_left_out(tmp_path: Path):
    link = relations(("rId1", "image", "https://example.org/")).replace("/>", ' TargetMode="External"/>')
    with Package.open(package(tmp_path / "a.docx", {"_rels/.rels": link})) as opened:
        assert opened.relations("") == {}


def test_a_broken_part_that_the_rest_can_do_without_is_a_warning(tmp_path: Path):
    with Package.open(package(tmp_path / "a.docx", {"a.xml": "<a><b>"})) as opened:
        assert opened.optional_xml("a.xml") is None
        assert opened.warnings == ["The part a.xml is damaged and was left out."]


def test_a_broken_part_that_is_needed_is_damage(tmp_path: Path):
    assert failure_of(package(tmp_path / "a.docx", {"a.xml": "<a><b>"})) == "damaged"


def test_the_remedy_for_damage_suits_whatever_program_made_the_file(tmp_path: Path):
    (tmp_path / "a.odt").write_bytes(b"PK\x03\x04")
    with pytest.raises(ExtractionError) as raised:
        Package.open(tmp_path / "a.odt")
    assert "the program that made it" in raised.value.failure.remedy and "Office" not in raised.value.failure.remedy


def test_a_flipped_bit_is_damage(tmp_path: Path):
    path = package(tmp_path / "a.docx", {"a.xml": "<a>" + "some text " * 100 + "</a>"})
    raw = bytearray(path.read_bytes())
    raw[40] ^= 0xFF
    path.write_bytes(raw)
    assert failure_of(path) == "damaged"


def test_members_under_a_password_are_named_so(tmp_path: Path):
    path = package(tmp_path / "a.docx", {"a.xml": "<a/>"})
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"PK\x01\x02\x14\x03\x14\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01\x00"))
    assert failure_of(path) == "encrypted"


def test_a_part_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ooxml, "MAX_PART_BYTES", 1000)
    assert failure_of(package(tmp_path / "a.docx", {"a.xml": b" " * 2000})) == "too_large"


def test_many_parts_that_are_too_much_together_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ooxml, "MAX_PACKAGE_BYTES", 1500)
    with Package.open(package(tmp_path / "a.docx", {"a": b" " * 1000, "b": b" " * 1000})) as opened:
        assert opened.read("a") is not None
        with pytest.raises(ExtractionError) as raised:
            opened.read("b")
    assert raised.value.failure.code == "too_large"


def test_xml_that_is_one_letter_a_million_times_is_refused(tmp_path: Path):
    assert failure_of(package(tmp_path / "a.docx", {"a.xml": b"<a>" + b" " * 20_000_000 + b"</a>"})) == "too_large"


def test_too_many_parts_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ooxml, "MAX_MEMBERS", 10)
    assert failure_of(package(tmp_path / "a.docx", {f"{at}.xml": "<a/>" for at in range(11)})) == "too_large"


def test_of_two_members_of_one_name_the_later_counts(tmp_path: Path):
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.xml", "<old/>")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.xml", "<new/>")
    with Package.open(path) as opened:
        root = opened.xml("a.xml")
    assert root is not None and root.tag == "new"
