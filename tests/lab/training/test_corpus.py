"""Manuals read into documents and questions."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.training import corpus
from lab.training.corpus import Kind, TrainingCorpus, build_corpus
from lab.training.manuals import ManualSection, read_manual
from lab.training.sources import PackageSource

FAQ = """<html><head><title>Gull Lines FAQ — Gull Lines</title></head><body>
<nav>Home</nav>
<h1>Gull Lines FAQ</h1>
<h2>1.2 Boarding</h2>
<p>Gates open <b>an hour</b> before the ferry leaves.</p>
<dl>
<dt>Q3: May I bring a dog?</dt>
<dd>Dogs travel free of charge in the lower saloon, on a lead, and
are not let on to the sun deck while the ferry is at sea.</dd>
<dt>Luggage</dt><dd>Two pieces.</dd>
</dl>
<script>ignore()</script><!-- unseen -->
</body></html>"""

POD = """=head1 NAME

winch - how the winch is run

=head1 How do I oil the B<winch>?

Use C<< oil --thick >> on each bearing, E<lt>neverE<gt> grease, and turn the drum by hand until it runs freely again.

=over 4

=item L<Drum|winch/drum>

The part that turns.

=back
"""

MANUAL = (
    "<html><head><title>Harbour manual</title></head><body><h1>Harbour manual</h1>"
    + "".join(
        f"<h2>Care of the {part} in the {season} months</h2><p>The {part} of the harbour is washed by two people "
        f"each {season}. It takes them three hours and about forty litres of fresh water each time. The {part} is "
        f"dried with clean cloth before anybody is allowed to use it again, and a note is left in the {season} log. "
        "Whoever finds a crack tells the harbour master at once, who closes the place until it is mended.</p>"
        for part in ("crane", "basin", "quay", "winch", "lamp", "gate")
        for season in ("winter", "summer")
    )
    + "</body></html>"
)


def test_html_is_read_as_sections_without_furniture(tmp_path: Path) -> None:
    (tmp_path / "faq.html").write_text(FAQ, encoding="utf-8")
    manual = read_manual(tmp_path / "faq.html")
    assert manual.title == "Gull Lines FAQ"
    assert [(section.level, section.heading) for section in manual.sections] == [
        (0, "Gull Lines FAQ"),
        (1, "Gull Lines FAQ"),
        (2, "Boarding"),
        (5, "May I bring a dog?"),
    ]
    assert manual.sections[2].text == "Gates open an hour before the ferry leaves."
    assert manual.sections[3].text.startswith("Dogs travel free of charge")
    assert manual.sections[3].text.endswith("Luggage\nTwo pieces.")
    assert not any("Home" in section.text or "unseen" in section.text for section in manual.sections)


def test_pod_is_read_as_sections_without_styles(tmp_path: Path) -> None:
    (tmp_path / "winch.pod").write_text(POD, encoding="utf-8")
    manual = read_manual(tmp_path / "winch.pod")
    assert manual.title == "winch - how the winch is run"
    assert manual.sections[2] == ManualSection(
        1,
        "How do I oil the winch?",
        "Use oil --thick on each bearing, <never> grease, and turn the drum by hand until it runs freely again.\n\n"
        "- Drum\n\nThe part that turns.",
    )


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TrainingCorpus:
    """Of a list of questions, printed twice, and of a manual."""
    for name, text in (("one/faq.html", FAQ), ("one/printed.html", FAQ), ("two/manual.html", MANUAL)):
        (tmp_path / "pack" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "pack" / name).write_text(text, encoding="utf-8")
    sources = (
        PackageSource("pack", "one", "*.html", "ferry", asks=True, title="Ferries – "),
        PackageSource("pack", "two", "*.html", "harbour", asks=False),
    )
    monkeypatch.setattr(corpus, "SOURCES", sources)
    once, again = build_corpus(tmp_path), build_corpus(tmp_path)
    assert once == again
    return once


def test_questions_are_taken_out_of_the_documents_that_answer_them(built: TrainingCorpus) -> None:
    assert {question.kind for question in built.questions} == set(Kind)
    for question in built.questions:
        document = built.documents[question.document]
        assert question.text not in document.text
        assert len(document.text[question.start : question.end].strip()) > 80


def test_what_people_ask_is_answered_below_it_and_met_once(built: TrainingCorpus) -> None:
    [asked] = [question for question in built.questions if question.kind is Kind.ASKED]
    document = built.documents[asked.document]
    assert (asked.text, document.title, document.family) == ("May I bring a dog?", "Ferries – Gull Lines FAQ", "ferry")
    assert document.text[asked.start : asked.end].startswith("Dogs travel free")
    assert "Dogs" not in built.documents[1].text


def test_headings_that_are_not_asked_for_stand_above_their_sections(built: TrainingCorpus) -> None:
    manual = built.documents[2]
    asked = {question.text for question in built.questions if question.kind is Kind.HEADING}
    assert manual.text.count("\n## Care of the ") + manual.text.startswith("## ") + len(asked) == 12
