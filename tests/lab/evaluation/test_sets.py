from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from lab.evaluation.drive import drive_of
from lab.evaluation.sets import read_set
from lab.evaluation.sets.beir import file_of
from rag.errors import EvaluationError
from tests.lab.evaluation.small_sets import beir_set, page_set, write_lines


def test_a_page_set_is_read_with_what_is_unfit_left_out_and_other_languages_apart(tmp_path: Path):
    corpus = read_set(page_set(tmp_path / "handbook"))
    own, foreign = corpus.sets
    assert (own.name, foreign.name) == ("handbook", "handbook/cross-language")
    assert [question.id for question in own.questions] == ["q1", "q2", "q3"]
    assert [question.id for question in own.unanswerable] == ["u1", "u2"]
    assert own.skipped == 1
    assert [question.id for question in foreign.questions] == ["q5"]
    assert own.questions[2].pages == {("Prices.pdf", 1)}
    assert own.questions[2].files == {"Prices.pdf": 1}


def test_a_question_marked_unanswerable_is_one_whatever_file_it_names(tmp_path: Path):
    folder = page_set(tmp_path / "set")
    row = {"id": "m", "question": "?", "unanswerable": True, "gold_file": "Prices.pdf", "verification": "unanswerable"}
    write_lines(folder / "questions.jsonl", [row])
    [own] = read_set(folder).sets
    assert [question.id for question in own.unanswerable] == ["m", "u1", "u2"]
    assert own.questions == []


def test_further_right_pages_are_told_from_those_that_must_be_found(tmp_path: Path):
    folder = page_set(tmp_path / "set")
    row = {"id": "a", "question": "?", "gold_file": "Handbook.pdf", "gold_pages": [1], "also_ok_pages": [1, 2]}
    write_lines(folder / "questions.jsonl", [row])
    question = read_set(folder).sets[0].questions[0]
    assert question.pages == {("Handbook.pdf", 1)}
    assert question.also == {("Handbook.pdf", 2)}


def test_files_may_stand_elsewhere(tmp_path: Path):
    folder = page_set(tmp_path / "set")
    elsewhere = (folder / "pdfs").rename(tmp_path / "drive")
    assert read_set(folder, files=elsewhere).drive == elsewhere
    with pytest.raises(EvaluationError, match=r"its files are not there: .* or name their folder with --files"):
        read_set(folder)


@pytest.mark.parametrize("field", ["gold_pages", "also_ok_pages"])
def test_a_page_beyond_the_end_of_its_pdf_is_a_slip_that_is_named(tmp_path: Path, field: str):
    folder = page_set(tmp_path / "set")
    row = {"id": "a", "question": "?", "gold_file": "Handbook.pdf", "gold_pages": [3], field: [3, 500]}
    write_lines(folder / "questions.jsonl", [row])
    with pytest.raises(EvaluationError, match=rf"questions\.jsonl:1: Handbook\.pdf has 3 pages, {field} names 500"):
        read_set(folder)


def test_a_pdf_that_cannot_be_opened_and_other_files_have_as_many_pages_as_are_named(tmp_path: Path):
    folder = page_set(tmp_path / "set")
    for name in ("Damaged.pdf", "Slides.pptx"):
        (folder / "pdfs" / name).write_bytes(b"%PDF-1.7 no more than that")
    rows = [{"id": "a", "question": "?", "gold_file": "Damaged.pdf", "gold_pages": [9]}]
    write_lines(folder / "questions.jsonl", [*rows, {**rows[0], "id": "b", "gold_file": "Slides.pptx"}])
    assert [question.id for question in read_set(folder).sets[0].questions] == ["a", "b"]


@pytest.mark.parametrize("packed", [False, True])
def test_a_beir_set_is_read_packed_or_not(tmp_path: Path, packed: bool):
    folder = beir_set(tmp_path / "wool")
    if packed:
        content = (folder / "corpus.jsonl").read_bytes()
        (folder / "corpus.jsonl").unlink()
        (folder / "corpus.jsonl.gz").write_bytes(gzip.compress(content))
    corpus = read_set(folder)
    [own] = corpus.sets
    assert [(question.id, question.files) for question in own.questions] == [
        ("1", {file_of("../looms"): 2}),
        ("2", {file_of("sheep"): 1}),
    ]
    assert len(corpus.texts) == 4
    assert not own.by_page


def test_a_line_ends_with_its_line_feed_alone(tmp_path: Path):
    folder = beir_set(tmp_path / "wool")
    row = '{"_id": "1", "text": "what\u2028weaves\x85cloth"}\r\n{"_id": "2", "text": "shorn"}\r\n'
    (folder / "queries.jsonl").write_bytes(row.encode())
    assert [question.id for question in read_set(folder).sets[0].questions] == ["1", "2"]


