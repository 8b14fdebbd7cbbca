"""Words as BM25 counts them."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.embedding.sparse import K1, Bm25, term_number
from rag.text.analyzer import Analyzer
from rag.text.codes import is_code
from rag.text.compounds import compound_parts
from rag.text.languages import folded, language_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("CB-4471-K", "cb4471k"),
        ("CB-4471-K", "CB/4471/K"),
        ("CB-4471-K", "CB_4471_K"),
        ("1,250,000", "1250000"),
        ("1'250'000", "1250000"),
        ("1.250.000", "1250000"),
        ("1 250 000", "1,250,000"),
        ("1\u202f250\u00a0000", "1250000"),
        ("1.234.567,89 €", "$1,234,567.89"),
        ("1.500,00", "1,500"),
        ("12,5 %", "12.5%"),
        ("10.000 Euro", "10000 Euro"),
        ("00-4711-07", "00471107"),
        ("19.08.2022", "2022-08-19"),
        ("1½ Tage", "1 1/2 Tage"),
        ("10² ways", "10 ways"),
        ("٢٠٢٤", "2024"),
        ("v2.4.1", "2.4.1"),
        ("V2.4.1-rc2", "2.4.1-RC2"),
        ("C++ and C#", "c# c++"),
        ("R&D, AT&T", "rd att"),
        ("the IT department", "IT"),
        ("Crème brûlée", "creme brulee"),
        ("the supplier’s invoices", "supplier invoice"),
        ("You don't, they've", ""),
        ("ＡＢＣ１２３", "abc123"),
        ("ﬁnance", "finance"),
        ("Ur\u00adlaub\u200b, Frist", "urlaub frist"),
        ("STRASSE", "Straße"),
        ("running", "run"),
        ("überPrüfung", "uber prufung"),
        ("HTTPServer", "http server"),
        ("København", "KØBENHAVN"),
        ("CB‑4471‑K", "CB-4471-K"),
        ("CB‐4471‐K", "CB-4471-K"),
        ("CB-4471-Kの価格は？", "CB-4471-K"),
        ("東京2026年", "2026"),
        ("名古屋A棟の予算", "名古屋"),
        ("名古屋の予算", "名"),
        ("सात दिन की छुट्टी", "छुट्टी"),
        ("สวัสดีครับ", "สวัสดี"),
        ("Сколько дней отпуска?", "отпуск"),
        ("Πόσες ημέρες άδειας;", "αδειας"),
    ],
)
def test_ways_to_write_the_same_give_the_same_terms(one: str, other: str) -> None:
    terms = Analyzer().split
    assert set(terms(other)) <= set(terms(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [("2.4.1", "24.1"), ("1/2", "12"), ("1.50", "150"), ("1.5", "1.50.0"), ("Bücher", "Bäche"), ("don't", "donna")],
)
def test_what_is_not_the_same_shares_no_term(one: str, other: str) -> None:
    terms = Analyzer().split
    assert set(terms(one)).isdisjoint(terms(other))


def test_compounds_are_found_whole_and_in_parts() -> None:
    terms = Analyzer().split
    assert {"maxretri", "max", "retri"} <= set(terms("maxRetries"))
    assert {"cb4471k", "4471"} <= set(terms("CB-4471-K"))
    assert {"rulea002", "rule", "a002", "002"} <= set(terms("RULE-A002"))
    assert {"ms17010", "ms17", "17", "010"} <= set(terms("MS17-010"))
    assert {"errconnectionreset", "err", "connect", "reset"} <= set(terms("ERR_CONNECTION_RESET"))
    assert {"0x80070005", "80070005"} <= set(terms("0x80070005"))
    assert {"americanexpress", "2022", "10k"} <= set(terms("AMERICANEXPRESS_2022_10K"))
    assert terms("Anträge") == ["antrag"]
    assert terms("名古屋") == ["名古", "名", "古", "古屋", "古", "屋"]
    assert terms("a 名 b") == ["名", "b"]
    assert terms("カタカナ") == ["カタ", "タカ", "カナ"]
    assert terms("CB-4471-Kの価格") == [*terms("CB-4471-K"), *terms("の価格")]
    assert terms("what is the of") == terms("and/or") == []
    assert "100" not in terms("1,00")
    assert terms("25.3") == ["25.3"]


@pytest.mark.parametrize(
    ("compound", "part"),
    [
        ("Urlaubsantrag", "Antrag"),
        ("Urlaubsantrag", "Urlaub"),
        ("Kündigungsfristen", "Frist"),
        ("Kuendigungsfristen", "Kündigung"),
        ("Reisekostenabrechnung", "Abrechnungen"),
        ("Arbeitsunfähigkeitsbescheinigung", "Bescheinigung"),
        ("Lieferzeiten", "Zeit"),
        ("Betriebsrat", "Rat"),
        ("Homeoffice-Regelung", "Regelung"),
        ("Straßenbahn", "Bahn"),
        ("Schadensersatzansprüche", "Anspruch"),
    ],
)
def test_a_german_compound_is_found_by_its_parts(compound: str, part: str) -> None:
    bm25 = Bm25()
    held = bm25.terms(f"Das ist ein Satz, in dem {compound} und noch ein Wort stehen.")
    assert any(set(alternatives) & set(held) for alternatives in bm25.query_words(f"Was ist {part}?"))


@pytest.mark.parametrize(
    "word",
    [
        "Mitarbeiter",
        "Unterlagen",
        "Abteilung",
        "Gesellschaft",
        "Verantwortung",
        "Bescheinigung",
        "Minister",
        "Material",
        "Vorstand",
    ],
)
def test_what_only_looks_like_a_compound_stays_whole(word: str) -> None:
    assert compound_parts(folded(word)) == ()


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The handbook says when leave is due.", "english"),
        ("Quarterly revenue, Deutsche Bank, Rio de Janeiro", "english"),
        ("Der Antrag ist beim Vorgesetzten einzureichen.", "german"),
        ("Les congés sont demandés dans le portail.", "french"),
        ("Las vacaciones se piden en el portal.", "spanish"),
        ("De aanvraag wordt door het hoofd beoordeeld.", "dutch"),
        ("Semestern ska sökas i portalen och är betald.", "swedish"),
        ("Wniosek o urlop należy złożyć do kierownika, który go nie odrzuci.", "polish"),
        ("jeg har ikke", "danish"),  # as much Norwegian: the first of the table, in every process
        ("", "english"),
        ("4471 | 12.5 | 2026", "english"),
    ],
)
def test_a_text_tells_its_language(text: str, language: str) -> None:
    assert language_of(text, {folded(word.strip(".,")) for word in text.split()}) == language


def test_each_language_has_its_own_endings_cut_and_stop_words_left_out() -> None:
    terms = Analyzer().split
    assert terms("Die Verträge sind mit den Kunden zu schließen.") == terms(
        "Vertrag, Kunde: schließe er es! Das ist die"
    )
    assert set(terms("Las facturas se pagan en el portal.")) >= set(terms("una factura es de la empresa")) - {"empres"}
    assert "die" in terms("The die is cast for the machine.")


def test_a_question_whose_language_is_unclear_is_put_in_those_it_may_be_in() -> None:
    bm25 = Bm25()
    (words,) = bm25.query_words("Kündigungen")
    assert {"kundig", "kundigungen"} <= set(words)
    assert bm25.query_words("How long is the notice period?") == [("long",), ("notic",), ("period",)]


def test_alternatives_of_one_word_are_told_from_several_words() -> None:
    words = Bm25().query_words
    assert words("Does CVE-2024-1234 matter?") == [("cve20241234",), ("matter",)]
    assert words("Is follow-up needed for that?") == [("follow", "followup"), ("up", "followup"), ("need",)]
    assert words("Is there any of that in FY2022?") == [("fy", "fy2022"), ("2022", "fy2022")]
    assert words("What is the of") == []


def test_of_a_date_its_year_is_sought_and_neither_day_nor_month() -> None:
    assert Bm25().query_words("19.08.2022") == [("2022-08-19", "2022")]


@pytest.mark.parametrize(
    "written",
    [
        "19 August 2022",
        "August 19, 2022",
        "19th of Aug 2022",
        "19. August 2022",
        "19 de agosto de 2022",
        "8/19/2022",
        "19/08/2022",
        "19.8.2022",
    ],
)
def test_a_date_is_found_however_it_is_written(written: str) -> None:
    assert "2022-08-19" in Analyzer().split(f"Due on {written}.")


def test_a_date_in_words_is_sought_in_figures_too() -> None:
    bm25 = Bm25()
    date = term_number("2022-08-19")
    assert all("2022-08-19" in words for words in bm25.query_words("19 August 2022"))
    assert date in bm25.query("What was due on August 19th, 2022?").indices
    assert date not in bm25.query("What was due on August 39, 2022, or 8/9/2022?").indices


def test_neighbours_that_are_names_or_numbers_are_also_sought_as_one() -> None:
    bm25 = Bm25()
    words = bm25.query_words("What did American Express earn in the year 2022?")
    assert words[:2] == [("american", "americanexpress"), ("express", "americanexpress")]
    assert any("cb4471k" in alternatives for alternatives in bm25.query_words("What does the CB 4471 K cost?"))
    assert bm25.query_words("Is the boundary layer thin?") == [("boundari",), ("layer",), ("thin",)]


def test_the_whole_code_ranks_before_its_parts() -> None:
    bm25 = Bm25()
    texts = [
        "RULE-A002 applies.",
        "RULE-A003 applies, unlike RULE-B002.",
        "The rule A applies to room 002.",
        "MS17-010",
    ]
    documents = [bm25.document(text) for text in texts]

    def ranking(question: str) -> list[int]:
        query = bm25.query(question)
        wanted = dict(zip(query.indices.tolist(), query.values.tolist(), strict=True))
        scores = [
            sum(wanted.get(i, 0.0) * v for i, v in zip(d.indices.tolist(), d.values.tolist(), strict=True))
            for d in documents
        ]
        return sorted((i for i, score in enumerate(scores) if score), key=lambda i: -scores[i])

    assert ranking("rule-a002")[0] == 0
    assert ranking("a002")[0] == 0
    assert ranking("010") == ranking("ms17-010") == ranking("MS17010") == [3]


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("cfol999", True),
        ("cb4471k", True),
        ("0x80070005", True),
        ("24hour", False),
        ("b2b", False),
        ("fy2026", False),
        ("2026", False),
        ("q3", False),
    ],
)
def test_codes_are_told_from_words_and_quantities(term: str, expected: bool) -> None:
    assert is_code(term) is expected


ODD_TEXTS = st.one_of(st.text(), st.text("aZß0189.,-_/'’& ½²ÄèİıΣς名カ한กि٣\u00a0\u00ad\u200d\u0308"))


@given(ODD_TEXTS)
def test_no_text_is_too_odd_and_equal_texts_give_equal_vectors(text: str) -> None:
    bm25 = Bm25()
    assert bm25.terms(text) == bm25.terms(text) == Bm25().terms(text)
    vector = bm25.document(text)
    assert np.all(np.diff(vector.indices.astype(np.int64)) > 0)
    assert np.all(vector.values > 0) and np.all(vector.values < K1 + 1)


@given(ODD_TEXTS)
def test_a_composed_text_gives_the_terms_of_a_decomposed_one(text: str) -> None:
    terms = Analyzer().split
    assert terms(unicodedata.normalize("NFC", text)) == terms(unicodedata.normalize("NFD", text))


@given(ODD_TEXTS)
def test_every_text_is_found_by_itself(text: str) -> None:
    bm25 = Bm25()
    words = [word.whole for word in Analyzer().words(text)]
    asked = set(bm25.query(text).indices.tolist())
    assert all(term_number(word) in asked for word in words if " " not in word)
    held = set(bm25.terms(text))
    assert all(held & set(alternatives) for alternatives in bm25.query_words(text))


def test_a_repeated_term_weighs_more_and_a_longer_text_less() -> None:
    bm25 = Bm25()

    def weight(text: str) -> float:
        vector = bm25.document(text)
        return float(vector.values[vector.indices.tolist().index(term_number("whale"))])

    assert weight("whale") < weight("whale whale") < 2 * weight("whale")
    assert weight("whale " + "sea " * 200) < weight("whale")
    assert weight("whale " + "sea " * 119) == pytest.approx(1.0)
