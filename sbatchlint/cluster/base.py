"""What all models of the cluster profile share: kebab-case keys, nothing unknown, fixed values."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

from sbatchlint.cluster.units import UNLIMITED, Unlimited, minutes, show_minutes
from sbatchlint.toml.keys import kebab


class Model(BaseModel):
    """A table of the profile."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, alias_generator=kebab, populate_by_name=True, str_strip_whitespace=True
    )


def _read_minutes(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    read = minutes(value)
    if read is None:
        raise ValueError('not a time; write it as Slurm does: "2-00:00:00", "04:00:00" or "UNLIMITED"')
    return read


def _read_limit(value: Any) -> Any:
    return UNLIMITED if isinstance(value, str) and value.lower() == "unlimited" else value


def _upper(value: Any) -> Any:
    return value.upper() if isinstance(value, str) else value


Amount = Annotated[int, Field(ge=0, strict=True)]
Minutes = Annotated[
    Amount | Unlimited | None,
    BeforeValidator(_read_minutes),
    PlainSerializer(lambda value: None if value is None else show_minutes(value)),
]
"""A time limit: minutes, UNLIMITED, or None where it is not known."""
Most = Annotated[Amount | Unlimited | None, BeforeValidator(_read_limit)]
"""A greatest number: UNLIMITED where there is none, None where it is not known."""
Upper = BeforeValidator(_upper)
Text = Annotated[str, Field(min_length=1)]
