"""The language models that the settings name, as one."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from decimal import Decimal

from rag.errors import ConfigurationError
from rag.llm.base import LLM
from rag.llm.fallback import FallbackLLM
from rag.llm.pricing import Price, PricedLLM
from rag.llm.stall import Patience, WatchedLLM
from rag.settings.engine import WritingSettings
from rag.settings.groups import ProviderSettings


@asynccontextmanager
async def open_llm(settings: WritingSettings) -> AsyncGenerator[FallbackLLM | None]:
    """All providers as one, or None where none is configured. Raises ConfigurationError."""
    endpoints = providers(settings)
    if not endpoints:
        yield None
        return
    from rag.llm.openai import OPENAI_URL, TEMPERATURE, OpenAILLM  # noqa: PLC0415  # about a second, which many do not need

    async with AsyncExitStack() as stack:
        llms: list[LLM] = []
        for provider in endpoints:
            client = OpenAILLM(
                name=provider.name,
                model=provider.model,
                api_key=None if provider.api_key is None else provider.api_key.get_secret_value(),
                base_url=OPENAI_URL if provider.base_url is None else str(provider.base_url),
                temperature=None if provider.reasoning else TEMPERATURE,
                limit_parameter="max_completion_tokens" if provider.reasoning else "max_tokens",
            )
            stack.push_async_callback(client.aclose)
            priced = PricedLLM(client, model=provider.model, overrides=_prices(settings))
            llms.append(WatchedLLM(priced, _patience(settings)))
        yield FallbackLLM(llms)


def providers(settings: WritingSettings) -> Sequence[ProviderSettings]:
    """The endpoints as they are tried, in order; none where answers are excerpts. Raises ConfigurationError."""
    if settings.llm_model is None:
        if settings.openai_api_key or settings.openai_base_url or settings.llm.fallbacks:
            raise ConfigurationError(
                "a language model's server or key is set, but LLM_MODEL is not: name the model, or unset "
                "OPENAI_API_KEY, OPENAI_BASE_URL and FOOTNOTE_LLM__FALLBACKS to answer with excerpts only"
            )
        return []
    if settings.openai_api_key is None and settings.openai_base_url is None:
        raise ConfigurationError(
            "LLM_MODEL is set, but neither OPENAI_API_KEY (for OpenAI) nor OPENAI_BASE_URL (for another server) is"
        )
    primary = ProviderSettings(
        name="primary",
        base_url=settings.openai_base_url,
        model=settings.llm_model,
        api_key=settings.openai_api_key,
        reasoning=settings.llm.reasoning,
    )
    return [primary, *settings.llm.fallbacks]


def _prices(settings: WritingSettings) -> dict[str, Price]:
    return {model: Price(Decimal(str(into)), Decimal(str(out))) for model, (into, out) in settings.llm.prices.items()}


def _patience(settings: WritingSettings) -> Patience:
    llm = settings.llm
    return Patience(first=llm.first_token_seconds, between=llm.silence_seconds, total=llm.total_seconds)
