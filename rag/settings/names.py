"""The names of environment variables that a model of settings is filled from."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel
from pydantic.fields import FieldInfo

PREFIX: Final = "FOOTNOTE_"
SECRETS_DIR: Final = f"{PREFIX}SECRETS_DIR"
"""Names the folder in which secrets stand, each in a file of its name."""


def variable_of(name: str, field: FieldInfo, prefix: str = PREFIX) -> str:
    """The environment variable of one field of a model."""
    alias = field.validation_alias
    return alias if isinstance(alias, str) else f"{prefix}{name.upper()}"


def variables(model: type[BaseModel], prefix: str = PREFIX) -> dict[str, FieldInfo]:
    """Each environment variable that a model reads, and the field that it fills; those in groups one by one."""
    found: dict[str, FieldInfo] = {}
    for name, field in model.model_fields.items():
        variable = variable_of(name, field, prefix)
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            found |= variables(field.annotation, f"{variable}__")
        else:
            found[variable] = field
    return found
