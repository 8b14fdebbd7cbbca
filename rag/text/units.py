"""What numbers count: units and currencies as people write them, and scales."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit of a quantity: two that measure the same thing can be converted."""

    measures: str
    factor: float
    """How many of the quantity's base units it has."""


def _named(measures: str, **names: str) -> dict[str, Unit]:
    """Units of one quantity by name; a key is the factor, with `_` for the decimal point, behind an `x`."""
    return {
        word: Unit(measures, float(factor.removeprefix("x").replace("_", ".")))
        for factor, words in names.items()
        for word in words.split()
    }


UNITS: Final[Mapping[str, Unit]] = {
    **_named(
        "time",
        x0_001="ms millisecond milliseconds millisekunden",
        x1="s sec secs second seconds sekunde sekunden secondes segundo segundos secondi 秒",
        x60="min mins minute minutes minuten minuto minutos minuti 分 分間 分钟",
        x3600="h hr hrs hour hours std stunde stunden heure heures hora horas ora ore uur uren 時間 小时",
        x86400="day days tag tage tagen tages jour jours día días dia dias giorno giorni dag dagen 日 日間 天",
        x604800="week weeks woche wochen semaine semaines semana semanas settimana settimane weken 週間 周",
    ),
    **_named(
        "months",
        x1="month months monat monate monaten monats mois mes meses mês mese mesi maand maanden ヶ月 か月 个月",
        x3="quarter quarters quartal quartale trimestre trimestres",
        x12="year years jahr jahre jahren jahres ans année années año años ano anos anno anni jaar jaren 年 年間",
    ),
    **_named(
        "length",
        x0_001="mm millimeter millimeters millimetre millimetres",
        x0_01="cm centimeter centimeters centimetre centimetres zentimeter",
        x1="meter meters metre metres mètres metros metri",
        x1000="km kilometer kilometers kilometre kilometres kilomètres",
        x0_0254="inch inches zoll",
        x0_3048="ft foot feet",
        x1609_344="mile miles meile meilen",
    ),
    **_named(
        "mass",
        x0_001="mg milligram milligrams",
        x1="g gram grams gramm",
        x1000="kg kilo kilos kilogram kilograms kilogramm",
        x1000000="t ton tons tonne tonnes tonnen",
        x453_592="lb lbs",
        x28_3495="oz ounce ounces",
    ),
    **_named("volume", x0_001="ml milliliter milliliters", x1="l liter liters litre litres litro litros"),
    **_named("gallons", x1="gallon gallons gal"),
    **_named("heat", x1="°c celsius ℃"),
    **_named("heat (F)", x1="°f fahrenheit ℉"),
    **_named("torque", x1="nm newton-meter newton-metres newton-meters", x1_35582="lb-ft ft-lb lbf·ft"),
    **_named("pressure", x1="pa", x1000="kpa", x100000="bar", x6894_76="psi"),
    **_named("voltage", x0_001="mv", x1="v volt volts", x1000="kv"),
    **_named("current", x0_001="ma", x1="ampere amperes amps"),
    **_named("power", x1="w watt watts", x1000="kw kilowatt kilowatts", x1000000="mw megawatt megawatts"),
    **_named("energy", x1="wh", x1000="kwh", x1000000="mwh"),
    **_named("frequency", x1="hz hertz", x1000="khz", x1000000="mhz", x1000000000="ghz"),
    **_named("data", x1="byte bytes", x1000="kb", x1000000="mb", x1000000000="gb", x1000000000000="tb"),
    **_named("bits a second", x1000="kbps kbit/s", x1000000="mbps mbit/s", x1000000000="gbps gbit/s"),
    **_named("speed", x1="km/h kph kmh", x1_60934="mph"),
    **_named("share", x1="% percent pct prozent pourcent porcentaje percento procent ％ パーセント v.h.", x0_1="‰"),
    **_named("points", x1="percentage-point percentage-points prozentpunkte"),
    **_named("EUR", x1="€ eur euro euros", x0_01="eurocent"),
    **_named("USD", x1="$ usd us$ dollar dollars"),
    **_named("GBP", x1="£ gbp sterling"),
    **_named("CHF", x1="chf franken sfr"),
    **_named("JPY", x1="¥ jpy yen 円"),
    **_named("CNY", x1="cny rmb yuan 元"),
    **_named("INR", x1="₹ inr rupee rupees"),
}
"""By name in lower case. "m", "in" and "pounds" are left out: they mean several things."""

CURRENCIES: Final = frozenset({"EUR", "USD", "GBP", "CHF", "JPY", "CNY", "INR"})
SHARE: Final = "share"

PERIODS: Final[Mapping[str, str]] = {
    word: period
    for period, words in {
        "hour": "hourly stündlich",
        "day": "daily täglich quotidien diario giornaliero dagelijks",
        "week": "weekly wöchentlich hebdomadaire semanal settimanale wekelijks",
        "month": "monthly monatlich mensuel mensuelle mensual mensile maandelijks",
        "quarter": "quarterly vierteljährlich quartalsweise trimestriel trimestral",
        "year": "yearly annual annually jährlich annuel annuelle anual annuale jaarlijks",
    }.items()
    for word in words.split()
}
"""Words that say by themselves how often something is."""
PERIOD_OF: Final[Mapping[Unit, str]] = {
    UNITS[name]: name for name in ("second", "minute", "hour", "day", "week", "month", "quarter", "year")
}

SCALES: Final[Mapping[str, float]] = {
    word: 10.0**power
    for power, words in {
        2: "hundred hundert honderd 百",
        3: "thousand tausend mille mil tsd tsd. duizend k 千",
        4: "万 萬",
        6: "million millions millionen mio mio. mn mln millones milioni milhões miljoen",
        8: "億 亿",
        9: "billion billions bn milliarde milliarden mrd mrd. milliard milliards miliardi miljard",
        12: "trillion trillions billionen",
    }.items()
    for word in words.split()
}
"""By word in lower case; "m" and "k" right behind the digits are looked after by whoever reads them."""
