"""Slack's limits: how long a thing may be, and how often a method may be called."""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from tests.slack_emulator.clock import Clock, Timing
from tests.slack_emulator.errors import RateLimitedError

POSTED_TEXT_CHARS: Final = 40_000  # cut, not refused
UPDATED_TEXT_CHARS: Final = 4_000
MARKDOWN_CHARS: Final = 12_000  # a call's markdown_text, and all markdown blocks of a message together
TASK_TEXT_CHARS: Final = 256
MESSAGE_BLOCKS: Final = 50
VIEW_BLOCKS: Final = 100
SUGGESTED_PROMPTS: Final = 4
LOADING_MESSAGES: Final = 10
RESPONSE_URL_USES: Final = 5
SOCKETS: Final = 10


@dataclass(frozen=True, slots=True)
class Rate:
    """So many calls in so many minutes."""

    calls: int
    minutes: float = 1.0


TIER_2: Final = Rate(20)
TIER_3: Final = Rate(50)
TIER_4: Final = Rate(100)
GENEROUS: Final = Rate(600)  # "special" tiers: Slack speaks of hundreds a minute
POST_IN_ONE_CHANNEL: Final = Rate(5, minutes=5 / 60)  # one a second, with the short bursts that Slack allows

RATES: Final[Mapping[str, Rate]] = MappingProxyType(
    {
        "apps.connections.open": TIER_2,  # documented as one a minute and more; Slack is lenient with reconnections
        "assistant.threads.setStatus": GENEROUS,
        "assistant.threads.setSuggestedPrompts": GENEROUS,
        "assistant.threads.setTitle": GENEROUS,
        "auth.test": GENEROUS,
        "chat.appendStream": TIER_4,
        "chat.delete": TIER_3,
        "chat.getPermalink": GENEROUS,
        "chat.postEphemeral": TIER_4,
        "chat.postMessage": GENEROUS,
        "chat.startStream": TIER_2,
        "chat.stopStream": TIER_2,
        "chat.update": TIER_3,
        "conversations.history": TIER_3,
        "conversations.info": TIER_3,
        "conversations.members": TIER_4,
        "conversations.open": TIER_3,
        "conversations.replies": TIER_3,
        "files.completeUploadExternal": TIER_4,
        "files.getUploadURLExternal": TIER_4,
        "reactions.add": TIER_3,
        "reactions.remove": TIER_2,
        "users.info": TIER_4,
        "views.open": TIER_4,
        "views.publish": TIER_4,
        "views.update": TIER_4,
    }
)


class RateLimiter:
    """Counts calls over a sliding window."""

    def __init__(self, clock: Clock, timing: Timing) -> None:
        self._clock = clock
        self._timing = timing
        self._called: defaultdict[str, deque[float]] = defaultdict(deque[float])

    def check(self, method: str, channel: str = "") -> None:
        """Count a call; raise RateLimitedError, and do not count it, when it is one too many."""
        rates = {method: RATES[method]}
        if method == "chat.postMessage":
            rates[f"{method} {channel}"] = POST_IN_ONE_CHANNEL
        waits = [self._wait(key, rate) for key, rate in rates.items()]
        if any(waits):
            raise RateLimitedError(max(1, math.ceil(max(waits))))
        for key in rates:
            self._called[key].append(self._clock.now())

    def _wait(self, key: str, rate: Rate) -> float:
        """Seconds until one more call is allowed."""
        window = rate.minutes * self._timing.minute
        called, now = self._called[key], self._clock.now()
        while called and called[0] <= now - window:
            called.popleft()
        return called[0] + window - now if len(called) >= rate.calls else 0.0
