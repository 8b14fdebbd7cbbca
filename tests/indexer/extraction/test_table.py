"""Every extractor is in the table, and goes where files are read."""

from __future__ import annotations

import importlib
import inspect
import pickle
import pkgutil

import pytest

import indexer.extraction
from indexer.extraction import FORMATS
from indexer.extraction.base import Extractor, Format


def test_every_extractor_of_the_package_is_in_the_table():
    modules = [
        importlib.import_module(module.name)
        for module in pkgutil.walk_packages(indexer.extraction.__path__, f"{indexer.extraction.__name__}.")
    ]
    classes = {
        member
        for module in modules
        for _, member in inspect.getmembers(module, inspect.isclass)
        if member.__module__ == module.__name__ and hasattr(member, "extract") and member is not Extractor
    }
    assert classes == {type(known.extractor) for known in FORMATS}


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: type(known.extractor).__name__)
def test_extractors_travel_to_worker_processes(known: Format):
    copy: Format = pickle.loads(pickle.dumps(known))  # noqa: S301  # our own bytes
    assert type(copy.extractor) is type(known.extractor)
