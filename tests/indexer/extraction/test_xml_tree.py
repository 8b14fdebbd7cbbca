"""XML of strangers: what is a scratch, what is a wound, and what is an attack."""

from __future__ import annotations

import pytest

from indexer.extraction.container.xml_tree import MAX_DEPTH, all_text, parsed_xml


def text_of(raw: bytes) -> str:
    root = parsed_xml(raw, [])
    assert root is not None
    return all_text(root)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"<a><:b>odd</:b> name</a>", "odd name"),
        (b"<a>left \x0b right</a>", "left right"),
        (b"<a>left &nbsp; right</a>", "left right"),
        (b"<a>left & right</a>", "left right"),
        (b'<a x="1" x="2">twice</a>', "twice"),
        (b"<w:a>no such prefix</w:a>", "no such prefix"),
        (b"<a>whole</a>\x00\x00", "whole"),
        ('<?xml version="1.0" encoding="utf-16"?><a>wide</a>'.encode("utf-16"), "wide"),
    ],
)
def test_scratches_cost_nothing_but_themselves(raw: bytes, text: str):
    assert text_of(raw) == text


@pytest.mark.parametrize("raw", [b"", b"no tags", b"<a><b>cut", b"<a><b>crossed</a></b>"])
def test_what_is_cut_off_or_no_xml_has_no_root(raw: bytes):
    assert parsed_xml(raw, []) is None


def test_names_lose_their_namespaces_and_relationship_ids_keep_a_mark():
    strict = "http://purl.oclc.org/ooxml/officeDocument/relationships"
    root = parsed_xml(f'<w:p xmlns:w="urn:w" xmlns:r="{strict}" r:id="rId1" w:id="7"/>'.encode(), [])
    assert root is not None
    assert (root.tag, root.get("r-id"), root.get("id")) == ("p", "rId1", "7")


def test_relationship_ids_are_known_by_an_undeclared_prefix_too():
    root = parsed_xml(b'<p:sldId r:id="rId1" id="256"/>', [])
    assert root is not None
    assert (root.tag, root.get("r-id"), root.get("id")) == ("sldId", "rId1", "256")


def test_deep_trees_are_read_whole():
    warnings: list[str] = []
    root = parsed_xml(b"<a>" * 600 + b"deep" + b"</a>" * 600, warnings)
    assert root is not None
    assert all_text(root) == "deep" and warnings == []


def test_endless_depth_ends_with_a_warning():
    warnings: list[str] = []
    levels = 3 * MAX_DEPTH
    root = parsed_xml(b"<a>top" + b"<a>" * levels + b"deep" + b"</a>" * (levels + 1), warnings)
    assert root is not None
    assert all_text(root).startswith("top") and len(warnings) == 1


def test_long_texts_are_read_whole():
    assert len(text_of(b"<a>" + b"x" * 11_000_000 + b"</a>")) == 11_000_000


def test_entities_that_multiply_are_refused():
    entities = b"".join(b'<!ENTITY e%d "%s">' % (at, b"&e%d;" % (at - 1) * 10) for at in range(1, 12))
    assert parsed_xml(b'<!DOCTYPE a [<!ENTITY e0 "lol">' + entities + b"]><a>&e11;</a>", []) is None
