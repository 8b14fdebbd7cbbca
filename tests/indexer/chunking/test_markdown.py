"""Chunks follow the structure of a text."""

from __future__ import annotations

import itertools
import re

from indexer.chunking.base import Piece
from indexer.chunking.markdown import MarkdownChunker
from rag.types.documents import Page
from tests.indexer.chunking.rulers import SmallRuler

WORDS = "Employees may carry over unused leave into the next year. "


def cut(text: str, *, size: int = 400, overlap: int = 60, above: tuple[str, ...] = ()) -> list[Piece]:
    return MarkdownChunker(SmallRuler(), size=size, overlap=overlap).cut([Page(1, text, headings=above)], title="")


def texts(pieces: list[Piece]) -> list[str]:
    return [piece.page.text[piece.start : piece.end] for piece in pieces]


def test_each_long_section_is_a_chunk_under_its_own_heading():
    pieces = cut(f"# Leave\n\n{WORDS * 5}\n\n## Sick leave\n\n{WORDS * 5}\n\n# Travel\n\n{WORDS * 5}")
    assert [piece.headings for piece in pieces] == [("Leave",), ("Leave", "Sick leave"), ("Travel",)]
    assert [text.splitlines()[0] for text in texts(pieces)] == ["# Leave", "## Sick leave", "# Travel"]


def test_small_sections_under_one_heading_share_a_chunk():
    pieces = cut("# Leave\n\n## Sick\n\nTen days.\n\n## Annual\n\nThirty days.\n")
    assert [piece.headings for piece in pieces] == [("Leave",)]
    assert "Ten days." in texts(pieces)[0] and "Thirty days." in texts(pieces)[0]


def test_small_sections_of_different_chapters_do_not_share_a_chunk():
    pieces = cut("# A\n\n## A1\n\nOne.\n\n# B\n\n## B1\n\nTwo.\n")
    assert [piece.headings for piece in pieces] == [("A", "A1"), ("B", "B1")]


def test_headings_of_the_page_stand_in_front_and_give_way_to_headings_of_their_level():
    text = f"{WORDS * 5}\n\n### Sick leave\n\n{WORDS * 5}\n\n## Travel\n\n{WORDS * 5}"
    pieces = cut(text, above=("Handbook", "Leave"))
    assert [piece.headings for piece in pieces] == [
        ("Handbook", "Leave"),
        ("Handbook", "Leave", "Sick leave"),
        ("Handbook", "Travel"),
    ]


def test_a_heading_never_ends_a_chunk_that_has_text_to_follow():
    text = f"# Leave\n\n{WORDS * 30}\n\n## Sick\n\n{WORDS * 30}\n\n## Annual\n\n## Carry over\n\n{WORDS * 30}"
    assert [piece for piece in texts(cut(text)) if re.search(r"^#+ .*\Z", piece, re.MULTILINE)] == []


def test_a_heading_without_text_goes_with_the_one_below_it():
    assert texts(cut("# Leave\n\n## Sick leave\n\nTen days.")) == ["# Leave\n\n## Sick leave\n\nTen days."]


def test_only_split_sections_overlap():
    pieces = cut(f"# Leave\n\n{WORDS * 20}\n\n# Travel\n\n{WORDS * 4}")
    overlaps = [before.end - after.start for before, after in itertools.pairwise(pieces)]
    assert all(0 < overlap <= 60 for overlap in overlaps[:-1]) and overlaps[-1] < 0


def test_a_split_section_begins_its_chunks_with_whole_sentences():
    assert {text.split(" ", 1)[0] for text in texts(cut(WORDS * 40, overlap=100))} == {"Employees"}


def test_rows_of_tables_stay_whole():
    rows = [f"| Grade {row} | {row * 100} EUR | {'travels by train ' * (row % 4)}|" for row in range(60)]
    pieces = texts(cut("# Rates\n\n" + "\n".join(rows)))
    assert len(pieces) > 1
    assert {line for text in pieces for line in text.splitlines() if line.startswith("|")} == set(rows)


def test_lines_of_code_stay_whole_and_hold_no_headings():
    code = [f"# step {step}: {'copy ' * (step % 9)}files" for step in range(60)]
    pieces = cut("# Deploy\n\n```bash\n" + "\n".join(code) + "\n```\n\nDone.")
    assert {line for text in texts(pieces) for line in text.splitlines() if line.startswith("# step")} == set(code)
    assert {piece.headings for piece in pieces} == {("Deploy",)}


def test_a_longer_fence_holds_a_shorter_one():
    pieces = cut(f"# A\n\n{WORDS * 4}\n\n````md\n```\n# inside\n```\n# still inside\n````\n\n# B\n\n{WORDS * 5}")
    assert [piece.headings for piece in pieces] == [("A",), ("B",)]


def test_a_row_longer_than_a_chunk_is_cut_at_words():
    pieces = texts(cut("| " + "word " * 300 + "|"))
    assert len(pieces) > 1 and all(word in {"word", "|"} for text in pieces for word in text.split())


def test_underlined_headings_count():
    pieces = cut(f"Leave\n=====\n\n{WORDS * 6}\n\nSick leave\n----------\n\n{WORDS * 6}")
    assert [piece.headings for piece in pieces] == [("Leave",), ("Leave", "Sick leave")]


def test_a_rule_is_no_underline():
    assert [piece.headings for piece in cut("- item\n---\n\nText.\n\n---\n\nMore.")] == [()]


def test_headings_come_without_marks_links_and_anchors():
    pieces = cut("# The **`leave`** [policy](https://example.org) {#sec1}\n\nText. ## No heading\n#NoHeading\n")
    assert [piece.headings for piece in pieces] == [("The leave policy",)]


