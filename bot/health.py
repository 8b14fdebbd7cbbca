"""Is the program alive, and is it ready: for operators and for what restarts it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from aiohttp import web

from rag.bootstrap.engine import Engine
from rag.errors import FootnoteError, IndexMissing


class Health:
    """What each component says of itself. Names and counts only, nothing of what was asked."""

    def __init__(self, engine: Engine, *, is_connected: Callable[[], bool]) -> None:
        self._engine = engine
        self._is_connected = is_connected

    def routes(self) -> list[web.RouteDef]:
        """What to mount: /healthz answers while the program runs, /readyz only while it can answer questions."""
        return [web.get("/healthz", self._alive), web.get("/readyz", self._ready)]

    async def _alive(self, request: web.Request) -> web.Response:
        del request
        return web.json_response({"status": "alive"})

    async def _ready(self, request: web.Request) -> web.Response:
        del request
        report = await self.report()
        ready = report["slack"]["ok"] and report["index"]["ok"]
        return web.json_response({"status": "ready" if ready else "not ready", **report}, status=200 if ready else 503)

    async def report(self) -> Mapping[str, Any]:
        """By component: whether it is well, and what is known. A dead cache or model costs quality, not readiness."""
        engine = self._engine
        return {
            "slack": {"ok": self._is_connected()},
            "index": await self._index(),
            "embedding": {"model": engine.embedder.name, "backend": engine.backend},
            "cache": {"ok": engine.cache.is_healthy, "failures": engine.cache.failures},
            "llm": {
                "ok": engine.llm is None or not engine.llm.resting,
                "configured": engine.llm is not None,
                "failures": {} if engine.llm is None else dict(engine.llm.failures),
            },
            "counts": engine.counters.counts,
        }

    async def _index(self) -> Mapping[str, Any]:
        try:
            manifest = await self._engine.store.manifest()
        except IndexMissing as error:
            return {"ok": False, "reason": str(error)}
        except FootnoteError as error:
            return {"ok": False, "reason": type(error).__name__}
        return {
            "ok": manifest.embedder == self._engine.embedder.name,
            "generation": manifest.generation,
            "built_at": manifest.built_at.isoformat(),
            "corpora": {name: corpus.documents for name, corpus in manifest.corpora.items()},
        }
