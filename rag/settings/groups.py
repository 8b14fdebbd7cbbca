"""Settings that stand in groups: FOOTNOTE_GROUP__NAME."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, Field, HttpUrl, PositiveFloat, PositiveInt, SecretStr

Count: TypeAlias = Annotated[int, Field(ge=1, le=1_000_000)]
"""Beyond that a store takes no number."""
Weight: TypeAlias = Annotated[float, Field(gt=0, le=1_000_000)]


class EmbeddingSettings(BaseModel):
    """The model that texts are compared by."""

    model: str = Field(
        default="small",
        description="A profile: `small` (all-MiniLM-L6-v2, packaged, no torch; also called `minilm`), `base` "
        "(BAAI/bge-base-en-v1.5) or `multilingual` (intfloat/multilingual-e5-small); `minilm-fp32` (packaged); a "
        "folder that `python -m indexer convert` wrote (no torch); or the hub name or folder of any "
        "sentence-transformers model. All but those marked need torch: run `pip install -c constraints.txt "
        "'.[torch]'` in the folder of the source.",
    )
    backend: Literal["auto", "torch", "onnx", "openvino"] = Field(
        default="auto",
        description="What runs the model: `auto` takes the fastest that is installed and has files. `openvino` needs "
        "OpenVINO: run `pip install -c constraints.txt '.[openvino]'` in the folder of the source.",
    )
    query_prefix: str | None = Field(
        default=None,
        description="What the model is to read before a question, instead of what its card or its files say. It "
        "changes the index, and so does the next.",
    )
    document_prefix: str | None = Field(default=None, description="Likewise, before a passage.")
    batch_size: PositiveInt = Field(default=32, description="Texts that a sentence-transformers model reads at once.")


class StoreSettings(BaseModel):
    """Where the index is kept."""

    collection: str = Field(default="footnote", description="Name of the index on a Qdrant server.")


class ProviderSettings(BaseModel):
    """One OpenAI-compatible endpoint."""

    name: str
    base_url: HttpUrl | None = None
    model: str
    api_key: SecretStr | None = None
    reasoning: bool = False
    """It is one of OpenAI's reasoning models: they take no temperature, and the limit under another name."""


class LLMSettings(BaseModel):
    """How models that write are used."""

    fallbacks: list[ProviderSettings] = Field(
        default_factory=list[ProviderSettings],
        description="JSON list of further providers, tried in order when the first fails: "
        '`[{"name": …, "base_url": …, "model": …, "api_key": …}]`.',
    )
    reasoning: bool = Field(
        default=False,
        description="Whether LLM_MODEL is one of OpenAI's reasoning models (o3, gpt-5): they take no temperature, and "
        "the limit as max_completion_tokens. A fallback has its own key `reasoning`.",
    )
    first_token_seconds: PositiveFloat = Field(default=20.0, description="Silence allowed before the first token.")
    silence_seconds: PositiveFloat = Field(default=8.0, description="Silence allowed between two tokens.")
    total_seconds: PositiveFloat = Field(default=60.0, description="Time allowed for a whole answer.")
    max_tokens: PositiveInt = Field(default=800, description="Length allowed for an answer.")
    prices: dict[str, tuple[float, float]] = Field(
        default_factory=dict[str, tuple[float, float]],
        description="JSON object: model to USD a million tokens, in and out; wins over the built-in table.",
    )


class RetrievalSettings(BaseModel):
    """How passages are found."""

    mode: str = Field(
        default="hybrid+ranker",
        description="The retrieval mode, `base[+stage…]`. Bases: `dense`, `bm25`, `hybrid` (both, fused by rank), "
        "`fusion` (both, fused by score), `mmr` (dense, and not the same thing many times), `hierarchical` (needs an "
        "index made with `FOOTNOTE_CHUNKER=hierarchical`). Stages: `ranker` (learned, packaged), `queries` (other "
        "wordings of the question, by the language model), `cross` (a cross-encoder), `late` (MaxSim over the vectors "
        "of tokens).",
    )
    candidates: Count = Field(default=60, description="Passages that each of the two searches brings in.")
    passages: Count = Field(default=8, description="Passages that an answer is written from.")
    ranker: str = Field(
        default="",
        description="A file of weights for the ranker and for how likely passages answer, made by "
        "`python -m lab.training.ranker` for another embedding model than the packaged one. Empty: what ships.",
    )
    reranker: str = Field(
        default="",
        description="Hub name or folder of a sentence-transformers CrossEncoder, for the stage `cross`; needs "
        "torch: run `pip install -c constraints.txt '.[torch]'` in the folder of the source. Empty: that of the "
        "embedding model's profile, if it has one.",
    )
    rerank_pool: Count = Field(default=20, description="Candidates that the stages `cross` and `late` look at.")
    rrf_k: Count = Field(
        default=60,  # Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion", SIGIR 2009, sec. 3
        description="The constant k of reciprocal rank fusion: a passage scores 1 / (k + rank / weight) in each "
        "ranking. The lower, the more the first places count.",
    )
    weights: tuple[Weight, Weight] = Field(
        default=(1.0, 1.0),
        description="JSON list of two numbers: the weights of dense vectors and of BM25 when they are fused by rank.",
    )
    mmr_lambda: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="The base `mmr`: 1 asks for relevance alone, 0 for difference alone.",
    )
    queries: int = Field(
        default=3,
        ge=1,
        le=8,
        description="Other wordings of a question that the model writes at most, for the stage `queries`.",
    )
    query_seconds: PositiveFloat = Field(default=8.0, description="Time that the model may take for them.")


class AnswerSettings(BaseModel):
    """How answers are made."""

    context_chars: PositiveInt = Field(default=24_000, description="Characters of sources that a model is given.")
    excerpts: PositiveInt = Field(default=5, description="Passages quoted when no model writes.")
    cache_hours: float = Field(
        default=24.0,
        ge=0.001,  # a cache keeps whole seconds
        le=87_600,
        description="How long a finished answer may be given again.",
    )
