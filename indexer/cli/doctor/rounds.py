"""The doctor's rounds: one check after the other, each finding told as soon as it is there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from indexer.cli.doctor.base import CheckResult
from indexer.cli.doctor.configuration import check_settings
from indexer.cli.doctor.extraction import check_extraction
from indexer.cli.doctor.machine import check_data_folder, check_disk, check_memory
from indexer.cli.doctor.models import check_cache, check_model, check_store
from indexer.cli.doctor.places import check_drives


async def examine() -> AsyncIterator[CheckResult]:
    """All findings. Where the settings cannot be read there is nothing more to be examined."""
    settings, answering, findings = check_settings()
    for finding in findings:
        yield finding
    if settings is None:
        return
    for check in (check_data_folder, check_disk, check_memory):
        yield await asyncio.to_thread(check, settings)
    model, finding = await check_model(settings)
    yield finding
    for finding in await check_store(settings, model):
        yield finding
    if answering is not None:
        yield await check_cache(answering)
    for finding in await check_drives(settings):
        yield finding
    for finding in await check_extraction(settings):
        yield finding
