"""Delivery over HTTP: signed requests to the app's URL, as the Events API makes them."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from typing import Final
from urllib.parse import urlencode

import aiohttp

from tests.slack_emulator.clock import Timing
from tests.slack_emulator.delivery import Attempt, Envelope, EnvelopeKind
from tests.slack_emulator.identity import Identity
from tests.slack_emulator.payload import Json, mapping

_JSON: Final = "application/json"
_FORM: Final = "application/x-www-form-urlencoded"


class VerificationError(Exception):
    """The app's URL did not answer the challenge."""


def signature(secret: str, timestamp: int, body: str) -> str:
    """What Slack puts into x-slack-signature."""
    digest = hmac.new(secret.encode(), f"v0:{timestamp}:{body}".encode(), hashlib.sha256)
    return f"v0={digest.hexdigest()}"


class SignedHttp:
    """The app's request URL."""

    def __init__(self, url: str, identity: Identity, timing: Timing, session: aiohttp.ClientSession) -> None:
        self._url = url
        self._identity = identity
        self._timing = timing
        self._session = session

    async def verify(self) -> None:
        """The handshake before Slack accepts a URL; raise VerificationError when it fails."""
        challenge = hashlib.sha256(self._url.encode()).hexdigest()
        token = self._identity.verification_token
        body = json.dumps({"type": "url_verification", "token": token, "challenge": challenge})
        status, answer, _ = await self._post(body, _JSON, {})
        if status != 200 or challenge not in answer:
            raise VerificationError(f"{self._url} answered {status}: {answer[:200]}")

    async def send(self, envelope: Envelope, *, number: int, reason: str) -> Attempt:
        """Post the envelope and judge the answer."""
        retry = {"x-slack-retry-num": str(number), "x-slack-retry-reason": reason} if number else {}
        body, content_type = _body(envelope)
        try:
            status, answer, headers = await self._post(body, content_type, retry)
        except TimeoutError:
            return Attempt(acknowledged=False, reason="http_timeout")
        except aiohttp.ClientError:
            return Attempt(acknowledged=False, reason="connection_failed")
        if not 200 <= status < 300:
            return Attempt(acknowledged=False, reason="http_error", final=headers.get("x-slack-no-retry") == "1")
        return Attempt(acknowledged=True, response=_response(answer, headers.get("content-type", "")))

    async def _post(self, body: str, content_type: str, extra: dict[str, str]) -> tuple[int, str, dict[str, str]]:
        timestamp = int(time.time())  # real time: the app compares it with its own clock
        headers = {
            "content-type": content_type,
            "x-slack-request-timestamp": str(timestamp),
            "x-slack-signature": signature(self._identity.signing_secret, timestamp, body),
            **extra,
        }
        timeout = aiohttp.ClientTimeout(total=self._timing.ack)
        async with self._session.post(self._url, data=body.encode(), headers=headers, timeout=timeout) as response:
            found = {name.lower(): value for name, value in response.headers.items()}
            return response.status, await response.text(), found


def _body(envelope: Envelope) -> tuple[str, str]:
    """The request's body and its content type: events travel as JSON, all else as a form."""
    match envelope.kind:
        case EnvelopeKind.EVENT:
            return json.dumps(envelope.payload), _JSON
        case EnvelopeKind.SLASH_COMMAND:
            return urlencode(envelope.payload), _FORM
        case EnvelopeKind.INTERACTION:
            return urlencode({"payload": json.dumps(envelope.payload)}), _FORM


def _response(answer: str, content_type: str) -> Json | None:
    if not answer:
        return None
    return mapping(json.loads(answer)) if content_type.startswith(_JSON) else {"text": answer}
