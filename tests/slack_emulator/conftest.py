"""A running stand-in with one member in one channel, and the SDK's client for it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from tests.slack_emulator.clock import Timing
from tests.slack_emulator.server import SlackEmulator

ADA = "U0ADA"
GENERAL = "C0GENERAL"

IMPATIENT = Timing(ack=0.25, retries=(0.0, 0.05, 0.1))
"""For apps that are meant to be too slow; all others get Slack's own three seconds, however busy the machine is."""


@pytest.fixture
def timing() -> Timing:
    return Timing(retries=(0.0, 0.05, 0.1))


@pytest.fixture
async def slack(timing: Timing) -> AsyncIterator[SlackEmulator]:
    async with SlackEmulator(timing=timing) as emulator:
        emulator.add_user("ada", user_id=ADA, real_name="Ada Lovelace")
        emulator.add_channel("general", channel_id=GENERAL, members=[ADA])
        yield emulator


@pytest.fixture
def client(slack: SlackEmulator) -> AsyncWebClient:
    return AsyncWebClient(token=slack.bot_token, base_url=slack.api_url)
