"""English words as a question uses them: what asks, what shades, what leads, what means the same. Tables only.

Whatever stands in none of them decides the answer and must be the same in both questions. A line here therefore only
ever lets more questions pass for one: add none that could change an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH: Final = _set("""
    the is are what which who whom whose when where why how do does did of for my our your we i you to and with from
    can may must should will would has have had be been there this that these those not
    """)
"""Words by which a question is known for English, none of them a common word of its neighbours."""

FOREIGN: Final = _set("""
    der das den dem ein eine einen und ist sind wie wer wann wo welche welcher welches warum wird werden kann muss
    für von mit bei nicht im zum zur le les des du et est sont que quel quelle quels quelles combien où quand qui
    comment pour dans avec sur el los las del y qué cuál cuáles cuánto cuánta cuántos cuántas cuándo dónde quién cómo
    por con en para il lo gli di che quale quali quanto quanti quante quando dove chi come per con nel della het een
    en van hoeveel wat wie waar wanneer voor mijn jest czy ile kiedy gdzie kto jak na są o os uma qual quantos
    """)
"""Words by which it is known for something else."""

FRAMES: Final = (
    r"hi|hi there|hello|hello there|hey|hey there|good (?:morning|afternoon|evening)|thanks|thank you|please|so",
    r"excuse me|sorry(?: to bother you)?|by the way|btw|just (?:wondering|curious|checking|asking)|out of curiosity",
    r"quick question|quick one|(?:well|ok|okay|um|fyi|pardon|one question|question|again)(?=\s*[,:;!–—-])",
    (
        r"(?:i (?:was|am) (?:just )?(?:wondering|curious)|i wonder|(?:may|can) i ask|remind me|look up|find out|check)"
        r"(?=[\s,:]+(?:wh|how|if\b))"
    ),
    r"any idea|tell me|let me know|i (?:was )?hop(?:e|ing) you (?:can|could) tell me",
    (
        r"(?:could|can|would|will) (?:you|someone|somebody|anyone|anybody) (?:please |kindly |quickly )?"
        r"(?:tell me|let me know|remind me|(?:look up|find out|say|check)(?=[\s,:]+(?:wh|how|if\b))|mind telling me)"
    ),
    r"(?:do|does) (?:you|anyone|anybody|someone|somebody) (?:happen to )?know",
    r"i (?:would (?:really )?(?:like|love)|want|need) to (?:know|find out)|i do not (?:quite )?know",
)
"""What is said before a question and asks nothing."""

END_FRAMES: Final = r"(?:many )?thanks(?: a lot)?|thank you(?: very much)?|please|thx|cheers|if i may ask"
"""What is said behind it."""

PHRASES: Final[Mapping[str, str]] = {
    # what asks
    "how much time": "how-long",
    "how long": "how-long",
    "how often": "how-often",
    "how many times": "how-often",
    "how many": "how-many",
    "what number of": "how-many",
    "how much": "how-much",
    "how much is": "how-dear is",
    "how much are": "how-dear are",
    "how much was": "how-dear was",
    "how much were": "how-dear were",
    "what amount of": "how-much",
    "how fast": "how-fast",
    "how quickly": "how-fast",
    "how soon": "how-soon",
    "how old": "how-old",
    "how to": "how i",
    "how can": "how do",
    "how may": "how do",
    "how could": "how do",
    "how far": "how-far",
    "how heavy": "what weight",
    "what time": "when-time",
    "which time": "when-time",
    "at what time": "when-time",
    "at which time": "when-time",
    "what date": "when-date",
    "which date": "when-date",
    "what day": "when-date",
    "which day": "when-date",
    "what reason": "why",
    "which person": "who",
    "do we have": "is there",
    "do you have": "is there",
    "whom do": "who do",
    "whom does": "who does",
    "whom did": "who did",
    "whom can": "who can",
    "whom should": "who should",
    # what shades
    "have to": "must",
    "has to": "must",
    "had to": "must did",
    "need to": "must",
    "needs to": "must",
    "are required to": "must",
    "is required to": "must",
    "allowed to": "may",
    "permitted to": "may",
    "able to": "may",
    # what means the same
    "paid time off": "vacation",
    "annual leave": "vacation",
    "days off": "vacation days",
    "days of vacation": "vacation days",
    "days of holiday": "vacation days",
    "staff members": "employees",
    "staff member": "employee",
    "members of staff": "employees",
    "member of staff": "employee",
    "public holiday": "public-holiday",
    "public holidays": "public-holiday",
    "bank holiday": "public-holiday",
    "bank holidays": "public-holiday",
    "every day": "daily",
    "per day": "daily",
    "each day": "daily",
    "a day": "daily",
    "every week": "weekly",
    "per week": "weekly",
    "each week": "weekly",
    "a week": "weekly",
    "every month": "monthly",
    "per month": "monthly",
    "each month": "monthly",
    "a month": "monthly",
    "every quarter": "quarterly",
    "per quarter": "quarterly",
    "every year": "yearly",
    "per year": "yearly",
    "each year": "yearly",
    "a year": "yearly",
    "per annum": "yearly",
    "take place": "happen",
    "takes place": "happen",
    "took place": "happen did",
    "work from home": "home-office",
    "working from home": "home-office",
    "work remotely": "home-office",
    "working remotely": "home-office",
    "remote work": "home-office",
    "home office": "home-office",
    "switch on": "turn on",
    "switched on": "turned on",
    "switch off": "turn off",
    "switched off": "turned off",
    "in charge of": "responsible",
    "responsible for": "responsible",
    "due date": "deadline",
    "new hire": "new employee",
    "new hires": "new employees",
    "new joiner": "new employee",
    "new joiners": "new employees",
    "co worker": "colleague",
    "co workers": "colleagues",
    "per head": "per person",
    "parking spot": "parking space",
    "parking spots": "parking spaces",
    "cell phone": "mobile phone",
    "cell phones": "mobile phones",
    "zip code": "postcode",
    "first half": "h1",
    "second half": "h2",
    "first quarter": "q1",
    "second quarter": "q2",
    "third quarter": "q3",
    "fourth quarter": "q4",
    "at least": "at-least",
    "at most": "at-most",
    "no more than": "at-most",
    "no less than": "at-least",
    "not more than": "at-most",
    "not less than": "at-least",
    "up to": "up-to",
    "wi fi": "wifi",
    "e mail": "email",
    "e mails": "email",
}
"""The longest first. What stands right is in the words of the tables below, or a term of its own."""

SILENT: Final = r"?!.,;:'’‘\"“”„«»()\[\]{}…·*_~`–—‐‑-"
"""Signs that say nothing, as the inside of a regular expression's brackets."""

