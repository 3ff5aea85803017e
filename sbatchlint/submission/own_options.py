"""The options of ``submit`` itself, which stand before sbatch's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sbatchlint.records import dataclass
from sbatchlint.spelling import nearest

_PREFIX = "--lint-"
_FLAGS = {
    "--force": "force",
    "--lint-isolated": "isolated",
    "--lint-only": "only",
    "--lint-quiet": "quiet",
    "--lint-help": "help",
}
_CONFIG = "--lint-config"


class WrongUseError(Exception):
    """An option of ours that makes no sense; the message says what to do."""


@dataclass(frozen=True, slots=True)
class OwnOptions:
    """What the user wants of ``submit``."""

    force: bool = False
    """Whether errors keep nothing from being submitted."""
    config: str | None = None
    """The configuration file to read instead of those that would be found."""
    isolated: bool = False
    """Whether no configuration is read."""
    only: bool = False
    """Whether sbatch is never called."""
    quiet: bool = False
    """Whether only errors that stop the job are shown."""
    help: bool = False


def part(words: Sequence[str]) -> tuple[OwnOptions, list[str]]:
    """Return our options and what is sbatch's: every word from the first on that is none of ours.

    Raises WrongUseError.
    """
    own, index = OwnOptions(), 0
    while index < len(words):
        name, equals, value = words[index].partition("=")
        if name == _CONFIG:
            if not equals:
                index += 1
                value = words[index] if index < len(words) else ""
            if not value:
                raise WrongUseError(f"{_CONFIG} takes a file: {_CONFIG} FILE")
            own = replace(own, config=value)
        elif name in _FLAGS:
            if equals:
                raise WrongUseError(f"{name} takes no value")
            own = _with_flag(own, _FLAGS[name])
        elif name.startswith(_PREFIX):
            raise WrongUseError(f"no option {name}{_hint(name)}; --lint-help shows those that there are")
        else:
            break
        index += 1
    if own.isolated and own.config:
        raise WrongUseError(f"{_CONFIG} and --lint-isolated exclude each other; leave one out")
    return own, list(words[index:])


def _with_flag(own: OwnOptions, name: str) -> OwnOptions:
    given: dict[str, Any] = {name: True}
    return replace(own, **given)


def _hint(name: str) -> str:
    near = nearest(name, [*_FLAGS, _CONFIG])
    return f"; {near} is meant, perhaps" if near else ""
