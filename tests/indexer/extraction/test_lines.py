"""Printed lines put together again."""

from __future__ import annotations

import pytest

from indexer.extraction.layout.dehyphenation import joined, without_wide_spaces


@pytest.mark.parametrize(
    ("upper", "lower", "whole"),
    [
        ("the peri-", "odic table", "the periodic table"),
        ("Δυ-", "νατότητας", "Δυνατότητας"),
        ("Poli\xad", "tik", "Politik"),
        ("error E-", "1047 means", "error E-1047 means"),
        ("see 01-2301-", "XXX.", "see 01-2301-XXX."),
        ("from SP800-", "a onwards", "from SP800-a onwards"),
        ("an X-", "ray", "an X-ray"),
        ("https://example.org/a-", "b", "https://example.org/a-b"),
        ("a self-", "service desk", "a self-service desk"),
        ("state-of-", "the-art", "state-of-the-art"),
        ("10 -", "20", "10 - 20"),
        ("plain", "words", "plain words"),
        ("报销单必须", "在三十日内", "报销单必须在三十日内"),
        ("단어", "단어", "단어 단어"),
    ],
)
def test_two_lines_become_one(upper: str, lower: str, whole: str):
    assert joined(upper, lower) == whole


def test_the_page_tells_a_compound_from_a_broken_word():
    words = frozenset({"well-known", "coworker"})
    assert joined("a well-", "known", page_words=words) == "a well-known"
    assert joined("a Co-", "worker", page_words=words) == "a Coworker"


def test_korean_words_are_mended_where_spaces_are_kept():
    assert joined("국내 확", "진자는", spaces_are_kept=True) == "국내 확진자는"
    assert joined("지난 해 ", "국내", spaces_are_kept=True) == "지난 해 국내"


def test_spaces_between_chinese_characters_go():
    assert without_wide_spaces("全 世 界 A B，无 产") == "全世界 A B，无产"
