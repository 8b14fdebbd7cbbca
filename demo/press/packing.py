"""Office files are zip archives that carry the moment of writing; here they are packed without it."""

from __future__ import annotations

import io
import zipfile
from typing import Final

ZIP_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


def without_clock(packed: bytes) -> bytes:
    """The same archive, its members dated alike."""
    rewritten = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed)) as old, zipfile.ZipFile(rewritten, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.infolist():
            entry = zipfile.ZipInfo(member.filename, ZIP_EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(entry, old.read(member))
    return rewritten.getvalue()
