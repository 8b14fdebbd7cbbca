"""Outlook's properties as a message."""

from __future__ import annotations

import re
from email import message_from_string
from email.utils import format_datetime
from typing import Final

from indexer.extraction.characters.encoding import decoded
from indexer.extraction.formats.mail.body import BodyText, MailBody
from indexer.extraction.formats.mail.headers import SHOWN, shown_headers
from indexer.extraction.formats.mail.message import MAX_DEPTH, Attachment, Mail
from indexer.extraction.formats.mail.msg_storage import Storage
from indexer.extraction.formats.markup.html import html_text

# Property ids of MS-OXPROPS
_CLASS: Final = 0x001A
_SUBJECT: Final = 0x0037
_SENT: Final = 0x0039
_DELIVERED: Final = 0x0E06
_TRANSPORT_HEADERS: Final = 0x007D
_SENDER_NAME: Final = 0x0C1A
_SENDER_ADDRESS: Final = 0x0C1F
_SENDER_SMTP: Final = 0x5D01
_REPRESENTED_NAME: Final = 0x0042
_DISPLAY_TO: Final = 0x0E04
_DISPLAY_CC: Final = 0x0E03
_BODY: Final = 0x1000
_RTF: Final = 0x1009
_HTML: Final = 0x1013
_CONTENT: Final = 0x3701
_NAME: Final = 0x3001
_SHORT_NAME: Final = 0x3704
_LONG_NAME: Final = 0x3707
_CONTENT_ID: Final = 0x3712
_HIDDEN: Final = 0x7FFE
_RECIPIENT_TYPE: Final = 0x0C15
_ADDRESS: Final = 0x3003
_SMTP: Final = 0x39FE
_TO, _CC = 1, 2
_CHARSET: Final = re.compile(rb"charset\s*=", re.IGNORECASE)
_HEAD_BYTES: Final = 4096
_PICTURES: Final = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".emz", ".wmz")


def mail_of(storage: Storage, depth: int = 0) -> Mail:
    """The message. Raises what olefile raises on damaged containers."""
    attachments: list[Attachment] = []
    warnings: list[str] = []
    for attached in storage.inside("__attach"):
        inner = attached.message(_CONTENT)
        name = attached.text(_LONG_NAME) or attached.text(_SHORT_NAME) or attached.text(_NAME) or "attachment"
        if inner is not None:
            is_too_deep = depth >= MAX_DEPTH
            mail = None if is_too_deep else mail_of(inner, depth + 1)
            attachments.append(Attachment(name, mail=mail, is_too_deep=is_too_deep))
        elif not _is_decoration(attached, name):
            attachments.append(Attachment(name, attached.binary(_CONTENT)))
    if "smime" in storage.text(_CLASS).lower():
        warnings.append("The message is signed or encrypted by S/MIME; what is inside was left out.")
    plain, page = storage.text(_BODY), _page(storage)
    if not plain.strip() and not page and storage.binary(_RTF):
        warnings.append("The message has its text in a form of Outlook's own only, which is not read.")
    body = MailBody([BodyText(plain), BodyText(page, is_html=True)] if page else [BodyText(plain)], is_choice=True)
    return Mail(_headers(storage), body, attachments, warnings)


def _page(storage: Storage) -> str:
    """The formatted body."""
    raw = storage.binary(_HTML)
    if not raw:
        return storage.text(_HTML)
    return html_text(raw) if _CHARSET.search(raw[:_HEAD_BYTES]) else decoded(raw, declared=storage.internet_code_page)


def _headers(storage: Storage) -> list[tuple[str, str]]:
    """Those that came with the message over the net, else what Outlook knows itself."""
    transported = storage.text(_TRANSPORT_HEADERS)
    known = dict(shown_headers(message_from_string(transported.lstrip()))) if transported else {}
    sent = storage.time(_SENT) or storage.time(_DELIVERED)
    own = {
        "From": _person(
            storage.text(_SENDER_NAME) or storage.text(_REPRESENTED_NAME),
            storage.text(_SENDER_SMTP) or storage.text(_SENDER_ADDRESS),
        ),
        "To": _people(storage, _TO) or storage.text(_DISPLAY_TO),
        "Cc": _people(storage, _CC) or storage.text(_DISPLAY_CC),
        "Date": format_datetime(sent) if sent is not None else "",
        "Subject": storage.text(_SUBJECT),
    }
    return [(name, (own["Subject"] if name == "Subject" else known.get(name)) or own[name]) for name in SHOWN]


def _people(storage: Storage, kind: int) -> str:
    return ", ".join(
        _person(recipient.text(_NAME), recipient.text(_SMTP) or recipient.text(_ADDRESS))
        for recipient in storage.inside("__recip")
        if recipient.integer(_RECIPIENT_TYPE) == kind
    )


def _person(name: str, address: str) -> str:
    """Name and address; addresses inside an Exchange server say nothing to a reader."""
    if "@" not in address:
        return name
    return f"{name} <{address}>" if name and name != address else address


def _is_decoration(attached: Storage, name: str) -> bool:
    """Whether it is a picture of the layout: logos of signatures, mostly."""
    return bool(attached.text(_CONTENT_ID)) and name.lower().endswith(_PICTURES)
