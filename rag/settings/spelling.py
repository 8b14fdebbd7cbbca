"""Names that are set and are no settings: misspelt ones, those that are gone, and those that nobody reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, get_origin

from rag.settings.engine import AnsweringSettings, EngineSettings
from rag.settings.names import PREFIX, SECRETS_DIR, variable_of, variables
from rag.settings.sources import files_in_folder, written, written_in_dotenv

GONE: Final[Mapping[str, str]] = {
    "FOOTNOTE_ANSWER__SEMANTIC_CACHE": "answers are given again to the same question only",
}
"""Settings that there were, and what holds now."""

_OF_TESTS: Final = f"{PREFIX}TEST_"
_OF_OTHER_TOOLS: Final = frozenset({"SLACK_API_TOKEN", "OPENAI_API_KEYS"})
"""Names near ours that other tools are known to read: Slack's first Python client, Open WebUI."""
_MISSPELT: Final = 0.9
"""Likeness (difflib's ratio) from which a name is taken for a misspelt one. Less may be no setting of ours at all:
Kubernetes sets FOOTNOTE_PORT and its like for a service called "footnote"."""
_MISSPELT_SHORT: Final = 0.885
"""Likewise for names without our prefix, which are shorter: two letters of LLM_MODEL or REDIS_URL exchanged are still
told, OPENAI_API_BASE_URL, which other tools read, is none of ours."""


@dataclass(frozen=True, slots=True)
class StrangeName:
    """A name that is set and is no setting."""

    name: str
    meant: str | None = None
    """The setting that it is a misspelling of."""

    @property
    def message(self) -> str:
        """What is wrong with it."""
        if self.meant is not None:
            return f"{self.name} is not a setting; did you mean {self.meant}?"
        if now := GONE.get(self.name.removesuffix("_FILE")):
            return f"{self.name} is a setting no more and changes nothing: {now}"
        return f"{self.name} is not a setting and changes nothing"


def strange_names(kind: type[EngineSettings]) -> Iterator[StrangeName]:
    """Those of the environment, of `.env` and of the folder of secrets, as far as they can be meant for us.

    That is each name with our prefix; of the prefixes that we share with other tools (`SLACK_`, `OPENAI_` …) each in
    `.env`, which is ours, and elsewhere what is a misspelling of a setting that is not set. Raises ConfigurationError,
    and OSError and UnicodeDecodeError where `.env` cannot be read.
    """
    said, in_dotenv = written(kind), written_in_dotenv(kind)
    files = files_in_folder(said)
    is_set = {form for name in (*said, *files) for form in (name, name.removesuffix("_FILE"))}
    known = _known(kind)
    shared = tuple({f"{name.partition('_')[0]}_" for name in known} - {PREFIX})
    entries = tuple(f"{name}__" for name in _tables(kind) | kind.foreign)
    for name in (*said, *files):
        plain = name.removesuffix("_FILE")
        if not known.isdisjoint((name, plain)) or name.startswith((_OF_TESTS, *entries)):
            continue
        if name.startswith(PREFIX):
            yield StrangeName(name, _meant(name, known, _MISSPELT))
        elif name.startswith(shared) and plain not in _OF_OTHER_TOOLS:
            meant = _meant(name, known, _MISSPELT_SHORT)
            if name in in_dotenv:
                with_prefix = f"{PREFIX}{plain}"
                yield StrangeName(name, with_prefix if with_prefix in known else meant)
            elif meant is not None and meant not in is_set:
                yield StrangeName(name, meant)


def _known(kind: type[EngineSettings]) -> AbstractSet[str]:
    """What may be set where programs share an environment: what any of them reads, and whole groups as JSON."""
    models = (AnsweringSettings, kind)
    groups = {variable_of(*item) for model in models for item in model.model_fields.items()}
    return {*groups, *(name for model in models for name in variables(model)), *kind.foreign, SECRETS_DIR}


def _tables(kind: type[EngineSettings]) -> AbstractSet[str]:
    """Settings whose entries may be set one by one."""
    fields = variables(AnsweringSettings) | variables(kind)
    return {name for name, field in fields.items() if get_origin(field.annotation) is dict}


def _meant(name: str, known: AbstractSet[str], cutoff: float) -> str | None:
    """The setting that a name resembles most: SLACK_BOT_TOKEN for FOOTNOTE_SLACK_BOT_TOKEN too."""
    plain = name.removesuffix("_FILE")
    bare = plain.removeprefix(PREFIX)
    alike = (match for tried in (name, plain) for match in get_close_matches(tried, sorted(known), cutoff=cutoff))
    return bare if bare in known else next(alike, None)
