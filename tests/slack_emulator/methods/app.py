"""auth.test and apps.connections.open: who the app is and where its sockets go."""

from __future__ import annotations

from tests.slack_emulator.arguments import Arguments
from tests.slack_emulator.backend import Backend
from tests.slack_emulator.payload import Json


def auth_test(backend: Backend, _arguments: Arguments) -> Json:
    """auth.test."""
    identity = backend.identity
    return {
        "url": f"https://{identity.team_domain}.slack.com/",
        "team": identity.team_name,
        "team_id": identity.team_id,
        "user": identity.bot_name,
        "user_id": identity.bot_user_id,
        "bot_id": identity.bot_id,
        "is_enterprise_install": False,
    }


def open_connection(backend: Backend, _arguments: Arguments) -> Json:
    """apps.connections.open: an address for one socket."""
    root = backend.root.replace("http://", "ws://", 1)
    return {"url": f"{root}/socket?ticket={backend.sockets.ticket()}&app_id={backend.identity.app_id}"}
