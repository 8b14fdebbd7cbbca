"""What the page of results is made of: one file a section, in the order of their names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from lab.evaluation.results import Result, read_results, read_text
from rag.errors import EvaluationError

RUNS: Final = "runs"
"""The folder of what `run --out` wrote."""
Part: TypeAlias = Literal["figures", "declining", "curve", "latency", "index"]


class Other(BaseModel):
    """What somebody else's program reached on a set: stands beside our ways, without an interval."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    set: str
    name: str
    metrics: dict[str, float]


class FigureTable(BaseModel):
    """Figures that no run of ours gives, as they are to be shown."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    columns: list[str]
    rows: list[list[str | int | float]]

    @model_validator(mode="after")
    def _is_even(self) -> Self:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"each row has to have {len(self.columns)} cells, as many as there are columns")
        return self


class PageSection(BaseModel):
    """A section of the page, as its file says it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    note: str = ""
    """Markdown, under the title."""
    command: str = ""
    """What makes the figures."""
    runs: list[str] = []
    """Files in the folder `runs`."""
    show: list[Part] = ["figures"]
    """What of them, in this order."""
    sets: list[str] = []
    """Only these, in this order; all when empty. So with the next two."""
    modes: list[str] = []
    metrics: list[str] = []
    others: list[Other] = []
    tables: list[FigureTable] = []
    after: str = ""
    """Markdown, at the end."""


def sections(folder: Path) -> Sequence[PageSection | str]:
    """Those of a folder: `.json` files are sections, `.md` files are texts as they stand. Raises EvaluationError."""
    files = sorted(file for file in folder.glob("*") if file.suffix in {".json", ".md"})
    if not files:
        raise EvaluationError(f"{folder}: no file there ends in .json or .md: nothing to report")
    return [_text(file) if file.suffix == ".md" else _section(file) for file in files]


def results_of(section: PageSection, folder: Path) -> list[Result]:
    """What its runs gave, of the sets and ways that it names, in that order. Raises EvaluationError."""
    found = [result for name in section.runs for result in read_results(folder / RUNS / name)]
    found = [result for result in found if not section.modes or result.mode in section.modes]
    found = [result for result in found if not section.sets or result.set in section.sets]
    sets, modes = section.sets or _names(found, "set"), section.modes or _names(found, "mode")
    return sorted(found, key=lambda result: (sets.index(result.set), modes.index(result.mode)))


def _names(results: Sequence[Result], field: Literal["set", "mode"]) -> list[str]:
    """In the order in which they come."""
    return list(dict.fromkeys(result.set if field == "set" else result.mode for result in results))


def _text(file: Path) -> str:
    return read_text(file).strip()


def _section(file: Path) -> PageSection:
    try:
        return PageSection.model_validate_json(read_text(file))
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(map(str, problem["loc"])) or "it"
        raise EvaluationError(f"{file}: no section of the page: {place}: {problem['msg']}") from None