def test_documents_become_files_that_stay_untouched_while_they_are_right(tmp_path: Path):
    folder = beir_set(tmp_path / "wool")
    drive = drive_of(read_set(folder), tmp_path / "work")
    files = {file.relative_to(drive).as_posix(): file for file in drive.rglob("*.md")}
    assert set(files) == {file_of(key) for key in ("../looms", "dye", "sheep", "nothing")}
    assert files[file_of("../looms")].read_text() == "# Looms\n\nA loom weaves cloth from threads."
    assert files[file_of("nothing")].read_text() == ""
    before = {name: file.stat().st_mtime_ns for name, file in files.items()}
    write_lines(
        folder / "corpus.jsonl",
        [
            {"_id": "../looms", "title": "Looms", "text": "A loom weaves cloth from threads."},
            {"_id": "sheep", "title": "", "text": "Sheep are shorn twice."},
        ],
    )
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n2\tsheep\t1\n", encoding="utf-8")
    drive_of(read_set(folder), tmp_path / "work")
    after = {file.relative_to(drive).as_posix(): file.stat().st_mtime_ns for file in drive.rglob("*.md")}
    assert set(after) == {file_of("../looms"), file_of("sheep")}
    assert after[file_of("../looms")] == before[file_of("../looms")]
    assert files[file_of("sheep")].read_text() == "Sheep are shorn twice."


def test_ids_that_no_file_may_bear_become_names_that_every_drive_lists():
    names = [file_of(key) for key in ("..", ".hidden", "~$draft", "a/b", "a b", "ä", "A", "a")]
    assert len(set(names)) == len(names)
    for name in names:
        folder, file = name.split("/")
        assert folder.isdigit()
        assert file.isascii()
        assert not file.startswith((".", "~"))


@pytest.mark.parametrize(
    ("file", "text", "complaint"),
    [
        ("questions.jsonl", "\n{", r"questions\.jsonl:2: not JSON"),
        ("questions.jsonl", "[]", r"questions\.jsonl:1: not a JSON object"),
        ("questions.jsonl", '{"question": "?"}', r"questions\.jsonl:1: the field 'id' is missing"),
        ("questions.jsonl", '{"id": 3, "question": "?"}', r"questions\.jsonl:1: the field 'id' is 3, which is no str"),
        ("questions.jsonl", '{"id": "a", "question": "?"}', r"questions\.jsonl:1: neither gold_file nor gold_files"),
        (
            "questions.jsonl",
            '{"id": "a", "question": "?", "gold_file": "Gone.pdf", "gold_pages": [1]}',
            r"questions\.jsonl:1: its file 'Gone\.pdf' is not in",
        ),
        (
            "questions.jsonl",
            '{"id": "a", "question": "?", "gold_file": "Prices.pdf", "gold_pages": [0]}',
            r"questions\.jsonl:1: gold_pages holds 0",
        ),
        ("questions.jsonl", "", r"it holds no question"),
        ("unanswerable.jsonl", '{"id": "a"}', r"unanswerable\.jsonl:1: the field 'question' is missing"),
    ],
)
def test_a_bad_page_set_is_told_by_file_and_line(tmp_path: Path, file: str, text: str, complaint: str):
    folder = page_set(tmp_path / "set")
    if not text:
        (folder / "unanswerable.jsonl").unlink()
    (folder / file).write_text(text, encoding="utf-8")
    with pytest.raises(EvaluationError, match=complaint):
        read_set(folder)


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ("1\t../looms", r"test\.tsv:2: not a line of"),
        ("1\t../looms\tmuch", r"test\.tsv:2: not a line of"),
        ("1\tunknown\t1", r"test\.tsv:2: the document 'unknown' is not in the corpus"),
        ("9\tdye\t1", r"queries\.jsonl: the query '9' of the qrels is not in it"),
    ],
)
def test_bad_judgements_are_told_by_file_and_line(tmp_path: Path, row: str, complaint: str):
    folder = beir_set(tmp_path / "wool")
    (folder / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{row}\n", encoding="utf-8")
    with pytest.raises(EvaluationError, match=complaint):
        read_set(folder)


def test_a_damaged_archive_and_a_folder_without_a_set_are_errors_that_name_them(tmp_path: Path):
    folder = beir_set(tmp_path / "wool")
    (folder / "corpus.jsonl.gz").write_bytes(gzip.compress(b"{}")[:-9])
    with pytest.raises(EvaluationError, match=r"corpus\.jsonl\.gz: it cannot be read"):
        read_set(folder)
    with pytest.raises(EvaluationError, match="is no set of questions"):
        read_set(tmp_path)


def asked(folder: Path, *rows: Mapping[str, Any]) -> Path:
    """A page set with these questions; whatever they leave out is right."""
    row = {"id": "a", "question": "How long?", "gold_file": "Handbook.pdf", "gold_pages": [1]}
    write_lines(page_set(folder) / "questions.jsonl", [{**row, **own} for own in rows])
    return folder


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"gold_file": "../outside.md"}, r"its file '\.\./outside\.md' is not in"),
        ({"gold_file": "/etc/hosts"}, "its file '/etc/hosts' is not in"),
        ({"gold_file": "./Handbook.pdf"}, "without '.' or '..'"),
        ({"gold_file": "x" * 5000}, "is not in"),
        ({"gold_pages": [True]}, "gold_pages holds True, which is no page"),
        ({"gold_pages": [["Handbook.pdf", True]]}, "which is no page"),
        ({"question": " "}, "the field 'question' is blank"),
        ({"id": ""}, "the field 'id' is blank"),
        ({"question": "half \ud800"}, "half a character"),
        ({"verification": ["unverified"]}, "'verification' is"),
        ({"verification": "unverified"}, "no question that can be scored: all 1 are marked as unfit"),
    ],
)
def test_a_question_that_could_only_be_missed_stops_the_reading_with_its_line(
    tmp_path: Path, row: Mapping[str, Any], complaint: str
):
    (tmp_path / "outside.md").write_text("secret")
    folder = asked(tmp_path / "set", row)
    (folder / "unanswerable.jsonl").unlink()
    with pytest.raises(EvaluationError, match=complaint):
        read_set(folder)


