"""Every error that we raise on purpose.

FootnoteError
├── ConfigurationError      settings that cannot work; the program stops at start
├── EvaluationError         a set of questions, or a file of results, cannot be used
├── ExtractionError         this file cannot be read; it is recorded and the next one follows
├── StoreError              the vector store is unreachable or its schema is foreign
│   ├── StoreBusy           another indexer is writing
│   └── IndexMissing        nothing has been indexed yet
└── ProviderError           a model behind an API failed; the next provider is tried
    ├── ProviderStalled     silent, or talking, for longer than allowed
    ├── ProviderRefused     it will say no again until an operator acts
    │   └── RequestRefused  it is well but does not take this request
    └── NoProviderLeft      every provider failed; carries each one's error
"""

from __future__ import annotations

from collections.abc import Sequence

from rag.types.documents import Failure


class FootnoteError(Exception):
    """Root of our errors: caught at the edges only (a program's outermost loop, a conversation, a pipeline)."""


class ConfigurationError(FootnoteError):
    """A setting, or two together, cannot work. The message names them and the remedy."""


class EvaluationError(FootnoteError):
    """A set of questions, or a file of results, cannot be used. The message names the file, and the line if known."""


class ExtractionError(FootnoteError):
    """A file cannot be turned into pages."""

    def __init__(self, code: str, message: str, remedy: str) -> None:
        super().__init__(f"{message} {remedy}")
        self.failure = Failure(code, message, remedy)

    def __reduce__(self) -> tuple[type[ExtractionError], tuple[str, str, str]]:
        """It crosses a process border."""
        return ExtractionError, (self.failure.code, self.failure.message, self.failure.remedy)


class StoreError(FootnoteError):
    """The vector store is unreachable, or its collection was made by other settings."""


class StoreBusy(StoreError):  # noqa: N818  # reads as the fact that it is
    """Another indexer is writing to this store."""


class IndexMissing(StoreError):  # noqa: N818  # likewise
    """The store holds no complete index yet."""


class ProviderError(FootnoteError):
    """A model behind an API failed in a way that another provider may not."""

    def __init__(self, provider: str, reason: str) -> None:
        super().__init__(f"{provider}: {reason}")
        self.provider = provider
        self.reason = reason


class ProviderStalled(ProviderError):  # noqa: N818  # likewise
    """No token came for longer than the limit on silence, or the answer took longer than the limit in all."""


class ProviderRefused(ProviderError):  # noqa: N818  # likewise
    """The provider will say no again until an operator acts: a wrong key, an unknown model, an empty account."""


class RequestRefused(ProviderRefused):
    """The provider is well but does not take this request: too long a prompt, a filtered one."""


class NoProviderLeft(ProviderError):  # noqa: N818  # likewise
    """All providers of a fallback chain failed."""

    def __init__(self, failures: Sequence[ProviderError]) -> None:
        super().__init__("all providers", "; ".join(map(str, failures)))
        self.failures = tuple(failures)


def first_cause(error: BaseException) -> BaseException:
    """The exception that made a group of tasks end; of one that is no group, itself."""
    return first_cause(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error