ASKS: Final = _set(
    """
    who whom whose when when-time when-date where why how how-long how-often how-many how-fast how-soon how-old how-far
    how-dear
    """
)
"""What is asked for. `what`, `which` and `how much` of a thing ask for the thing."""

NAMING: Final = _set("whose how-many what which how-much")
"""They take words with them that move where they move: "how many days"."""
ANY_WHAT: Final = frozenset({"what", "which", "how-much"})

SHADES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("not", "cannot"), "not"),
    **dict.fromkeys(("no", "none"), "no"),
    **{word: word for word in ("never", "nobody", "nothing", "neither", "nor", "without", "should", "would", "only")},
    **dict.fromkeys(("except", "excluding"), "except"),
    **dict.fromkeys(("was", "were", "did", "had", "got"), "past"),
    **dict.fromkeys(("will", "shall"), "future"),
    **dict.fromkeys(("can", "could", "may", "might"), "may"),
    "must": "must",
    **dict.fromkeys(("i", "we", "you"), "we act"),
    **dict.fromkeys(("me", "us"), "on us"),
    **dict.fromkeys(("they", "them", "their"), "others"),
}
"""Small words that turn an answer round: denial, time, permission and duty, who acts on whom."""

AUXILIARIES: Final = _set(
    "is are am was were be do does did has have had can could may might must should shall will would"
)
BEING: Final = _set("is are am was were be been being")
HAVING: Final = _set("has have had")
"""A word in -ed is passive with a form of being, perfect with one of having, and tells of the past with neither."""
UNCHANGED: Final = _set("put set cut read hit let shut hurt cast split spread cost")
"""Verbs whose participle is the verb itself."""

DROPPED: Final = _set("""
    a an the this that these those is are am be been being do does has it its one ones there my our your mine ours
    yours and so then please just exactly actually really kindly what which how-much located situated
    """)
"""Words that decide nothing where all others are the same. Written in capitals they are names: Plan A, IT, US."""

ARTICLES: Final = _set("a an the this that these those my our your")
"""A name of a thing begins behind them."""

PERIODS: Final = _set("daily weekly monthly quarterly yearly")

