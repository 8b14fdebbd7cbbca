"""Where sentences begin, in many languages, told apart by nobody."""

from __future__ import annotations

import itertools

import pytest

from rag.text.sentences import begins_afresh, line_starts, sentence_starts

SENTENCES = {
    "titles": ["Dr. Amara Okafor signed the lease.", "Mr. and Mrs. Lindqvist came at 3 p.m. on Monday.", "Good."],
    "initials": ["Prof. J. R. Haldane wrote it.", "Take vitamin C.", "The rest is up to you."],
    "e.g.": ["Bring proof, e.g. a receipt, i.e. the original.", "See Sec. 4.2 and Fig. 3 on p. 12.", "Costs rose."],
    "companies": ["Harbourlight Inc. was founded in Delaware.", "It merged with Tern & Co. Ltd. in 2019.", "Fine."],
    "states": ["The U.S. President spoke.", "It was made in the U.S.", "It sold well."],
    "quotes": ["“Is it done?” she asked.", "He said: “Not yet.”", "Then he left."],
    "straight quotes": ['"We are closed."', "The sign was clear.", "(See the annex.)", "Nobody did."],
    "ellipses": ["Well … perhaps not.", "Wait...", "What was that?!", "Nothing."],
    "numbers": ["Version 2.0.1 costs 1,299.00 EUR.", "No. 7 is broken.", "12 people came.", "No.", "They left."],
    "addresses": ["Write to help@harbourlight.example or see www.harbourlight.example today.", "Thanks."],
    "abbreviations that end": ["We sell pens, paper, etc.", "They ship at 5 p.m.", "The parcels arrive on Jan. 4."],
    "numbered": ["1. Open the valve.", "2. Close the lid."],
    "notes": ["It is so.[1][2]", "It was so.¹", "**It will be so.**", "So be it."],
    "contents": ["Introduction ........ 12"],
    "kings": ["Louis XIV. ruled the country.", "Louis XIV died."],
    "German": [
        "Die Frist beträgt 30 Tage, z. B. ab dem 3. Mai 2024.",
        "Herr Dr. Weiß wohnt in der Hauptstr. 12.",
        "Ja.",
    ],
    "German law": ["Vgl. Abs. 2 S. 1 Nr. 3 BGB.", "Das gilt u. a. für Reisen, d. h. für alle.", "Ende."],
    "German sums": ["Der Umsatz stieg um ca. 12 Mio. Euro im 3. Quartal.", "„Wann kommst du?“, fragte sie.", "Bald."],
    "German quotes": ["Er sagte: „Nein.“", "Sie sagte: »Ja.«", "Dann gingen sie."],
    "French": ["M. Dupont est arrivé à 15 h.", "Mme. Leroy, cf. p. 4, n'est pas venue !", "Pourquoi ?"],
    "French quotes": ["« Je ne sais pas. »", "Il partit."],
    "Spanish": ["¿Dónde está la Sra. García?", "¡Ya llegó!", "El Sr. López paga 1.250,50 euros.", "¿Y qué?"],
    "Italian": ["Il dott. Rossi abita in via Roma n. 5.", "L'art. 3 del d.lgs. è chiaro.", "Basta!"],
    "Portuguese": ["O Sr. Silva mora na av. Central, n.º 8.", "A Dra. Costa chegou."],
    "Dutch": ["Dhr. de Vries betaalt o.a. de huur.", "Dat is bijv. te laat."],
    "Russian": ["Компания основана в 1998 г. в Москве.", "Адрес: ул. Ленина, д. 5.", "И т. д. и т. п. не пишут."],
    "Greek": ["Πού είναι;", "Εδώ."],
    "Hindi": ["यह नियम सभी पर लागू है।", "क्या आप तैयार हैं?", "हाँ।"],
    "Arabic": ["متى يبدأ الدوام؟", "يبدأ في الثامنة.", "شكرا!"],
    "Urdu": ["یہ دفتر بند ہے۔", "کل آئیں۔"],
    "Amharic": ["ሰላም ነው።", "እሺ።"],
    "Armenian": ["Սա տուն է։", "Լավ։"],
    "Burmese": ["ရုံးပိတ်သည်။", "ဖွင့်မည်။"],
    "Thai": ["สำนักงานปิดวันอาทิตย์ เปิดวันจันทร์"],  # it has no sign for the end of a sentence
}
WITHOUT_SPACES = {
    "Japanese": ["春眠暁を覚えず。", "「どこですか？」と聞いた。", "すごい！", "「行きます。」", "彼は去った。"],
    "Chinese": ["报销单必须在三十日内提交。", "“可以吗？”他问。", "当然！", "好……走吧。", "“走。”"],
    "Latin signs": ["本当に?", "はい!", "値は３．５です。"],
}


def sentences(text: str) -> list[str]:
    places = [0, *sentence_starts(text, 0, len(text)), len(text)]
    cut = [text[start:end].strip() for start, end in itertools.pairwise(places)]
    return [sentence for sentence in cut if sentence]


@pytest.mark.parametrize("expected", SENTENCES.values(), ids=SENTENCES)
def test_sentences_are_told_apart(expected: list[str]):
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize("expected", WITHOUT_SPACES.values(), ids=WITHOUT_SPACES)
def test_sentences_are_told_apart_without_spaces(expected: list[str]):
    assert sentences("".join(expected)) == expected


def test_only_the_stretch_that_was_asked_for_is_looked_at_but_its_surroundings_count():
    text = "It was Dr. Okafor. She left. Then it rained."
    assert list(sentence_starts(text, 0, 10)) == []
    assert list(sentence_starts(text, 8, 30)) == [19, 29]


@pytest.mark.parametrize(
    ("before", "line", "afresh"),
    [
        ("The lease begins on the first of May and ends after five years,", "Rent is due each month.", False),
        ("The lease begins in May", "and ends after five years.", False),
        ("租约从五月一日开始，为期五年，除非承租人在到期之前提前三个月通知出租人，", "否则自动续期。", False),
        ("Harbourlight Ltd.", "Quay Street 4", True),
        ("The lease begins on the first of May and ends after five years,", "- or never", True),
        ("The lease begins on the first of May and ends after five years,", "2. Rent", True),
        ("The lease begins on the first of May and ends after five years,", "", True),
        ("The lease begins on the first of May and ends after five years.  ", "Rent is due each month.", True),
        ("Whoever wants to borrow a bicycle for a longer time has to bring:", "a passport", True),
    ],
)
def test_a_line_goes_on_with_the_one_before_where_that_was_full(before: str, line: str, *, afresh: bool):
    text = f"{before}\n{line}"
    assert begins_afresh(text, len(before) + 1) is afresh
    assert list(line_starts(text, 0, len(text))) == ([len(before) + 1] if afresh else [])
