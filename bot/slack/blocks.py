"""An Answer as Block Kit. Pure; blocks are plain dictionaries, as Slack takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Final, TypeAlias

from bot.conversation import Linker
from bot.places import place
from bot.slack import pages
from bot.slack.inline import safe_line
from bot.slack.mrkdwn import escape, link, safe_markdown
from rag.types.answers import Answer, Citation, Outcome

Block: TypeAlias = dict[str, Any]
Message: TypeAlias = list[Block]

BLOCKS: Final = 49
"""The most that we put into a message: Slack takes 50, and one is left for a button."""
SECTION_CHARS: Final = 3_000
EXCERPT_CHARS: Final = 280
NAME_CHARS: Final = 150
SUMMARY_CHARS: Final = 150
COPIES: Final = 3
"""Named of each source."""

TITLES: Final[Mapping[Outcome, str]] = {
    Outcome.EXCERPTS: "Excerpts from the documents, not a written answer",
}
CAUTIONS: Final[Mapping[Outcome, str]] = {
    Outcome.CAUTIOUS: ":warning: Treat this with caution: the documents support it only in part. Check the sources.",
    Outcome.EXCERPTS: ":warning: These passages are quoted as they stand; whether they answer is yours to judge.",
}
_WITHOUT_SOURCES: Final = frozenset({Outcome.DECLINED, Outcome.FAILED})


def render(answer: Answer, linker: Linker) -> list[Message]:
    """The whole answer in as few messages as it needs: title, text, notices, then the sources by number."""
    body = [*title(answer), *(markdown(page) for page in pages.pages(safe_markdown(answer.text)))]
    messages = _packed(body)
    for below in footer(answer, linker):
        if messages and fits(messages[-1], below):
            messages[-1] += below
        else:
            messages.append(below)
    return messages or [[markdown("(no text)")]]


def title(answer: Answer) -> Message:
    """What stands above the text when it is no answer."""
    text = TITLES.get(answer.outcome)
    return [] if text is None else [{"type": "header", "text": {"type": "plain_text", "text": text}}]


def footer(answer: Answer, linker: Linker) -> list[Message]:
    """What stands below the text: notices and sources. Nearly always one message's worth; none for nothing."""
    notes = [CAUTIONS[answer.outcome]] if answer.outcome in CAUTIONS else []
    notes += [escape(safe_line(notice.text)) for notice in answer.notices]
    blocks = [context(note) for note in notes]
    if answer.outcome not in _WITHOUT_SOURCES:
        # Excerpts quote every passage already: the list below them says only where each stands.
        blocks += _sources(answer.citations, linker, quoting=answer.outcome is not Outcome.EXCERPTS)
    return _packed(blocks)


def source(citation: Citation, url: str, *, quoting: bool = True) -> str:
    """One source in mrkdwn: number, file, place and excerpt; where a section has no room, the last are given up."""
    document = citation.chunk.document
    name = _shortened(PurePosixPath(document.uri).name or document.title, NAME_CHARS)
    number, where = f"*[{citation.number}]*", _where(citation)
    linked = f"{number} {link(url, name)}{where}"
    excerpt = escape(safe_line(_shortened(citation.excerpt, EXCERPT_CHARS))) if quoting else ""
    quoted = f"{linked}\n> {excerpt}" if excerpt else linked
    return next(text for text in (quoted, linked, f"{number} {link('', name)}{where}") if len(text) <= SECTION_CHARS)


def markdown(text: str) -> Block:
    """A block of Markdown that has been made safe."""
    return {"type": "markdown", "text": text}


def context(text: str) -> Block:
    """A small line of mrkdwn."""
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": text[:SECTION_CHARS], "verbatim": True}]}


def summary(text: str) -> str:
    """A short form of safe Markdown for the field that notifications show; never empty."""
    return escape(pages.split(text.strip(), room=SUMMARY_CHARS)[0]) or "Footnote"


def fits(message: Message, more: Message) -> bool:
    """Whether the message has room for more blocks."""
    together = [*message, *more]
    return len(together) <= BLOCKS and sum(len(text) for text in _texts(together)) <= pages.BUDGET


def _sources(citations: Sequence[Citation], linker: Linker, *, quoting: bool) -> list[Block]:
    """The sources by number, each on a line of its own; neighbours that open at the same page share a section."""
    sections: list[str] = []
    before: Citation | None = None
    for citation in citations:
        beside = before is not None and (not quoting or _page_of(before) == _page_of(citation))
        repeated = before is not None and beside and before.excerpt == citation.excerpt
        line = source(citation, linker.url(citation), quoting=quoting and not repeated)
        if beside and len(sections[-1]) + len(line) < SECTION_CHARS:
            sections[-1] += f"\n{line}"
        else:
            sections.append(line)
        before = citation
    return [_section(text) for text in sections]


def _page_of(citation: Citation) -> tuple[str, int]:
    return citation.chunk.document.id, citation.page


def _where(citation: Citation) -> str:
    """Where in the file, and where its copies lie."""
    where = escape(safe_line(_shortened(place(citation), NAME_CHARS)))
    copies = [escape(safe_line(_shortened(copy.uri, NAME_CHARS))) for copy in citation.also[:COPIES]]
    more = [f"{len(citation.also) - COPIES} more"] if len(citation.also) > COPIES else []
    return (where and f", {where}") + (f"\nalso in {', '.join([*copies, *more])}" if copies else "")


def _section(text: str) -> Block:
    # "verbatim" keeps Slack from making links of what merely looks like one.
    return {"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": True}}


def _shortened(text: str, limit: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else f"{flat[: limit - 1].rstrip()}…"


def _packed(blocks: Sequence[Block]) -> list[Message]:
    messages: list[Message] = []
    for block in blocks:
        if messages and fits(messages[-1], [block]):
            messages[-1].append(block)
        else:
            messages.append([block])
    return messages


def _texts(value: object) -> Iterator[str]:
    match value:
        case {"text": str(text)}:
            yield text
        case dict():
            for part in value.values():
                yield from _texts(part)
        case list():
            for part in value:
                yield from _texts(part)
        case _:
            pass
