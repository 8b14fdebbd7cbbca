"""The data that benchmarks measure by keep what their README promises."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final

from tests.processes import ROOT

DATA: Final = ROOT / "lab" / "benchmarks" / "data"
MARK: Final = re.compile(r"\[(\d+)\]")
NUMBER: Final = re.compile(r"\d+(?:[.,\u00a0 ]\d{3})*(?:[.,]\d+)?")


def _rows(name: str) -> Sequence[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


ANSWERS: Final = _rows("supported_answers.jsonl")


def test_the_halves_share_no_subject_and_no_text():
    halves: defaultdict[str, set[str]] = defaultdict(set)
    texts: defaultdict[str, set[str]] = defaultdict(set)
    for row in ANSWERS:
        halves[row["half"]].add(row["subject"])
        texts[row["half"]] |= {one["text"] for one in row["passages"]}
    assert halves.keys() == {"fit", "held_out"}
    assert not halves["fit"] & halves["held_out"]
    assert not texts["fit"] & texts["held_out"]
    assert len({row["id"] for row in ANSWERS}) == len(ANSWERS)


def test_the_first_version_of_each_answer_is_right_and_the_others_are_not():
    assert len(ANSWERS) == 126
    assert sum(len(row["answers"]) - 1 for row in ANSWERS) == 685
    for row in ANSWERS:
        right, *spoiled = row["answers"]
        assert right["corruption"] == "none"
        assert "unsupported" not in {sentence["label"] for sentence in right["sentences"]}
        for version in spoiled:
            wrong = [sentence for sentence in version["sentences"] if sentence["label"] == "unsupported"]
            assert {sentence["kind"] for sentence in wrong} == {version["corruption"]}, row["id"]
            assert all(sentence not in right["sentences"] for sentence in wrong)


def test_marks_name_passages_and_what_would_be_right_stands_in_one():
    for row in ANSWERS:
        numbers = {passage["number"] for passage in row["passages"]}
        whole = " ".join(passage["text"] for passage in row["passages"])
        for sentence in _sentences(row):
            assert {int(mark) for mark in MARK.findall(sentence["text"])} <= numbers, row["id"]
            assert sentence.get("right", "") in whole, row["id"]


def test_a_changed_number_stands_in_no_passage():
    for row in ANSWERS:
        known = {number for passage in row["passages"] for number in NUMBER.findall(passage["text"])}
        right = {number for sentence in row["answers"][0]["sentences"] for number in NUMBER.findall(sentence["text"])}
        for sentence in _sentences(row):
            if sentence["kind"] == "number":
                changed = set(NUMBER.findall(MARK.sub("", sentence["text"]))) - right
                assert not changed & known, (row["id"], sentence["text"])


def _sentences(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for version in row["answers"]:
        yield from version["sentences"]
