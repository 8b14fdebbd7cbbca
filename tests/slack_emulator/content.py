"""The content of a message as an app sends it, checked as Slack checks it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.slack_emulator.arguments import Arguments
from tests.slack_emulator.blockkit import check_blocks
from tests.slack_emulator.errors import SlackError
from tests.slack_emulator.limits import MARKDOWN_CHARS, POSTED_TEXT_CHARS, UPDATED_TEXT_CHARS
from tests.slack_emulator.message import Message
from tests.slack_emulator.payload import Json, objects

_ATTACHMENTS = 100


@dataclass(frozen=True, slots=True)
class Content:
    """What a call wants a message to say. None stands for "not mentioned"."""

    text: str | None
    markdown: str | None
    blocks: Sequence[Json] | None
    attachments: Sequence[Json] | None
    metadata: Json | None
    unfurls: bool
    link_names: bool

    def posted_as(self, message: Message) -> Message:
        """A new message with this content; text above Slack's limit is cut."""
        return replace(
            message,
            text=(self.text or "")[:POSTED_TEXT_CHARS],
            markdown=self.markdown or "",
            blocks=tuple(self.blocks or ()),
            attachments=tuple(self.attachments or ()),
            metadata=self.metadata,
            unfurls=self.unfurls,
            link_names=self.link_names,
        )

    def updating(self, message: Message, edited_ts: str) -> Message:
        """The message with this content in place of the old; blocks that are not mentioned stay."""
        if self.text is not None and len(self.text) > UPDATED_TEXT_CHARS:
            raise SlackError("msg_too_long")
        return replace(
            message,
            text=message.text if self.text is None else self.text,
            markdown=self.markdown or "",
            blocks=message.blocks if self.blocks is None else tuple(self.blocks),
            attachments=message.attachments if self.attachments is None else tuple(self.attachments),
            metadata=self.metadata or message.metadata,
            tasks=(),
            plan="",
            stream=None,
            link_names=self.link_names,
            edited_ts=edited_ts,
        )


def read_content(arguments: Arguments) -> Content:
    """A call's content; raise SlackError where Slack would refuse it in any message."""
    text = arguments.text("text") if "text" in arguments else None
    markdown = arguments.optional("markdown_text")
    blocks = arguments.objects("blocks", otherwise="invalid_blocks_format") if "blocks" in arguments else None
    attachments = arguments.objects("attachments") if "attachments" in arguments else None
    if not (text or markdown or blocks or attachments):
        raise SlackError("no_text")
    if markdown and (text or blocks):
        raise SlackError("markdown_text_conflict")
    if len(markdown or "") > MARKDOWN_CHARS:
        raise SlackError("msg_too_long")
    check_blocks(blocks or [])
    _check_attachments(attachments or [])
    links, media = (arguments.flag(name, default=True) for name in ("unfurl_links", "unfurl_media"))
    return Content(
        text=text,
        markdown=markdown,
        blocks=blocks,
        attachments=attachments,
        metadata=arguments.object("metadata") or None,
        unfurls=links or media,
        link_names=arguments.flag("link_names", default=False) or arguments.text("parse") == "full",
    )


def _check_attachments(attachments: list[Json]) -> None:
    if len(attachments) > _ATTACHMENTS:
        raise SlackError("too_many_attachments")
    for attachment in attachments:
        check_blocks(objects(attachment.get("blocks")))
