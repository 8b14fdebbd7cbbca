"""The installed app: its ids, its tokens and its secret."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Identity:
    """One app in one workspace."""

    team_id: str = "T0FOOTNOTE"
    team_name: str = "Footnote HQ"
    team_domain: str = "footnote-hq"
    app_id: str = "A0FOOTNOTE"
    bot_id: str = "B0FOOTNOTE"
    bot_user_id: str = "U0FOOTNOTE"
    bot_name: str = "footnote"
    bot_token: str = "xoxb-emulated-bot"
    app_token: str = "xapp-1-emulated-app"
    signing_secret: str = "emulated-signing-secret"
    verification_token: str = "emulated-verification"
