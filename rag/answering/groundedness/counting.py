"""Words that count, and the names of months, by language. Tables."""

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
_SHARES: Final[Mapping[str, Mapping[str, float]]] = {
    "english": {"half": 0.5, "third": 1 / 3, "quarter": 0.25, "tenth": 0.1, "fifth": 0.2, "dozen": 12.0},
    "german": {
        "hälfte": 0.5,
        "halb": 0.5,
        "halbe": 0.5,
        "drittel": 1 / 3,
        "viertel": 0.25,
        "fünftel": 0.2,
        "dutzend": 12.0,
    },
    "french": {"moitié": 0.5, "demi": 0.5, "tiers": 1 / 3, "quart": 0.25, "cinquième": 0.2, "douzaine": 12.0},
    "spanish": {"mitad": 0.5, "medio": 0.5, "tercio": 1 / 3, "cuarto": 0.25, "quinto": 0.2, "docena": 12.0},
}


_TIMES: Final[Mapping[str, Mapping[str, float]]] = {
    "english": {"once": 1.0, "twice": 2.0, "thrice": 3.0},
    "german": {
        f"{word}mal": float(number) for number, word in enumerate(["null", "ein", "zwei", "drei", "vier", "fünf"])
    },
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

SHARES: Final[Mapping[str, float]] = {
    word: value
    for value, words in {
        1 / 3: "third thirds drittel tiers tercio tercios terzo terzi",
        0.25: "quarter quarters viertel quart quarts cuarto cuartos quarto quarti kwart",
        0.2: "fifth fifths fünftel cinquième cinquièmes quinto quintos",
        0.1: "tenth tenths zehntel dixième dixièmes décimo décimos",
    }.items()
    for word in words.split()
}
"""What a number word may be followed by: "three quarters"."""

LOOSELY_COUNTING: Final[Mapping[str, Mapping[str, float]]] = {
    language: {word: float(number) for number, word in enumerate(_FIRSTS.get(language, "").split(), start=1)}
    | dict(_SHARES.get(language, {}))
    | dict(_TIMES.get(language, {}))
    for language in _ONES
}
"""Ordinals, shares and how often: a passage's bear out a number, but a sentence's claim none."""

MONTHS: Final[Mapping[str, int]] = {
    name: number
    for names in (
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "jänner feber mrz apr mai jun jul aug sept okt nov dez",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "januari februari maart april mei juni juli augustus september oktober november december",
    )
    for number, name in enumerate(names.split(), start=1)
}
