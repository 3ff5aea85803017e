"""Texts of a policy that show values: ``the time limit {job.time} is too long``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from celpy.evaluation import CELEvalError

from sbatchlint.policy.check_parts import near
from sbatchlint.policy.syntax import Fault
from sbatchlint.policy.types import SCALARS, STRING, list_of
from sbatchlint.policy.values import LONGEST
from sbatchlint.policy.variables import BY_NAME, THINGS, Thing
from sbatchlint.regex import regex

_VALUE = regex(r"\{([A-Za-z_]\w*)\.([A-Za-z_]\w*)\}")
"""Braces around anything else are braces: ``${HOME}``."""
_SHOWABLE = (*SCALARS, list_of(STRING))
_LONGEST_TEXT = 80
_MEMORY = (("T", 1024**4), ("G", 1024**3), ("M", 1024**2))


def message_faults(text: str) -> Iterator[Fault]:
    """Yield what is wrong with the values that *text* shows."""
    for match in _VALUE.finditer(text):
        thing = _thing(match[1])
        if thing is None:
            known = [name for name in BY_NAME if _thing(name) is not None]
            message = f"a message can't show a value of {match[1]!r}"
            yield Fault(message, *match.span(1), near(match[1], known))
            continue
        field = thing.get(match[2])
        shown = [one.name for one in thing.fields if one.shown and one.type in _SHOWABLE]
        if field is None:
            yield Fault(f"{thing.name} has no field {match[2]!r}", *match.span(2), near(match[2], shown))
        elif field.name not in shown:
            help = f"known here: {', '.join(shown)}"
            yield Fault(f"{thing.name}.{field.name} can't be shown in a message", *match.span(2), help)


def message_roots(text: str) -> frozenset[str]:
    """Return the variables of which *text* shows values."""
    return frozenset(match[1] for match in _VALUE.finditer(text))


def filled_in(text: str, variables: Mapping[str, Any]) -> str:
    """Return *text* with the values of *variables*."""
    return _VALUE.sub(lambda match: _shown(variables[match[1]][match[2]], match[2]), text)


def _thing(name: str) -> Thing | None:
    """Return the variable *name* if it has fields; a list has none of its own."""
    variable = BY_NAME.get(name)
    return None if variable is None else THINGS.get(variable.type.name)


def _shown(value: Any, field: str) -> str:
    if isinstance(value, CELEvalError):
        return "(not known)"
    if isinstance(value, timedelta):
        return _time(value)
    if isinstance(value, list):
        return _whole(", ".join(_shown(one, field) for one in value)) or "(none)"
    if field.startswith("memory") and isinstance(value, int):
        return next((f"{value // unit}{letter}" for letter, unit in _MEMORY if value % unit == 0), str(value))
    return _whole(str(value)) or "(none)"


def _whole(text: str) -> str:
    """Return *text* unless it is too long; a part of a secret would not be known for one, and be shown."""
    return text if len(text) <= _LONGEST_TEXT else f"(a text of {len(text)} characters)"


def _time(value: timedelta) -> str:
    """Return a span of time as Slurm writes it."""
    if value >= LONGEST:
        return "UNLIMITED"
    minutes, seconds = divmod(value.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    clock = f"{hours:02}:{minutes:02}:{seconds:02}"
    return f"{value.days}-{clock}" if value.days else clock
