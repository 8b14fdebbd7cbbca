"""Texts as people write them, of an invented company."""

from __future__ import annotations

from typing import Final

_FAMILY: Final = "👩\u200d👩\u200d👧\u200d👦"

LIKE_REAL_ONES: Final = {
    "English": (
        "Harbourlight Ltd. lends bicycles to its staff. Each bicycle has a number, e.g. HB-204, and a lock. Lost keys "
        "cost 12.50 euros, i.e. the price of a new lock. Dr. Okafor keeps the list; ask her by 5 p.m. on Fridays. "
        "“May I take it home?” Yes, you may! Bring it back on Monday … or call us.\n\n"
        "Repairs take three days. They are paid by the company, unless the damage was done on purpose. Helmets are "
        "lent, too. Nobody has to wear one, but everybody should. The workshop is closed in August. "
    )
    * 2,
    "German": (
        "Die Harbourlight GmbH verleiht Fahrräder, z. B. für den Weg zur Arbeit. Ein verlorener Schlüssel kostet ca. "
        "12,50 Euro. Vgl. Abs. 2 der Ordnung vom 3. Mai 2024. „Darf ich es mitnehmen?“ Ja! Fahrradversicherungs"
        "bedingungen gelten auch am Wochenende.\n\nÜber Ausnahmen entscheidet Frau Dr. Weiß. "
    )
    * 2,
    "Japanese": (
        "自転車は社員に貸し出されます。鍵をなくした場合は千円です。"
        "「家に持ち帰れますか？」はい！月曜日に返してください。"
    )
    * 4,
    "Arabic": "تُعير الشركة الدراجات لموظفيها. هل يمكنني أخذها إلى المنزل؟ نعم، يمكنك ذلك. أعدها يوم الاثنين. " * 6,
    "emoji": f"Well done {_FAMILY}! Flags: 🇩🇪🇯🇵🇧🇷. Thumbs 👍🏽👍🏿. Accents: e\u0301a\u0308. " * 3 + _FAMILY * 20,
    "code": "# Deploy\n\n```bash\n# not a heading\n" + "cp --archive source target  # copies\n" * 12 + "```\n\nDone.\n",
    "table": "## Rates\n\n| Grade | Rate per day | Travel class |\n|:---|---:|---|\n"
    + "".join(f"| {grade} | {grade * 10} EUR | second |\n" for grade in range(25)),
    "one word": "QmFzZTY0" * 150,
    "Thai": "สำนักงานปิดวันอาทิตย์ เปิดทำการวันจันทร์ถึงวันศุกร์ " * 12,
    "wrapped": "The lease begins on the first of May and ends after five years,\nunless the tenant gives notice before "
    "that. Rent is due on the\nfirst working day of each month.\n" * 6,
    "list": "Bring:\n\n- a passport\n- a photograph\n  of yourself\n1. Sign.\n2. Wait.\n" * 8,
}
