"""The rules of the house that no type checker knows."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_type_hints

from indexer.chunking import CHUNKERS
from indexer.extraction import FORMATS
from indexer.settings import IndexerSettings
from rag.retrieval import BASES, LAST_STEP, STAGES
from rag.settings.groups import RetrievalSettings
from tests.indexer.chunking.rulers import SmallRuler
from tests.indexer.chunking.similarities import SharedWords
from tests.processes import ROOT

MODULES = sorted(path for package in ("rag", "indexer", "bot", "lab") for path in (ROOT / package).rglob("*.py"))


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def classes(folder: Path, method: str, *, but: frozenset[str]) -> Iterator[str]:
    """The public classes in a folder that have a method, ports and wrappers left out."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and node.name not in but:
                has = {item.name for item in node.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)}
                if method in has:
                    yield node.name


def test_imports_keep_to_the_floors_and_doors_of_the_house() -> None:
    done = subprocess.run(  # noqa: S603  # our own tool
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Contracts: " in done.stdout and " 0 broken" in done.stdout


def test_a_module_says_what_it_is() -> None:
    said = {relative(path): ast.get_docstring(tree(path)) or "" for path in MODULES}
    assert [
        path for path, docstring in said.items() if not docstring.partition("\n")[0].endswith((".", "?", "!"))
    ] == []


def test_the_environment_is_read_in_settings_alone() -> None:
    reading = {
        relative(path)
        for path in MODULES
        if path.name != "settings.py" and path != ROOT / "rag" / "settings" / "sources.py"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv", "environb"}
    }
    assert reading == set()


def test_all_data_files_go_into_the_package() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-data"]
    for package in ("rag", "indexer", "bot"):
        packed = {path for pattern in told.get(package, ()) for path in (ROOT / package).glob(pattern)}
        others = {path for path in (ROOT / package).rglob("*") if path.is_file() and path.suffix not in {".py", ".pyc"}}
        assert others <= packed


def test_a_prompt_stands_in_a_file_of_its_own() -> None:
    for path in MODULES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Message":
                for argument in [*node.args[1:], *(keyword.value for keyword in node.keywords)]:
                    assert not isinstance(argument, ast.JoinedStr), f"{relative(path)}:{argument.lineno}"
                    assert not (isinstance(argument, ast.Constant) and " " in str(argument.value)), relative(path)
    named = set(re.findall(r'(?:render|prompt_text)\(\s*"(\w+)"', "".join(path.read_text() for path in MODULES)))
    assert named == {path.stem for path in (ROOT / "rag" / "prompts").glob("*.md")}


def test_each_extractor_stands_in_its_table() -> None:
    found = set(classes(ROOT / "indexer" / "extraction" / "formats", "extract", but=frozenset()))
    assert found == {type(known.extractor).__name__ for known in FORMATS}
    kinds = [kind for known in FORMATS for kind in known.kinds]
    assert len(kinds) == len(set(kinds))


def test_each_chunker_stands_in_its_table_and_in_the_settings() -> None:
    found = set(classes(ROOT / "indexer" / "chunking", "cut", but=frozenset({"Chunker"})))
    assert found == {type(make(SmallRuler(), SharedWords())).__name__ for make in CHUNKERS.values()}
    annotation = IndexerSettings.model_fields["chunker"].annotation
    assert set(CHUNKERS) == set(getattr(annotation, "__args__", ()))


def test_each_base_and_stage_stands_in_its_table_and_in_the_settings() -> None:
    found = set(classes(ROOT / "rag" / "retrieval", "retrieve", but=frozenset({"Retriever", "Deduplicated"})))
    made = {
        (make if isinstance(make, type) else get_type_hints(make)["return"]).__name__
        for make in (*BASES.values(), *STAGES.values(), LAST_STEP)
    }
    assert found == made
    told = set(re.findall(r"`(\w+)`", RetrievalSettings.model_fields["mode"].description or ""))
    assert told >= BASES.keys() | STAGES.keys()


def test_a_class_has_a_name_that_no_other_has() -> None:
    places: dict[str, list[str]] = {}
    for path in MODULES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(relative(path))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_a_file_has_300_lines_at_most() -> None:
    lines = {relative(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {path: count for path, count in lines.items() if count > 300} == {}


def test_an_import_inside_a_function_says_why() -> None:
    unsaid: list[str] = []
    for path in MODULES:
        lines = path.read_text(encoding="utf-8").splitlines()
        functions = (node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        inside = {
            node.lineno for one in functions for node in ast.walk(one) if isinstance(node, ast.Import | ast.ImportFrom)
        }
        unsaid += [f"{relative(path)}:{line}" for line in inside if not re.search(r"PLC0415  # \w", lines[line - 1])]
    assert unsaid == []
