"""What an interaction hands to the app for a while: trigger ids and response URLs; and the views opened with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from tests.slack_emulator.clock import Clock, Timing
from tests.slack_emulator.errors import SlackError
from tests.slack_emulator.limits import RESPONSE_URL_USES
from tests.slack_emulator.payload import Json


@dataclass(frozen=True, slots=True)
class Trigger:
    """The permission to open a view for the member who did something."""

    user: str
    issued_at: float
    used: bool = False


@dataclass(frozen=True, slots=True)
class ResponseUrl:
    """The permission to answer where something was done."""

    channel: str
    user: str
    issued_at: float
    message_ts: str | None = None
    """The message that was acted on."""
    thread_ts: str | None = None
    uses: int = 0


@dataclass(frozen=True, slots=True)
class View:
    """A modal or a home tab."""

    id: str
    user: str
    kind: Literal["modal", "home"]
    content: Json
    hash: str

    def payload(self, team_id: str) -> Json:
        """The view as the Web API shows it."""
        return {**self.content, "id": self.id, "team_id": team_id, "hash": self.hash, "state": {"values": {}}}


class Interactions:
    """Triggers and response URLs, each with its expiry."""

    def __init__(self, clock: Clock, timing: Timing, new_id: Callable[[str], str]) -> None:
        self._clock = clock
        self._timing = timing
        self._new_id = new_id
        self._triggers: dict[str, Trigger] = {}
        self._response_urls: dict[str, ResponseUrl] = {}
        self.views: dict[str, View] = {}

    def trigger(self, user: str) -> str:
        """A new trigger id."""
        trigger_id = self._new_id("trigger.")
        self._triggers[trigger_id] = Trigger(user, self._clock.now())
        return trigger_id

    def exchange(self, trigger_id: str) -> str:
        """The member behind a trigger id; raise SlackError when it is unknown, used or too old."""
        trigger = self._triggers.get(trigger_id)
        if trigger is None:
            raise SlackError("invalid_trigger_id")
        if trigger.used:
            raise SlackError("exchanged_trigger_id")
        if self._clock.now() >= trigger.issued_at + self._timing.trigger:
            raise SlackError("expired_trigger_id")
        self._triggers[trigger_id] = replace(trigger, used=True)
        return trigger.user

    def response_url(
        self, channel: str, user: str, *, message_ts: str | None, thread_ts: str | None
    ) -> tuple[str, ResponseUrl]:
        """A new response URL: its key, and what it permits."""
        key = self._new_id("R")
        permission = ResponseUrl(channel, user, self._clock.now(), message_ts, thread_ts)
        self._response_urls[key] = permission
        return key, permission

    def respond(self, key: str) -> ResponseUrl:
        """Use a response URL once; raise SlackError when it is unknown, used up or too old."""
        permission = self._response_urls.get(key)
        if permission is None:
            raise SlackError("no_such_url")
        if self._clock.now() >= permission.issued_at + self._timing.response_url:
            raise SlackError("expired_url")
        if permission.uses >= RESPONSE_URL_USES:
            raise SlackError("used_url")
        self._response_urls[key] = replace(permission, uses=permission.uses + 1)
        return permission

    def put_view(self, user: str, kind: Literal["modal", "home"], content: Json) -> View:
        """Show a new view; a member has one home tab."""
        known = next((view for view in self.views.values() if kind == view.kind == "home" and view.user == user), None)
        view = View(known.id if known else self._new_id("V"), user, kind, content, self._new_id("hash."))
        self.views[view.id] = view
        return view

    def replace_view(self, view: View, content: Json) -> View:
        """Show other content in an open view."""
        self.views[view.id] = replace(view, content=content, hash=self._new_id("hash."))
        return self.views[view.id]
