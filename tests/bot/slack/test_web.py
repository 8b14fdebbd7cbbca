from __future__ import annotations

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError

from bot.slack.web import REFUSALS, UNREACHABLE, Web, cause
from tests.slack_emulator.server import SlackEmulator


async def test_a_refusal_is_known_by_slacks_own_code(slack: SlackEmulator, web: Web):
    slack.fail_next("auth.test", error="invalid_auth")
    with pytest.raises(SlackApiError) as refused:
        await web.hasty.auth_test()
    assert cause(refused.value) == "invalid_auth"


async def test_a_rate_limit_is_told_to_the_hasty_and_waited_out_by_the_patient(slack: SlackEmulator, web: Web):
    slack.limit_next("auth.test", retry_after=0, times=2)
    with pytest.raises(SlackApiError) as refused:
        await web.hasty.auth_test()
    assert cause(refused.value) == "ratelimited"

    assert (await web.patient.auth_test())["ok"]
    assert [call.status for call in slack.calls_to("auth.test")] == [429, 429, 200]


async def test_a_call_whose_answer_was_lost_is_repeated_by_the_patient_alone(slack: SlackEmulator, web: Web):
    slack.lose_next_reply("auth.test", times=2)
    with pytest.raises(UNREACHABLE) as lost:
        await web.hasty.auth_test()
    assert cause(lost.value) == "ServerDisconnectedError"
    assert len(slack.calls_to("auth.test")) == 1

    assert (await web.patient.auth_test())["ok"]
    assert len(slack.calls_to("auth.test")) == 3


async def test_a_broken_server_is_asked_again_by_the_patient(slack: SlackEmulator, web: Web):
    slack.fail_next("auth.test", status=503)
    assert (await web.patient.auth_test())["ok"]
    assert [call.status for call in slack.calls_to("auth.test")] == [503, 200]


async def test_a_slack_that_is_not_there_and_one_that_is_too_slow_fail_alike(slack: SlackEmulator):
    with pytest.raises(REFUSALS):
        await Web.of("xoxb-1", base_url="http://127.0.0.1:9/api/").hasty.auth_test()
    slack.delay_next("auth.test", 5)
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=0.05)) as session:
        with pytest.raises(REFUSALS):
            await Web.of(slack.bot_token, base_url=slack.api_url, session=session).hasty.auth_test()
