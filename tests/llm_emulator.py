"""An OpenAI-compatible server on the loopback interface that says what it is told: real HTTP, real streams."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import struct
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Self, TypeAlias

from aiohttp import web

from rag.llm.base import Message

RESET: Final = struct.pack("ii", 1, 0)
"""For SO_LINGER: closing the socket sends a reset and drops what was not sent."""
PIECE: Final = re.compile(r".{1,4}", re.DOTALL)
"""A token of English has about four characters; marks such as [S1] are cut by it, as they are by real models."""
SOURCE: Final = re.compile(
    r'<source-(?P<fence>\w+)(?=[^\n]*?\sid="S(?P<n>\d+)")(?:\s+\w+="[^"]*")*\s*>\s*(?P<text>.*?)\s*</source-(?P=fence)>',
    re.DOTALL,
)
ROLES: Final = frozenset({"system", "user", "assistant"})
SENTENCE: Final = re.compile(r".+?[.!?](?=\s|\Z)|.+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Thought:
    """A piece of reasoning, in the field in which this server sends it."""

    text: str
    field: str = "reasoning_content"


@dataclass(frozen=True, slots=True)
class Pause:
    seconds: float


@dataclass(frozen=True, slots=True)
class Stall:
    """Silence until the client leaves or the emulator stops."""


@dataclass(frozen=True, slots=True)
class Reset:
    """The connection is reset."""


@dataclass(frozen=True, slots=True)
class Raw:
    """One event of the stream, as it is: for what no well-behaved server sends."""

    data: str


@dataclass(frozen=True, slots=True)
class Cite:
    """The mark of the first source in the prompt that holds these words, in two pieces; [S99] if none does."""

    words: str


Step: TypeAlias = str | Thought | Pause | Stall | Reset | Raw | Cite


@dataclass(frozen=True, slots=True)
class Script:
    """One answer."""

    steps: Sequence[Step]
    finish: str | None = "stop"
    usage: bool = True
    pace: float = 0.0


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error instead of an answer."""

    status: int
    code: str | None = None
    param: str | None = None
    message: str = "told to refuse"