VERBS: Final[Mapping[str, str]] = {"cost": "price", "weigh": "weight"}
"""What is asked with a verb by "how much does it …", and otherwise with a noun."""

HOLDING: Final = _set("have has get gets given receive receives entitled")
"""They decide nothing where a noun is asked for ("how many days do I get"), but all in "what does a trainee get"."""

LETTERED: Final = _set("""
    plan option variant class type group level tier team building room section annex appendix schedule grade category
    phase part zone block line version stage model hall gate wing unit site
    """)
"""A letter after them is a name, however it is written."""

PLACES: Final = (_set("in at during"), _set("about regarding"))
"""Prepositions that stand for one another."""
LOOSE: Final = frozenset({"of", "in", "on", "at", "for", "with", "about", "to", "as", "during", "regarding"})
"""They lead the same word in both, or their like does."""
FIRM: Final = _set("""
    from by into onto per than over under above below before after against between since until till through via within
    beyond behind towards toward off out up down
    """)
"""They must lead the same word in both."""

SYNONYMS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("begin", "commence"), "start"),
    "finish": "end",
    "purchase": "buy",
    "staff": "employee",
    "boss": "manager",
    **dict.fromkeys(("telephone", "phone"), "phone"),
    "automobile": "car",
    "physician": "doctor",
    "kid": "child",
    "children": "child",
    "people": "person",
    "holiday": "vacation",
    "permit": "allow",
    "permitted": "allow",
    "require": "need",
    "frequently": "often",
    "max": "maximum",
    "maximal": "maximum",
    "min": "minimum",
    "minimal": "minimum",
    "annual": "yearly",
    "annually": "yearly",
    "occur": "happen",
    "meaning": "mean",
    "decision": "decide",
    "delivery": "deliver",
    "approval": "approve",
    "arrival": "arrive",
    "registration": "register",
    "cancellation": "cancel",
    "reimbursement": "reimburse",
    "inspection": "inspect",
    "installation": "install",
    **dict.fromkeys(("expiry", "expiration"), "expire"),
    **dict.fromkeys(("store", "retain"), "keep"),
    **dict.fromkeys(("reply", "respond", "response"), "answer"),
    "fix": "repair",
    "assist": "help",
    "talk": "speak",
    **dict.fromkeys(("select", "pick"), "choose"),
    "defective": "faulty",
    "bicycle": "bike",
    "picture": "photo",
    "elevator": "lift",
    "lorry": "truck",
    **dict.fromkeys(("garbage", "trash"), "rubbish"),
    "cafeteria": "canteen",
    "coworker": "colleague",
    "vendor": "supplier",
    "kg": "kilogram",
    "kilo": "kilogram",
    "km": "kilometer",
    "cm": "centimeter",
    "mm": "millimeter",
    "nm": "newtonmeter",
    "mins": "minute",
    "hr": "hour",
    "hrs": "hour",
    "tyre": "tire",
    "centre": "center",
    "metre": "meter",
    "kilometre": "kilometer",
    "centimetre": "centimeter",
    "millimetre": "millimeter",
    "litre": "liter",
    "licence": "license",
    "programme": "program",
    "colour": "color",
    "labour": "labor",
    "grey": "gray",
    "aluminium": "aluminum",
    "enrol": "enroll",
    "cancelled": "cancel",
    "canceled": "cancel",
    "travelling": "traveling",
    "applicant": "candidate",
    "jan": "january",
    "feb": "february",
    "apr": "april",
    "jun": "june",
    "jul": "july",
    "aug": "august",
    "sep": "september",
    "sept": "september",
    "oct": "october",
    "nov": "november",
    "dec": "december",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
    "eleven": "11",
    "twelve": "12",
    "1st": "first",
    "2nd": "second",
    "3rd": "third",
    "4th": "fourth",
}
"""By the word without its ending: each for all its likes. Only words that are the same in a question of business."""

BUSINESS: Final = _set(
    """
    accrual amortization appraisal backlog calibration charger checklist confidentiality creditor debtor deductible
    depreciation dividend extinguisher firmware guideline indemnity intranet invoice login mileage offboarding
    onboarding pallet paternity payable probationary projector quotation receivable refund refundable reimbursable
    reimburse reimbursement roadmap severance stakeholder subcontractor surcharge timesheet username voicemail
    voucher warranty
    """
)
"""Words of questions that the packaged model's vocabulary does not have whole."""
