"""Settings of other programs that may stand in the same environment; made by `python -m deploy.settings`."""

from __future__ import annotations

from typing import Final

FOREIGN_SETTINGS: Final = frozenset(
    {
        "FOOTNOTE_DRIVE_ROOTS",
        "FOOTNOTE_GRACE_SECONDS",
        "FOOTNOTE_HTTP_HOST",
        "FOOTNOTE_HTTP_PORT",
        "FOOTNOTE_LINK_HOURS",
        "FOOTNOTE_LINK_SECRET",
        "FOOTNOTE_LINK_TEMPLATES",
        "FOOTNOTE_PUBLIC_URL",
        "FOOTNOTE_SCOPES_FILE",
        "FOOTNOTE_SLACK_API_URL",
        "SLACK_APP_TOKEN",
        "SLACK_BOT_TOKEN",
        "SLACK_SIGNING_SECRET",
    }
)
