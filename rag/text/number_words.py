"""Words that count, by language. Tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_ONES: Final[Mapping[str, str]] = {
    "english": """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
        seventeen eighteen nineteen twenty""",
    "german": """null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn
        siebzehn achtzehn neunzehn zwanzig""",
    "french": """zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept
        dix-huit dix-neuf vingt""",
    "spanish": """cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis
        diecisiete dieciocho diecinueve veinte""",
    "italian": """zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici
        sedici diciassette diciotto diciannove venti""",
    "portuguese": """zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis
        dezessete dezoito dezenove vinte""",
    "dutch": """nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien
        zeventien achttien negentien twintig""",
}
_TENS: Final[Mapping[str, str]] = {
    "english": "twenty thirty forty fifty sixty seventy eighty ninety hundred",
    "german": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert",
    "french": "vingt trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix cent",
    "spanish": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien",
    "italian": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento",
    "portuguese": "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem",
    "dutch": "twintig dertig veertig vijftig zestig zeventig tachtig negentig honderd",
}
_FIRSTS: Final[Mapping[str, str]] = {
    "english": "first second third fourth fifth sixth seventh eighth ninth tenth",
    "german": "erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte",
    "french": "premier deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième",
    "spanish": "primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo",
}
_SHARES: Final[Mapping[str, Mapping[float, str]]] = {
    "english": {0.5: "half", 1 / 3: "third", 0.25: "quarter", 0.2: "fifth", 0.1: "tenth", 12.0: "dozen"},
    "german": {0.5: "hälfte halb halbe", 1 / 3: "drittel", 0.25: "viertel", 0.2: "fünftel", 12.0: "dutzend"},
    "french": {0.5: "moitié demi", 1 / 3: "tiers", 0.25: "quart", 0.2: "cinquième", 12.0: "douzaine"},
    "spanish": {0.5: "mitad medio", 1 / 3: "tercio", 0.25: "cuarto", 0.2: "quinto", 12.0: "docena"},
}


def _counting(language: str) -> dict[str, float]:
    ones, tens = _ONES[language].split(), _TENS[language].split()
    counted = {word: float(number) for number, word in enumerate(ones)}
    counted |= {word: 10.0 * number for number, word in enumerate(tens, start=2)}
    for ten, word in enumerate(tens[:-1], start=2):
        for one, unit in enumerate(ones[1:10], start=1):
            stem = {"eins": "ein"}.get(unit, unit)
            joined = {"german": f"{stem}und{word}", "dutch": f"{unit}en{word}"}.get(language, f"{word}-{unit}")
            counted[joined] = 10.0 * ten + one
    return counted


COUNTING: Final[Mapping[str, Mapping[str, float]]] = {language: _counting(language) for language in _ONES}
"""Number words from zero to a hundred, by language; compounds as one word or with a hyphen."""

LOOSELY_COUNTING: Final[Mapping[str, Mapping[str, float]]] = {
    language: {word: float(number) for number, word in enumerate(_FIRSTS[language].split(), start=1)}
    | {word: value for value, words in _SHARES[language].items() for word in words.split()}
    | ({"once": 1.0, "twice": 2.0} if language == "english" else {})
    for language in _FIRSTS
}
"""Ordinals, shares and how often, by language."""
