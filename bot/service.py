"""The bot as a service: engine, conversation, Slack and the bot's own server, started and stopped together."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from aiohttp import web

from bot.access import Scopes
from bot.conversation import Conversation, Linker
from bot.files import Files
from bot.health import Health
from bot.links import SignedLinks, Templates, link_secret
from bot.memory import ThreadMemory
from bot.settings import BotSettings
from bot.slack.gateway import SlackGateway
from rag.bootstrap.engine import Engine, open_engine
from rag.errors import ConfigurationError, IndexMissing

log = logging.getLogger(__name__)


async def serve(settings: BotSettings) -> None:
    """Answer in Slack until told to stop. Raises ConfigurationError, StoreError."""
    if settings.slack_bot_token is None:
        raise ConfigurationError(
            "SLACK_BOT_TOKEN is not set: install the app in your workspace (deploy/slack-manifest.yaml) and set it, or "
            "try the bot without Slack: `python -m bot chat`"
        )
    async with open_engine(settings) as engine:
        scopes = Scopes(settings.scopes_file)
        await _warn_of_unknown_labels(engine, scopes)
        await _warn_of_remote_drives(engine, settings)
        address = _free_address(settings)
        links = SignedLinks(
            base_url=str(settings.public_url or f"http://{address[0]}:{address[1]}"),
            secret=link_secret(_secret(settings), settings.data_dir),
            valid_seconds=settings.link_hours * 3600,
        )
        gateway = _gateway(settings, engine, scopes, Templates(settings.link_templates, links))
        files = Files(engine.store, links, settings.drive_roots)
        health = Health(engine, is_connected=lambda: gateway.connected)
        async with _server(address, [*files.routes(), *health.routes(), *gateway.routes()]):
            await gateway.start()
            try:
                await _told_to_stop()
            finally:
                log.info("stopping; running answers are finished first")
                await gateway.stop(settings.grace_seconds)


def _gateway(settings: BotSettings, engine: Engine, scopes: Scopes, linker: Linker) -> SlackGateway:
    if settings.slack_bot_token is None:
        raise AssertionError("checked before")
    app_token, signing_secret = settings.slack_app_token, settings.slack_signing_secret
    return SlackGateway(
        bot_token=settings.slack_bot_token.get_secret_value(),
        app_token=None if app_token is None else app_token.get_secret_value(),
        signing_secret=None if signing_secret is None else signing_secret.get_secret_value(),
        conversation=Conversation(engine.answerer, ThreadMemory(engine.cache), scopes),
        cache=engine.cache,
        linker=linker,
        api_url=str(settings.slack_api_url),
    )


@asynccontextmanager
async def _server(address: tuple[str, int], routes: Sequence[web.RouteDef]) -> AsyncGenerator[None]:
    app = web.Application()
    app.add_routes(routes)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    host, port = address
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        await runner.cleanup()
        raise ConfigurationError(
            f"the bot's own server cannot listen on {host}:{port} ({error.strerror}): set FOOTNOTE_HTTP_HOST and "
            "FOOTNOTE_HTTP_PORT to an address that is free"
        ) from error
    log.info("listening", extra={"host": host, "port": port})
    try:
        yield
    finally:
        await runner.cleanup()


def _free_address(settings: BotSettings) -> tuple[str, int]:
    """The address to listen on; a port of 0 is replaced by one that is free, since links name it."""
    if settings.http_port:
        return settings.http_host, settings.http_port
    with socket.socket() as probe:
        probe.bind((settings.http_host, 0))
        port: int = probe.getsockname()[1]
    return settings.http_host, port


async def _warn_of_unknown_labels(engine: Engine, scopes: Scopes) -> None:
    """A misspelt corpus in the scopes file would otherwise only be noticed by those who find nothing."""
    if scopes.path is None:
        log.warning("FOOTNOTE_SCOPES_FILE is not set: no channel may read anything")
        return
    try:
        known = (await engine.store.manifest()).corpora
    except IndexMissing:
        log.warning("nothing is indexed yet: run `python -m indexer index DRIVE`")
        return
    for label in sorted(scopes.labels):
        if label.split("/")[0] not in known and not label.startswith("@"):
            log.warning("the scopes file names a corpus that is not indexed", extra={"label": label})


async def _warn_of_remote_drives(engine: Engine, settings: BotSettings) -> None:
    """What lies on a server we cannot hand out: its links would lead to nothing."""
    try:
        corpora = (await engine.store.manifest()).corpora
    except IndexMissing:
        return
    for name, corpus in corpora.items():
        if "://" in corpus.root and name not in settings.link_templates and name not in settings.drive_roots:
            log.warning(
                "originals of a drive on a server cannot be opened: give its links in FOOTNOTE_LINK_TEMPLATES",
                extra={"corpus": name, "root": corpus.root},
            )


async def _told_to_stop() -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    await stopped.wait()


def _secret(settings: BotSettings) -> str | None:
    return None if settings.link_secret is None else settings.link_secret.get_secret_value()
