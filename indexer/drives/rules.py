"""Which files of a drive are read, and which labels they carry besides their folders: patterns, as in .gitignore."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore import GitIgnorePatternError


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything is read, and nothing labelled, where nothing is said."""

    include: Sequence[str] = ()
    """Where any are given, only what one of them matches is read."""
    exclude: Sequence[str] = ()
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """Pattern to labels."""
    _include: GitIgnoreSpec = field(init=False, repr=False, compare=False)
    _exclude: GitIgnoreSpec = field(init=False, repr=False, compare=False)
    _labels: Sequence[tuple[GitIgnoreSpec, frozenset[str]]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Raises ValueError that names a pattern which cannot be understood."""
        object.__setattr__(self, "_include", _spec(self.include))
        object.__setattr__(self, "_exclude", _spec(self.exclude))
        labels = [(_spec([pattern]), frozenset(labels)) for pattern, labels in self.labels.items()]
        object.__setattr__(self, "_labels", labels)

    def admit(self, uri: str) -> bool:
        """Whether the file at this place is read."""
        return not self._exclude.match_file(uri) and (not self.include or self._include.match_file(uri))

    def admit_folder(self, uri: str) -> bool:
        """Whether anything below this folder may be read."""
        return not self._exclude.match_file(f"{uri}/")

    def labels_of(self, uri: str) -> frozenset[str]:
        """The labels of the file at this place, its folders' left out."""
        return frozenset().union(*(labels for spec, labels in self._labels if spec.match_file(uri)))


def _spec(patterns: Iterable[str]) -> GitIgnoreSpec:
    for pattern in patterns:
        try:
            says_something = all(part.include is not None for part in GitIgnoreSpec.from_lines([pattern]).patterns)
        except GitIgnorePatternError:
            says_something = False
        if not says_something:
            raise ValueError(f"{pattern!r} is no pattern that matches a file")
    return GitIgnoreSpec.from_lines(patterns)
