"""The environment variables that training programs read: what is known of one, and which one was meant.

The facts stand in ``data/env_vars.json``.  The list of names is there so that a slip can be told from a name
of somebody else's: it holds what NCCL, its plugins, PyTorch, Transformer Engine, the Hugging Face libraries,
uv, W&B, Triton, vLLM and CUDA read, in any release that was looked at.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from sbatchlint.records import dataclass
from sbatchlint.training.variables.slips import KnownNames


class Life(Enum):
    """What has become of a variable."""

    CURRENT = ""
    ALIAS = "alias"
    """An older name that is still read."""
    DEPRECATED = "deprecated"
    REMOVED = "removed"
    """New releases of its owner do not read it."""
    WITHOUT_EFFECT = "no-op"
    """Read, and nothing is done with it."""


class Form(Enum):
    """How a reader takes the text of a variable."""

    WORD = "word"
    """One of some words."""
    LIST = "list"
    """Words with commas between them, all of them behind one ``^`` perhaps."""
    TRUE_WORD = "true-word"
    """One of some words switches it on, anything else is off."""
    INTEGER = "integer"
    """A decimal number, or the reader fails."""
    STRTOLL = "strtoll"
    """C's ``strtoll`` with base 0: as much of the text as is a number, 0 where nothing is."""


@dataclass(frozen=True, slots=True)
class Values:
    """What a variable may be set to."""

    form: Form
    words: tuple[str, ...] = ()
    case: bool = False
    """True where a word has to be written exactly so."""
    numbers: bool = False
    """True where a number may stand for a word."""
    least: int | None = None
    most: int | None = None
    otherwise: str = ""
    """What happens with another value, for a message."""
    fails: bool = False
    """True where a program ends on another value, False where it goes on without."""


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable of the environment."""

    name: str
    owner: str
    """Who reads it: ``nccl``, ``pytorch``; empty where many do."""
    kind: str
    """``cache``, ``debug``, ``secret`` ...; ``undocumented`` where only sources tell of it."""
    scope: str = ""
    """``shared`` or ``node-local`` for a folder that nodes have to share or must not; else empty."""
    default: str = ""
    since: str = ""
    """The release of its owner that brought it."""
    life: Life = Life.CURRENT
    replacement: str = ""
    """The variable to use instead of one that is not current, where there is one."""
    life_since: str = ""
    """The release that brought the change: ``PyTorch 2.2``."""
    life_note: str = ""
    renamed: bool = False
    """True where the replacement takes the same values and does the same."""
    values: Values | None = None
    """What it takes; None where that is not known exactly."""
    nemo_image: str = ""
    """What the NeMo Framework image sets it to."""
    pyxis_ignores: bool = False
    """True where Pyxis does not take it from the job."""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Meant:
    """The variable that a name that nobody reads stands for."""

    name: str
    by_table: bool
    """True where people are known to confuse the two, False for a slip of the pen."""


@cache
def _data() -> dict[str, Any]:
    path = Path(__file__).parents[1] / "data" / "env_vars.json"
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


@cache
def _variables() -> Mapping[str, Variable]:
    return {row["name"]: _variable(row) for row in _data()["variables"]}


def _variable(row: Mapping[str, Any]) -> Variable:
    plain = {key: value for key, value in row.items() if key not in ("life", "values")}
    values = row.get("values")
    return Variable(
        **{"owner": "", **plain},
        life=Life(row.get("life", "")),
        values=None if values is None else _values(values),
    )


def _values(row: Mapping[str, Any]) -> Values:
    return Values(
        Form(row["form"]),
        tuple(row.get("words", ())),
        row.get("case", False),
        row.get("numbers", False),
        row.get("least"),
        row.get("most"),
        row.get("otherwise", ""),
        row.get("severity") == "error",
    )


def variable(name: str) -> Variable | None:
    """Return what is known of the variable *name*; None where no more than its name is known, or nothing."""
    return _variables().get(name)


def variables() -> tuple[Variable, ...]:
    """Return every variable of which more than the name is known."""
    return tuple(_variables().values())


@cache
def _current_names() -> frozenset[str]:
    """The names that a slip of the pen is compared with."""
    rows = (one.name for one in _variables().values() if one.kind not in ("build", "undocumented"))
    lines = (line for lines in _data()["names"].values() for line in lines)
    return frozenset((*rows, *(name for line in lines for name in line.split())))


@cache
def _current_shapes() -> KnownNames:
    return KnownNames(_current_names())


@cache
def _known_names() -> frozenset[str]:
    others = (name for line in _data()["other_names"] for name in line.split())
    return frozenset((*_current_names(), *_variables(), *others))


def is_known_variable(name: str) -> bool:
    """Tell whether some program reads *name*, or it belongs to a family that only its owner knows."""
    return name in _known_names() or name.startswith(tuple(_data()["owned"]))


@lru_cache(maxsize=4096)
def meant_variable(name: str) -> Meant | None:
    """Return the variable that *name* was meant to be; None where it is read, or nothing is near."""
    confused = _data()["meant"].get(name)
    if confused is not None:
        return Meant(confused, by_table=True)
    if is_known_variable(name):
        return None
    near = _current_shapes().near(name)
    return Meant(near[0], by_table=False) if len(near) == 1 else None


__all__ = [
    "Form",
    "Life",
    "Meant",
    "Values",
    "Variable",
    "is_known_variable",
    "meant_variable",
    "variable",
    "variables",
]
