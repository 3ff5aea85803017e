"""The tables ``[[policy]]`` and ``[[exception]]`` of a configuration file."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, field_validator

from sbatchlint.toml.keys import kebab


def _one_or_many(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


def _only_a_day(value: Any) -> Any:
    if isinstance(value, datetime) or not isinstance(value, date):
        raise ValueError("a day is wanted here, without quotes: 2026-12-31")
    return value


class _Table(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        alias_generator=kebab,
        populate_by_name=True,
        use_attribute_docstrings=True,
    )


Text = Annotated[str, Field(min_length=1)]
_TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
_TEXTS: dict[str, Any] = {"type": "array", "items": _TEXT}
_ANY_NUMBER = WithJsonSchema({"anyOf": [_TEXT, _TEXTS]})
_ONE_OR_MANY = WithJsonSchema({"anyOf": [_TEXT, {**_TEXTS, "minItems": 1}]})
Scripts = Annotated[tuple[Text, ...], BeforeValidator(_one_or_many), _ANY_NUMBER]
"""One script or a list of them."""
Globs = Annotated[tuple[Text, ...], BeforeValidator(_one_or_many), Field(min_length=1), _ONE_OR_MANY]
# The patterns are for editors; the validators below say the same, and what is to be written.
Name = Annotated[str, Field(json_schema_extra={"pattern": "^[a-z][a-z0-9]*(-[a-z0-9]+)*$"})]
Address = Annotated[str, Field(json_schema_extra={"pattern": "^(https?://|$)"})]
Day = Annotated[date, BeforeValidator(_only_a_day)]


class Examples(_Table):
    """Scripts that a policy is tried on by ``sbatchlint policy test``."""

    good: Scripts = ()
    """Scripts that the policy has nothing against."""
    bad: Scripts = ()
    """Scripts that the policy reports."""


class PolicyTable(_Table):
    """One ``[[policy]]``: what a site wants of every job."""

    name: Name
    """The name of the rule that the policy becomes: lower case with hyphens."""
    when: Text | None = None
    """A CEL expression that says which jobs the policy is about; without it, all are meant."""
    require: Text
    """A CEL expression that is true of a job that is as it should be."""
    message: Text
    """What is wrong, in words; ``{job.time}`` stands for a value."""
    severity: Literal["error", "warning", "info"] = "error"
    """How much it counts."""
    help: str = ""
    """What to do about it; may hold values too."""
    docs: Address = ""
    """The address of a page that says more."""
    examples: Examples = Examples()
    """Good and bad scripts, which ``sbatchlint policy test`` runs."""

    @field_validator("name")
    @classmethod
    def _is_kebab(cls, name: str) -> str:
        parts = name.split("-")
        if not name[:1].isalpha() or not all(
            part.isascii() and part.isalnum() and part == part.lower() for part in parts
        ):
            raise ValueError(
                f"{name!r} is no name for a policy; write it in lower case with hyphens: require-account"
            )
        return name

    @field_validator("docs")
    @classmethod
    def _is_address(cls, docs: str) -> str:
        if docs and not docs.startswith(("https://", "http://")):
            raise ValueError("the address of a page is wanted here: https://...")
        return docs


class ExceptionTable(_Table):
    """One ``[[exception]]``: scripts that need not keep to a policy, for a while."""

    policy: Text
    """The name of the policy."""
    paths: Globs
    """The scripts, as globs that count from the folder of the file that says so."""
    owner: Text
    """Who answers for it."""
    reason: Text
    """Why it is needed."""
    expires: Day
    """The last day on which it holds."""