def test_two_hundred_headings_without_text_give_a_few_full_chunks():
    pieces = texts(cut("".join(f"{'#' * (level % 6 + 1)} Heading {level}\n" for level in range(200))))
    assert 5 < len(pieces) < 20
    assert "Heading 199" in pieces[-1]


def test_chinese_is_cut_at_sentences_within_what_the_model_reads():
    ruler = SmallRuler(max_tokens=100)
    sentence = "报销单必须在三十日内提交。"
    pieces = MarkdownChunker(ruler).cut([Page(1, sentence * 100)], title="差旅")
    assert all(text.startswith("报") and text.endswith("。") for text in texts(pieces))
    assert min(len(text) for text in texts(pieces)) > 50


def test_no_cut_goes_through_a_character_as_a_reader_sees_it():
    family, flag, accent = "👩\u200d👩\u200d👧\u200d👦", "🇩🇪", "e\u0301"
    whole = f"{family}{flag}{accent}"
    pieces = MarkdownChunker(SmallRuler(), size=50, overlap=9).cut([Page(1, whole * 60)], title="")
    for text in texts(pieces):
        assert re.fullmatch(f"(?:{family}|{flag}|{accent})+", text)


def test_headings_give_way_when_they_leave_no_room_for_text():
    ruler = SmallRuler(max_tokens=60)
    above = ("第一章休暇に関する規程の総則" * 2, "第二節")
    pieces = MarkdownChunker(ruler).cut([Page(1, "年次有給休暇。" * 30, headings=above)], title="規程")
    assert {piece.headings for piece in pieces} == {("第二節",)}


def test_nothing_but_white_space_gives_no_chunk():
    assert cut("") == [] and cut(" \n\n\t\n") == []


def test_underlines_of_two_signs_count_and_those_of_one_do_not():
    assert [piece.headings for piece in cut("Leave\n==\n\nText.")] == [("Leave",)]
    assert [piece.headings for piece in cut("x\n=\n\nText.")] == [()]


def test_indented_code_holds_no_headings_and_is_no_heading():
    text = f"# A\n\n{WORDS * 3}\n\n    # not a heading\n    make all\n---\n\n{WORDS * 3}\n\n\t# nor this\n"
    assert {piece.headings for piece in cut(text)} == {("A",)}


def test_lines_of_indented_code_stay_whole():
    code = [f"    copy{step} --archive --quiet  source{'s' * (step % 9)} target" for step in range(40)]
    pieces = texts(cut("Run this:\n\n" + "\n".join(code) + "\n\nDone."))
    lines = {line.strip() for text in pieces for line in text.splitlines()}
    assert lines == {"Run this:", "Done.", "", *(line.strip() for line in code)}


def test_no_chunk_begins_in_the_midst_of_a_line_of_code_where_one_sentence_leads_up_to_it():
    code = [f"run step{step} now. Then check {'it ' * (step % 5)}well" for step in range(30)]
    for words in range(40, 60):
        pieces = texts(cut(f"Before that {'word ' * words}do this\n```\n" + "\n".join(code) + "\n```", overlap=100))
        assert {line for text in pieces for line in text.splitlines() if "check" in line} == set(code)


def test_a_paragraph_of_a_list_item_is_no_code():
    pieces = texts(cut("- An item.\n\n    " + WORDS * 12))
    assert all(text.endswith((".", "year.")) for text in pieces)


def test_a_part_of_a_table_is_given_the_names_of_its_columns():
    rows = "".join(f"| Grade {row} | {row * 100} EUR | second class |\n" for row in range(40))
    table = f"| Grade |  Rate   | Class |\n|:---|---:|---|\n{rows}"
    pieces = cut(f"# Rates\n\nBelow are the rates.\n\n{table}\nThat is all. {WORDS * 6}")
    begun, *parts, rest = pieces
    assert begun.headings == ("Rates",) and begun.page.text[begun.start :].startswith("# Rates")
    assert len(parts) > 3
    assert {piece.headings for piece in parts if texts([piece])[0].startswith("| Grade")} == {
        ("Rates", "| Grade | Rate | Class |")
    }
    assert rest.headings == ("Rates",)


def test_the_head_of_a_table_is_not_parted_from_its_first_row():
    for length in range(150, 400, 10):
        text = "x" * length + "\n\n| Grade | Rate |\n|---|---|\n" + "| Grade 1 | 100 EUR |\n" * 20
        assert not [piece for piece in texts(cut(text)) if piece.endswith(("| Rate |", "---|"))]


def test_names_of_columns_that_leave_no_room_are_left_out():
    columns = "|" + "|".join(f" a long name of column {column} " for column in range(12)) + "|"
    rows = "".join("|" + " value |" * 12 + "\n" for _ in range(20))
    assert {piece.headings for piece in cut(f"{columns}\n{'|---' * 12}|\n{rows}")} == {()}


def test_columns_without_names_are_none():
    rows = "| a | b | and more words |\n" * 40
    assert {piece.headings for piece in cut(f"| | |  |\n|---|---|---|\n{rows}")} == {()}


def test_hard_wrapped_text_is_cut_at_sentences_and_not_at_line_ends():
    line = "The lease begins on the first of May and then ends after five years,\nunless the tenant gives notice. "
    assert all(text.endswith("notice.") for text in texts(cut(line * 20)))


def test_no_cut_falls_behind_an_abbreviation():
    pieces = texts(cut("Ask Dr. Okafor, Prof. Lind or Mrs. Weiss, e.g. on Mondays. " * 30))
    assert all(text.endswith("Mondays.") for text in pieces)
