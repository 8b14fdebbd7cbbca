"""Small words by language: which language a text is in, what denies, what counts. Tables; no code but look-ups."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rag.text.languages import STOP_WORDS, folded
from rag.text.languages import language_of as guessed

_WORD: Final = re.compile(r"[^\W\d_]+")
_SCRIPTS: Final = {
    "japanese": re.compile(r"[\u3040-\u30ff]"),
    "korean": re.compile(r"[\uac00-\ud7af]"),
    "chinese": re.compile(r"[\u3400-\u9fff]"),
}
"""Tried in this order: Japanese has Han characters, too."""


def word_set(words: str) -> frozenset[str]:
    """Words with blanks between as a set: tables read best as text."""
    return frozenset(words.split())


_MORE_SMALL: Final = word_set(
    """
    per each every any such only there get gets both more most than because while during within pro je jede jeder
    jedes chaque cada ogni elke via upon onto
    """
)

DENIALS: Final = word_set(
    """
    not no never without cannot none neither nor nobody nothing n't nicht kein keine keinen keinem keiner keines nie
    niemals ohne weder nichts niemand pas jamais aucun aucune sans ni rien nunca sin ningún ninguna ninguno tampoco
    non mai senza nessun nessuna não nem sem nenhum nenhuma niet geen nooit zonder
    """
)
"""Words that deny. "no" and "ne" are left to `BOUNDS` and to their partners."""

BOUNDS: Final = word_set(
    """
    more less later earlier fewer longer shorter only greater higher lower mehr weniger später länger höher nur plus
    moins más menos più meno mais meer minder sooner than until exceed exceeding
    """
)
"""A denial right before one of these sets a bound ("no more than five") and denies nothing."""

IMPLIED: Final = word_set(
    """
    before unless until only except but fewer less under below without forbidden prohibited banned excluded refuse
    refused bevor außer erst sofern bis weniger unter verboten untersagt ausgeschlossen avant sauf sinon seulement
    interdit antes salvo solo prohibido fail fails failed lack lacks missing absent avoid avoids stop stops stopped
    ceased refrain unable impossible exempt exempted instead rather hardly rarely deny denies denied prevent
    prevents prevented void invalid free unlike otherwise fehlt fehlen entfällt entfallen statt anstatt kaum
    vermeiden verhindert ungültig befreit sonst frei exempté évite manque faute imposible falta evita exento
    """
)
"""Words that deny something without a denial: where one stands, denials cannot be counted against each other."""

HEDGES: Final = word_set(
    """
    about around roughly approximately approx some nearly almost over under circa ca c. ~ ≈ close rund etwa ungefähr
    zirka fast knapp über unter gut mehr weniger more less fewer environ presque près quelque unos unas casi
    aproximadamente alrededor cerca quasi oltre ongeveer bijna
    約 およそ ほぼ 大约 约
    """
)
"""Words right before a number that say it is rounded."""

OPPOSITES: Final[Sequence[tuple[frozenset[str], frozenset[str]]]] = tuple(
    (frozenset(one.split()), frozenset(other.split()))
    for one, other in (
        (
            "minimum min least mindestens minimal minimo mínimo minste",
            "maximum max most höchstens maximal maximo máximo",
        ),
        ("before vor avant antes prima", "after nach après después dopo depois"),
        (
            "increase increased increases rose grew gestiegen erhöht",
            "decrease decreased decreases fell shrank gesunken gesenkt",
        ),
        (
            "mandatory required compulsory obligatory verpflichtend obligatoire",
            "optional voluntary freiwillig facultatif",
        ),
        (
            "allowed permitted erlaubt gestattet zulässig autorisé",
            "forbidden prohibited banned verboten untersagt unzulässig interdit",
        ),
        ("included includes including inbegriffen inklusive", "excluded excludes excluding ausgeschlossen exklusive"),
        ("above oberhalb", "below unterhalb"),
        ("free kostenlos gratuit", "chargeable kostenpflichtig payant"),
        ("open opens geöffnet", "closed closes geschlossen"),
        ("paid bezahlt bezahlter payé", "unpaid unbezahlt unbezahlter"),
        ("first erste ersten", "last letzte letzten"),
        ("earlier früher", "later später"),
        ("higher höher", "lower niedriger"),
        ("doubled double verdoppelt", "halved half halbiert"),
        ("left links linke", "right rechts rechte"),
        ("enabled enable aktiviert", "disabled disable deaktiviert"),
        ("accept accepts accepted", "reject rejects rejected refuse refuses refused"),
        ("internal intern interne", "external extern externe"),
        ("import imports", "export exports"),
        ("always immer toujours", "never nie jamais niemals"),
    )
)
"""Words that say the contrary of each other, so that one must not stand for the other."""


def language_of(text: str) -> str:
    """The language of a text: Snowball's name, or the name of its script; English where nothing says otherwise."""
    for script, letters in _SCRIPTS.items():
        if len(letters.findall(text)) * 4 > len(text.replace(" ", "")):
            return script
    return guessed(text, folded_words(text))


def folded_words(text: str) -> frozenset[str]:
    """The distinct words of a text without case and accents."""
    return frozenset(folded(word) for word in _WORD.findall(text))


def is_other_language(text: str, language: str) -> bool:
    """Whether a sentence is in another language than this, beyond doubt."""
    own = language_of(text)
    if own == language:
        return False
    words = folded_words(text)
    if own in _SCRIPTS or language in _SCRIPTS:
        return True
    ours, theirs = STOP_WORDS.get(own, frozenset()), STOP_WORDS.get(language, frozenset())
    return len(words & ours) > max(1, len(words & theirs))


_NEUTRAL: Final = STOP_WORDS["english"] | _MORE_SMALL
_SMALL: Final = {language: words | _NEUTRAL for language, words in STOP_WORDS.items()}


def small_words(language: str) -> frozenset[str]:
    """Words that carry no subject, folded: of the language, of English, which is mixed into all, and of neither."""
    return _SMALL.get(language, _NEUTRAL)