def test_an_id_is_that_of_one_question_in_both_files(tmp_path: Path):
    with pytest.raises(EvaluationError, match=r"questions\.jsonl:2: its id 'a' is that of line 1, too"):
        read_set(asked(tmp_path / "one", {}, {"question": "How wide?"}))
    with pytest.raises(EvaluationError, match=r"unanswerable\.jsonl:1: its id 'u1' is that of .*questions\.jsonl:1"):
        read_set(asked(tmp_path / "other", {"id": "u1"}))


@pytest.mark.parametrize("line", ["[" * 100_000, f'{{"id": {"9" * 5000}}}'])
def test_a_line_that_no_reader_takes_is_named(tmp_path: Path, line: str):
    folder = page_set(tmp_path / "set")
    (folder / "questions.jsonl").write_text(line)
    with pytest.raises(EvaluationError, match=r"questions\.jsonl:1: cannot be read as JSON"):
        read_set(folder)


def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path):
    folder = page_set(tmp_path / "set")
    file = folder / "questions.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert read_set(folder).sets[0].questions[0].id == "q1"


@pytest.mark.parametrize("grade", ["²", "--1", "9" * 5000, "1.5"])
def test_a_grade_is_a_whole_number(tmp_path: Path, grade: str):
    folder = beir_set(tmp_path / "wool")
    with (folder / "qrels" / "test.tsv").open("a", encoding="utf-8") as file:
        file.write(f"1\tsheep\t{grade}\n")
    with pytest.raises(EvaluationError, match="a whole number"):
        read_set(folder)


def test_judgements_without_a_head_are_all_read_and_none_at_all_is_no_set(tmp_path: Path):
    folder = beir_set(tmp_path / "wool")
    qrels = folder / "qrels" / "test.tsv"
    qrels.write_text("2\tsheep\t1\n", encoding="utf-8")
    assert [question.id for question in read_set(folder).sets[0].questions] == ["2"]
    qrels.write_text("query-id\tcorpus-id\tscore\n", encoding="utf-8")
    with pytest.raises(EvaluationError, match="it names no document that answers a query"):
        read_set(folder)


def test_a_document_is_a_file_however_long_its_id(tmp_path: Path):
    one, other = ("d" * 400 + end for end in "xy")
    assert file_of(one) != file_of(other)
    (tmp_path / file_of(one).replace("/", "-")).write_text("a name that a file system takes")


def test_documents_have_ids_of_their_own(tmp_path: Path):
    folder = beir_set(tmp_path / "wool")
    lines = (folder / "corpus.jsonl").read_text(encoding="utf-8")
    (folder / "corpus.jsonl").write_text(lines + lines.split("\n")[0] + "\n", encoding="utf-8")
    with pytest.raises(EvaluationError, match="is that of line 1, too"):
        read_set(folder)
