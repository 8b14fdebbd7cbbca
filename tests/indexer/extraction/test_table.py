"""The table of formats goes where files are read."""

from __future__ import annotations

import pickle

import pytest

from indexer.extraction import FORMATS
from indexer.extraction.base import Format


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: type(known.extractor).__name__)
def test_extractors_travel_to_worker_processes(known: Format):
    copy: Format = pickle.loads(pickle.dumps(known))  # noqa: S301  # our own bytes
    assert type(copy.extractor) is type(known.extractor)