@dataclass(frozen=True, slots=True)
class Request:
    """What a client asked, without its key."""

    body: Mapping[str, Any]
    headers: Mapping[str, str]
    had_key: bool
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the client hangs up before the end."""

    @property
    def messages(self) -> tuple[Message, ...]:
        return tuple(Message(message["role"], message["content"]) for message in self.body["messages"])


class LLMEmulator:
    """Scripts are played in the order of asking, one a request; then `answer` is asked, where there is one."""

    def __init__(
        self,
        *,
        api_key: str | None = None,
        models: Collection[str] = (),
        answer: Callable[[Sequence[Message]], str] | None = None,
        instant: bool = False,
        pace: float = 0.0,
        port: int = 0,
    ) -> None:
        """Without `models` every model exists. `pace` are seconds after a piece; an instant answer is one piece."""
        self.requests: list[Request] = []
        self._api_key = api_key
        self._models = models
        self._answer = answer
        self._instant = instant
        self._pace = pace
        self._port = port
        self._queue: deque[Script | Refusal] = deque()
        self._stopping = asyncio.Event()
        application = web.Application()
        application.router.add_post("/v1/chat/completions", self._chat)
        self._runner = web.AppRunner(application, handler_cancellation=True, shutdown_timeout=1, access_log=None)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        await self._runner.cleanup()

    @property
    def base_url(self) -> str:
        host, port, *_ = self._runner.addresses[0]
        return f"http://{host}:{port}/v1"

    def script(self, *steps: Step, finish: str | None = "stop", usage: bool = True) -> None:
        """What the next request not yet scripted is answered. Without `finish` the stream just ends."""
        self._queue.append(Script(steps, finish, usage))

    def refuse(self, status: int, *, code: str | None = None, param: str | None = None) -> None:
        """How the next request not yet scripted is refused."""
        self._queue.append(Refusal(status, code, param))

    async def _chat(self, http: web.Request) -> web.StreamResponse:
        body = await http.json()
        headers = {name: value for name, value in http.headers.items() if name.lower() != "authorization"}
        asked = Request(body, headers, had_key="Authorization" in http.headers)
        self.requests.append(asked)
        reply = self._fault(http, body) or self._reply(asked)
        if isinstance(reply, Refusal):
            error = {"message": reply.message, "type": "error", "code": reply.code, "param": reply.param}
            return web.json_response({"error": error}, status=reply.status)
        try:
            return await self._play(http, asked, reply)
        except (asyncio.CancelledError, ConnectionError):
            asked.left.set()
            raise

    def _fault(self, http: web.Request, body: Mapping[str, Any]) -> Refusal | None:
        """What the real API would find wrong. It quotes the key that it was given, as careless gateways do."""
        given = http.headers.get("Authorization")
        model, messages = body.get("model"), body.get("messages") or []
        roles = {message.get("role") for message in messages}
        checks = [
            (
                self._api_key is not None and given != f"Bearer {self._api_key}",
                Refusal(401, "invalid_api_key", message=f"Incorrect API key provided: {given}"),
            ),
            (not model, Refusal(400, message="you must provide a model parameter")),
            (self._models and model not in self._models, Refusal(404, "model_not_found", message="no such model")),
            (not messages, Refusal(400, param="messages", message="there are no messages")),
            (not roles <= ROLES, Refusal(400, param="messages", message="a message has a role that does not exist")),
            (not body.get("stream"), Refusal(400, "unsupported_value", "stream", "the emulator only streams")),
        ]
        return next((refusal for is_wrong, refusal in checks if is_wrong), None)

    def _reply(self, asked: Request) -> Script | Refusal:
        if self._queue:
            return self._queue.popleft()
        if self._answer is None:
            return Refusal(500, message="the emulator was told nothing to say")
        text = self._answer(asked.messages)
        return Script([text] if self._instant else PIECE.findall(text), pace=self._pace)

    async def _play(self, http: web.Request, asked: Request, script: Script) -> web.StreamResponse:
        stream = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await stream.prepare(http)
        await _send(stream, asked, {"role": "assistant", "content": ""})
        for step in script.steps:
            match step:
                case str() | Cite():
                    await self._say(stream, asked, step)
                    await asyncio.sleep(script.pace)
                case Thought():
                    await _send(stream, asked, {step.field: step.text})
                case Raw():
                    await stream.write(f"data: {step.data}\n\n".encode())
                case Pause():
                    await asyncio.sleep(step.seconds)
                case Stall():
                    await self._stopping.wait()
                case Reset():
                    await self._reset(http)
        if script.finish is not None:
            await _send(stream, asked, {}, finish=script.finish)
            if script.usage and asked.body.get("stream_options", {}).get("include_usage"):
                await _send(stream, asked, None, usage=_usage(asked, script))
            await stream.write(b"data: [DONE]\n\n")
        return stream

    async def _say(self, stream: web.StreamResponse, asked: Request, step: str | Cite) -> None:
        said = [step] if isinstance(step, str) else ["[S", f"{_number_of(asked.messages, step.words)}]"]
        for piece in said:
            await _send(stream, asked, {"content": piece})

    async def _reset(self, http: web.Request) -> None:
        if http.transport is not None:
            await asyncio.sleep(0.01)  # so that what was sent before is read before the reset drops it
            http.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            http.transport.abort()
        await self._stopping.wait()


def answer_from_sources(messages: Sequence[Message]) -> str:
    """The first sentence of each of the first two sources in the prompt, cited, and word of who it is that answers."""
    prompt = "\n".join(message.content for message in messages)
    quotes = [f"{_first_sentence(found['text'])} [S{found['n']}]" for found in SOURCE.finditer(prompt)][:2]
    if not quotes:
        return "This is a stand-in for a language model, and it was given no sources to quote."
    return f"{' '.join(quotes)}\n\nA stand-in for a language model quoted these; it did not read the question."


def _number_of(messages: Sequence[Message], words: str) -> str:
    prompt = "\n".join(message.content for message in messages)
    return next((found["n"] for found in SOURCE.finditer(prompt) if words in " ".join(found["text"].split())), "99")


def _first_sentence(text: str) -> str:
    found = SENTENCE.match(text)
    return " ".join(found[0].split()) if found else ""


async def _send(
    stream: web.StreamResponse,
    asked: Request,
    delta: Mapping[str, str] | None,
    *,
    finish: str | None = None,
    usage: Mapping[str, int] | None = None,
) -> None:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    kind = "chat.completion.chunk"
    chunk = {"id": "chatcmpl-1", "object": kind, "created": 1, "model": asked.body["model"], "choices": choices}
    await stream.write(f"data: {json.dumps(chunk if usage is None else chunk | {'usage': usage})}\n\n".encode())


def _usage(asked: Request, script: Script) -> Mapping[str, int]:
    """Words stand for tokens."""
    prompt = sum(len(message.content.split()) for message in asked.messages)
    completion = len("".join(step for step in script.steps if isinstance(step, str)).split())
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
