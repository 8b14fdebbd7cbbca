"""Paths as text: whatever a name holds, its file is found again, and no two have one uri."""

from __future__ import annotations

import os
from pathlib import Path, PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.uris import label_of, path_of, title_of, uri_of

NAMES = st.binary(min_size=1, max_size=12).filter(
    lambda name: b"/" not in name and b"\x00" not in name and name != b"."
)
TRICKY = st.lists(
    st.sampled_from([b"\\", b"x", b"ff", b"5c", b"\xff", b"\\xff", b"\\x5c", b"a"]), min_size=1, max_size=6
)


@given(st.one_of(NAMES, TRICKY.map(b"".join)))
def test_a_file_is_found_by_its_uri_byte_by_byte(name: bytes) -> None:
    uri = uri_of(PurePath(os.fsdecode(name)))
    assert os.fsencode(path_of(Path("/drive"), uri)) == b"/drive/" + name
    assert uri.encode("utf-8")


def test_a_name_that_only_looks_like_an_escape_is_another_one() -> None:
    assert uri_of(PurePath(os.fsdecode(b"gr\xfc\xdfe.md"))) == r"gr\xfc\xdfe.md"
    assert uri_of(PurePath(r"gr\xfc\xdfe.md")) == r"gr\x5cxfc\x5cxdfe.md"


@pytest.mark.parametrize("name", ["Grüße 日本.md", "back\\slash.md", "two\nlines.md", "<b>.md", "\\x.md", "\\xFF.md"])
def test_an_ordinary_name_stays_as_it_is(name: str) -> None:
    assert uri_of(PurePath("HR", name)) == f"HR/{name}"


def test_titles_and_labels_are_in_one_spelling() -> None:
    decomposed = "Ku\u0308ndigung"
    assert title_of(f"HR/{decomposed}.v2.md") == "Kündigung.v2"
    assert label_of(f"drive/{decomposed}") == "drive/Kündigung"
