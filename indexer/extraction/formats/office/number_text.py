"""A number as a section of a format writes it: with digits, a fraction, or a power of ten."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Final

from indexer.extraction.formats.office.number_code import Token

_PAD: Final = {"0": "0", "?": " ", "#": ""}
"""What stands in a digit's place where the number has none."""
_GROUP: Final = 3
_DENOMINATOR_DIGITS: Final = 7
_SIGNIFICANT: Final = ".15g"
"""So many digits of a number count (Excel specifications and limits)."""


def number_text(value: float, tokens: Sequence[Token], general: Callable[[float], str]) -> str:
    """The number, which is not negative; `general` writes it where the section asks for no form of its own."""
    kinds = [kind for kind, _ in tokens]
    if "digit" not in kinds:
        return "".join(general(value) if kind == "general" else text for kind, text in tokens)
    number = Decimal(format(value, _SIGNIFICANT)).scaleb(2 * kinds.count("percent"))
    if "exponent" in kinds:
        return _scientific(number, tokens, kinds.index("exponent"))
    slash = kinds.index("slash") if "slash" in kinds else 0
    if "digit" in kinds[:slash] and _denominator(tokens[slash + 1 :]):
        return _fraction(number, tokens, slash)
    return _plain(number, tokens)


def _plain(number: Decimal, tokens: Sequence[Token]) -> str:
    """Scaled by a thousand for each comma behind the digits, with a comma between thousands for one among them."""
    kinds = [kind for kind, _ in tokens]
    point = kinds.index("point") if "point" in kinds else len(tokens)
    before, behind = list(tokens[:point]), list(tokens[point + 1 :])
    before, thousands, is_grouped = _without_commas(before)
    behind, more, _ = _without_commas(behind)
    number = number.scaleb(-_GROUP * (thousands + more))
    whole, decimals = _digits(number, sum(kind == "digit" for kind, _ in behind))
    end = "." if point < len(tokens) else ""
    return f"{_filled_up(before, whole, grouped=is_grouped)}{end}{_filled_down(behind, decimals)}"


def _without_commas(tokens: list[Token]) -> tuple[list[Token], int, bool]:
    """The tokens without the commas among and right behind the digits; how many are behind; whether any are among."""
    places = [at for at, (kind, _) in enumerate(tokens) if kind == "digit"]
    if not places:
        return tokens, 0, False
    first, last = places[0], places[-1]
    end = last + 1
    while end < len(tokens) and tokens[end][0] == "comma":
        end += 1
    among = [token for token in tokens[first : last + 1] if token[0] != "comma"]
    return [*tokens[:first], *among, *tokens[end:]], end - last - 1, len(among) < last + 1 - first


def _digits(number: Decimal, decimals: int) -> tuple[str, str]:
    """Those in front of the point, without leading zeros, and so many behind it."""
    rounded = number.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    whole, _, rest = f"{rounded:f}".partition(".")
    return whole.lstrip("0"), rest


def _filled_up(tokens: Sequence[Token], digits: str, *, grouped: bool = False) -> str:
    """The digits in their places from the right; what there are no places for stands in front of the first."""
    written: list[str] = []
    left, count = len(digits), 0
    first = next((at for at, (kind, _) in enumerate(tokens) if kind == "digit"), None)
    for at in range(len(tokens) - 1, -1, -1):
        kind, text = tokens[at]
        if kind != "digit":
            written.append(text)
            continue
        wanted = max(left, 1) if at == first else 1
        for _ in range(wanted):
            left -= 1
            digit = digits[left] if left >= 0 else _PAD[text]
            if grouped and count and count % _GROUP == 0 and digit:
                written.append("," if digit != " " else " ")
            written.append(digit)
            count += 1
    if first is None:
        written.insert(0, digits)  # right in front of the point
    return "".join(reversed(written))


def _filled_down(tokens: Sequence[Token], digits: str) -> str:
    """The digits in their places from the left; zeros at the end only where the section asks for them."""
    written: list[str] = []
    at = 0
    for kind, text in tokens:
        if kind != "digit":
            written.append(text)
            continue
        written.append(digits[at] if digits[at:].strip("0") else _PAD[text])
        at += 1
    return "".join(written)


def _scientific(number: Decimal, tokens: Sequence[Token], place: int) -> str:
    """With as many digits in front of the point as the section has places; the power is a multiple of their number."""
    mantissa, tail = tokens[:place], tokens[place + 1 :]
    kinds = [kind for kind, _ in mantissa]
    point = kinds.index("point") if "point" in kinds else len(mantissa)
    step, decimals = max(kinds[:point].count("digit"), 1), kinds[point:].count("digit")
    power = number.adjusted() // step * step if number else 0
    whole, _ = _digits(number.scaleb(-power), decimals)
    if len(whole) > step:  # rounded up to the next power
        power += step
    sign = "-" if power < 0 else "+" if tokens[place][1].endswith("+") else ""
    return f"{_plain(number.scaleb(-power), mantissa)}E{sign}{_filled_up(tail, str(abs(power)).lstrip('0'))}"


def _denominator(tokens: Sequence[Token]) -> str:
    """What stands right behind the stroke: places for digits, or a number; empty where it is neither."""
    found = ""
    for kind, text in tokens:
        if kind != "digit" and not text.isdecimal():
            break
        found += text
    return found[:_DENOMINATOR_DIGITS]


def _fraction(number: Decimal, tokens: Sequence[Token], slash: int) -> str:
    """The nearest one with such a denominator; a whole number leaves the fraction's place blank."""
    below = _denominator(tokens[slash + 1 :])
    start = slash
    while start and tokens[start - 1][0] == "digit":
        start -= 1
    front, above, behind = tokens[:start], tokens[start:slash], tokens[slash + 1 + len(below) :]
    has_whole = any(kind == "digit" for kind, _ in front)
    exact = Fraction(number)
    nearest = (
        Fraction(round(exact * int(below)), int(below))
        if below.isdecimal() and below.strip("0")
        else exact.limit_denominator(10 ** len(below) - 1)
    )
    whole = nearest.numerator // nearest.denominator if has_whole else 0
    rest = nearest - whole
    denominator = int(below) if below.isdecimal() and below.strip("0") else rest.denominator
    numerator = int(rest * denominator)
    head = _filled_up(front, str(whole) if whole or (has_whole and not numerator) else "")
    tail = "".join(text for _, text in behind)
    if not numerator and has_whole:
        return f"{head.rstrip()}{tail}"
    return f"{head}{_filled_up(above, str(numerator))}/{denominator}{tail}"
