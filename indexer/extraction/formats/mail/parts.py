"""The parts of a MIME message, sorted into what is read as its body and what was attached."""

from __future__ import annotations

import binascii
from dataclasses import dataclass, field
from email.message import Message
from typing import Final, Self

from indexer.extraction.characters.encoding import decoded
from indexer.extraction.formats.mail.body import BodyText, MailBody
from indexer.extraction.formats.mail.headers import in_words, shown_headers
from indexer.extraction.formats.mail.message import MAX_DEPTH, Attachment, Mail

_MAX_PARTS: Final = 2_000
_MAX_LEVELS: Final = 50
"""Of parts inside parts; what lies deeper is read as if it lay here."""
_TEXTS: Final = frozenset({"text/plain", "text/html"})
_SIGNATURES: Final = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"}
)
_PKCS7: Final = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_TNEF: Final = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})


@dataclass(slots=True)
class MessageParts:
    """What a message is made of."""

    body: MailBody = field(default_factory=MailBody)
    attachments: list[Attachment] = field(default_factory=list[Attachment])
    warnings: list[str] = field(default_factory=list[str])
    is_encrypted: bool = False
    depth: int = 0
    """How many messages this one lies inside of."""
    _count: int = 0

    @classmethod
    def of(cls, message: Message, depth: int = 0) -> Self:
        """The parts in their order; messages inside the message are attachments."""
        parts = cls(depth=depth)
        parts._add(message)
        return parts

    def mail(self, message: Message) -> Mail:
        """The message that was sorted, as a reader sees it."""
        return Mail(shown_headers(message), self.body, self.attachments, self.warnings)

    def _add(self, top: Message) -> None:
        waiting = [(top, self.body, 0)]
        while waiting:
            part, around, level = waiting.pop()
            self._count += 1
            if self._count > _MAX_PARTS:
                self.warnings.append(f"Only the first {_MAX_PARTS:,} parts of the message were read.")
                return
            kind = part.get_content_type()
            if kind == "multipart/encrypted" or (kind in _PKCS7 and _is_sealed(part)):
                self.is_encrypted = True
                self.warnings.append("A part of the message is encrypted and was left out.")
            elif kind == "message/rfc822" and part is not top:
                self._enclose(part)
            elif part.is_multipart():
                inner = around
                if level < _MAX_LEVELS:
                    inner = MailBody(is_choice=kind == "multipart/alternative")
                    around.inside.append(inner)
                waiting.extend((child, inner, level + 1) for child in reversed(_read_of(part, kind)))
            else:
                self._leaf(part, kind, around)

    def _enclose(self, part: Message) -> None:
        for message in _inside(part):
            subject = dict(shown_headers(message)).get("Subject") or "message"
            is_too_deep = self.depth >= MAX_DEPTH
            inner = None if is_too_deep else mail_of(message, self.depth + 1)
            self.attachments.append(Attachment(subject, mail=inner, is_too_deep=is_too_deep))

    def _leaf(self, part: Message, kind: str, around: MailBody) -> None:
        name = in_words(part.get_filename() or "")
        is_attached = part.get_content_disposition() == "attachment" or bool(name)
        if kind in _SIGNATURES:
            return
        if kind in _TNEF or name.lower() == "winmail.dat":
            self.warnings.append("Outlook packed attachments into winmail.dat, which was left out.")
        elif kind in _TEXTS and not is_attached:
            around.inside.append(BodyText(_text(part), is_html=kind == "text/html"))
        elif not (kind.startswith("image/") and _is_decoration(part)):
            self.attachments.append(Attachment(name or f"part {self._count}{_suffix(kind)}", _content(part)))


def mail_of(message: Message, depth: int = 0) -> Mail:
    """A parsed message as a reader sees it."""
    return MessageParts.of(message, depth).mail(message)


def _inside(part: Message) -> list[Message]:
    payload = part.get_payload()
    return [child for child in payload if isinstance(child, Message)] if isinstance(payload, list) else []


def _read_of(part: Message, kind: str) -> list[Message]:
    """The parts inside; of a page with what belongs to it (RFC 2387), texts that only the page itself calls up go."""
    inside = _inside(part)
    if kind != "multipart/related" or not inside:
        return inside
    start = part.get_param("start")
    root = next((child for child in inside if start and child.get("Content-ID") == start), inside[0])
    return [
        child for child in inside if child is root or not (child.get_content_type() in _TEXTS and _is_called(child))
    ]


def _is_sealed(part: Message) -> bool:
    return str(part.get_param("smime-type", "")).lower() not in ("signed-data", "certs-only")


def _is_decoration(part: Message) -> bool:
    """Whether a picture belongs to the layout of the body: logos of signatures, mostly."""
    return part.get_content_disposition() != "attachment" and (
        _is_called(part) or part.get_content_disposition() == "inline"
    )


def _is_called(part: Message) -> bool:
    """Whether it has a name for other parts to call it up by."""
    return "Content-ID" in part or "Content-Location" in part


def _suffix(kind: str) -> str:
    return {"text/plain": ".txt", "text/html": ".html", "text/markdown": ".md", "text/csv": ".csv"}.get(kind, "")


def _text(part: Message) -> str:
    charset = part.get_param("charset")
    return decoded(_content(part), declared=charset if isinstance(charset, str) else None)


def _content(part: Message) -> bytes:
    try:
        payload = part.get_payload(decode=True)
    except (binascii.Error, ValueError, LookupError):
        payload = None
    return payload if isinstance(payload, bytes) else b""
