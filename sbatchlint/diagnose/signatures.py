"""What logs say when something goes wrong, as data: ``data/signatures.json``, an entry for each.

An expression is in re2's language, so the time to look for all of them grows with the length of the log
alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache
from importlib.resources import files
from typing import Any

import re2  # type: ignore[import-untyped]

from sbatchlint.records import dataclass


class Kind(Enum):
    """What a line that matches says of the failure."""

    ROOT = "root"
    """It can be the cause."""
    CASCADE = "cascade"
    """It follows from something at another rank or node."""
    NOISE = "noise"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Signature:
    """One way in which a log tells of a failure."""

    id: str
    kind: Kind
    title: str
    """What happened, for a heading."""
    expression: str
    """In re2's language; it looks at one line and never across a line's end."""
    cause: str
    fix: str
    rules: tuple[str, ...]
    """Codes of the rules that see the cause in the script."""
    source: tuple[str, ...]
    """Where the text was seen: addresses, or ``well known``."""
    positive: str
    """A line that it matches."""
    negative: str
    """A line that looks alike and is none."""
    over: tuple[str, ...] = ()
    """Signatures that do not count on a line that this one matches."""
    echo_of: tuple[str, ...] = ()
    """Signatures that bring this one about: where one of them is seen before, it is no cause."""
    brings: tuple[str, ...] = ()
    """Of trouble that a script mostly goes on after: the signatures that it may bring about."""
    umbrella: bool = False
    """Whether it only says that something failed, so that whatever tells why goes before it."""
    authority: bool = False
    """Whether Slurm says so itself, which goes before what Python says at about the same time."""
    in_warnings: bool = False
    """Whether it counts in a line that calls itself a warning."""
    proof: bool = False
    """Whether it shows by itself that something of the job ended badly."""
    needs_proof: bool = False
    """Whether it counts only where something else shows that the job failed: many jobs go on behind it."""
    scope: str = "rank"
    """What is hit: a ``rank``, a ``node`` or the whole ``job``."""
    rank: int | None = None
    """The rank that writes it, where it can be one only."""
    suspect_rank: int | None = None
    """The rank to look at where nothing else is found."""
    exit: int | None = None
    """How the process ends, as Python tells it: an exit code, or minus the number of a signal."""


_LISTS = ("rules", "source", "over", "echo_of", "brings")


@cache
def signatures() -> Mapping[str, Signature]:
    """Return all signatures by id, in the order of the file."""
    text = files("sbatchlint.diagnose").joinpath("data/signatures.json").read_text("utf-8")
    return {entry["id"]: read_entry(entry) for entry in json.loads(text)["signatures"]}


def read_entry(entry: Mapping[str, Any]) -> Signature:
    """Return the signature that *entry* of the file describes.  Raises TypeError for a field it has not."""
    lists = {
        name: tuple(entry[name]) for name in ("rules", "source", "over", "echo_of", "brings") if name in entry
    }
    return Signature(**{**entry, **lists, "kind": Kind(entry["kind"])})


def compiled(expression: str) -> Any:
    """Return *expression* ready to search bytes, whatever their encoding.  Raises re2.error."""
    return re2.compile(expression.encode(), _options())


class Matcher:
    """Tells which of many expressions match a line, in one pass over it."""

    def __init__(self, expressions: Sequence[str]) -> None:
        self._set = re2.Set.SearchSet(_options())
        for expression in expressions:
            self._set.Add(expression.encode())
        self._set.Compile()

    def matches(self, line: bytes) -> list[int]:
        """Return the numbers of the expressions that match *line*, ascending."""
        return sorted(self._set.Match(line) or ())


@cache
def classifier() -> Classifier:
    """Return what tells the signatures of the file."""
    return Classifier()


class Classifier:
    """Tells which signatures a line carries, once those that another one stands over are left out."""

    def __init__(self, known: Sequence[Signature] | None = None) -> None:
        self._known = tuple(signatures().values() if known is None else known)
        self._matcher = Matcher([one.expression for one in self._known])

    def classify(self, line: bytes) -> tuple[Signature, ...]:
        """Return the signatures of *line*, in the order of the file."""
        found = [self._known[number] for number in self._matcher.matches(line)]
        below = {name for one in found for name in one.over}
        return tuple(one for one in found if one.id not in below)


def _options() -> Any:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.max_mem = 48 << 20  # a smaller one makes re2 throw its tables away and build them again
    options.log_errors = False
    return options
