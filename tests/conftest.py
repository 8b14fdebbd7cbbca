"""What holds for all tests."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("footnote", deadline=None)  # machines differ
settings.load_profile("footnote")
