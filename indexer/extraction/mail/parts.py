"""The parts of a MIME message, sorted into what is read as its body and what was attached."""

from __future__ import annotations

import binascii
from dataclasses import dataclass, field
from email.message import Message
from typing import Final, Self

from indexer.extraction.encoding import decoded
from indexer.extraction.mail.headers import in_words, shown_headers
from indexer.extraction.mail.message import MAX_DEPTH, Attachment, Mail

_MAX_PARTS: Final = 2_000
_SIGNATURES: Final = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"}
)
_PKCS7: Final = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_TNEF: Final = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})


@dataclass(slots=True)
class Parts:
    """What a message is made of."""

    plain: list[str] = field(default_factory=list[str])
    html: list[str] = field(default_factory=list[str])
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

    @property
    def text(self) -> str:
        """The plain body."""
        return "\n\n".join(self.plain)

    @property
    def page(self) -> str:
        """The formatted body."""
        return "<hr>".join(self.html)

    def _add(self, top: Message) -> None:
        waiting = [top]
        while waiting:
            part = waiting.pop()
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
                waiting.extend(reversed(_inside(part)))
            else:
                self._leaf(part, kind)

    def _enclose(self, part: Message) -> None:
        for message in _inside(part):
            subject = dict(shown_headers(message)).get("Subject") or "message"
            inner = mail_of(message, self.depth + 1) if self.depth < MAX_DEPTH else None
            self.attachments.append(Attachment(subject, mail=inner))

    def _leaf(self, part: Message, kind: str) -> None:
        name = in_words(part.get_filename() or "")
        is_attached = part.get_content_disposition() == "attachment" or bool(name)
        if kind in _SIGNATURES:
            return
        if kind in _TNEF or name.lower() == "winmail.dat":
            self.warnings.append("Outlook packed attachments into winmail.dat, which was left out.")
        elif kind == "text/plain" and not is_attached:
            self.plain.append(_text(part))
        elif kind == "text/html" and not is_attached:
            self.html.append(_text(part))
        elif not (kind.startswith("image/") and _is_decoration(part)):
            self.attachments.append(Attachment(name or f"part {self._count}{_suffix(kind)}", _content(part)))


def mail_of(message: Message, depth: int = 0) -> Mail:
    """A parsed message as a reader sees it."""
    parts = Parts.of(message, depth)
    return Mail(shown_headers(message), parts.text, parts.page, parts.attachments, parts.warnings)


def _inside(part: Message) -> list[Message]:
    payload = part.get_payload()
    return [child for child in payload if isinstance(child, Message)] if isinstance(payload, list) else []


def _is_sealed(part: Message) -> bool:
    return str(part.get_param("smime-type", "")).lower() not in ("signed-data", "certs-only")


def _is_decoration(part: Message) -> bool:
    """Whether a picture belongs to the layout of the body: logos of signatures, mostly."""
    return part.get_content_disposition() != "attachment" and (
        "Content-ID" in part or "Content-Location" in part or part.get_content_disposition() == "inline"
    )


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
