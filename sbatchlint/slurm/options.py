"""The options that sbatch, srun and salloc take, for every release series that is known.

The facts stand in ``data/options.json``.  They were read from Slurm's own option table
(``src/common/slurm_opt.c``) in twelve release series, 19.05 to 26.05, and from Pyxis's ``args.c``.
Names are looked up as glibc's ``getopt_long`` does: an exact name wins, else a unique prefix.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import Enum
from functools import cache
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

from sbatchlint.records import dataclass

Release = tuple[int, int]
"""A release series, such as ``(24, 5)`` for 24.05."""

COMMANDS = ("sbatch", "srun", "salloc")

KNOWN_RELEASES: tuple[Release, ...] = (
    (19, 5),
    (20, 2),
    (20, 11),
    (21, 8),
    (22, 5),
    (23, 2),
    (23, 11),
    (24, 5),
    (24, 11),
    (25, 5),
    (25, 11),
    (26, 5),
)
"""The series that the table was made from, oldest first."""
SUPPORTED_RELEASES: tuple[Release, ...] = tuple(release for release in KNOWN_RELEASES if release >= (20, 11))
"""The series whose sbatch and srun are known altogether: they are asked where none is given."""


class Argument(Enum):
    """Whether an option takes a value."""

    NONE = "none"
    REQUIRED = "required"
    OPTIONAL = "optional"
    """Only glued to the name: ``--exclusive=user``, ``-koff``."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """How one command takes an option."""

    argument: Argument
    since: Release | None = None
    """First series that has it; None where the oldest known one does."""
    until: Release | None = None
    """Last series that has it; None where the newest known one does."""

    def in_release(self, release: Release | None) -> bool:
        """Tell whether *release* has the option; None stands for any release."""
        if release is None:
            return True
        return (self.since is None or release >= self.since) and (self.until is None or release <= self.until)


@dataclass(frozen=True, slots=True)
class Change:
    """From *release* on the option takes its argument in a new way; earlier as *before* says."""

    release: Release
    before: Argument


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option.  ``long`` is its canonical name, without dashes, whatever spelling was written."""

    long: str
    short: str | None
    value: str = field(repr=False)
    """Name of the value's grammar (``node_count``, ``gres``...)."""
    help: str = field(repr=False)
    commands: Mapping[str, Acceptance] = field(repr=False, compare=False)
    plugin: str | None = None
    """``pyxis`` for an option that the Pyxis plugin adds; None for Slurm's own."""
    change: Change | None = field(default=None, repr=False)
    first_pass_only: bool = field(default=False, repr=False)
    """True where sbatch accepts the option in a directive and ignores it (``--help``, ``--wrap``)."""
    reset_by_component: bool = field(default=False, repr=False)
    """True where a component of a heterogeneous job does not inherit it from the one before."""

    def accepted(self, command: str, release: Release | None = None) -> bool:
        """Tell whether *command* of *release* (None: of any release) takes the option."""
        acceptance = self.commands.get(command)
        return acceptance is not None and acceptance.in_release(release)

    def argument(self, command: str, release: Release | None = None) -> Argument:
        """Return the argument kind; where it changed and no release is given, a value is optional."""
        acceptance = self.commands.get(command) or next(iter(self.commands.values()))
        if self.change is None:
            return acceptance.argument
        if release is None:
            return Argument.OPTIONAL
        return acceptance.argument if release >= self.change.release else self.change.before


@dataclass(frozen=True, slots=True)
class Match:
    """What a long name means: one option, or several that it may stand for, or none."""

    spec: OptionSpec | None
    possibilities: tuple[str, ...] = ()
    """The names that an ambiguous prefix could mean, without dashes, sorted."""


def parse_release(text: str | None) -> Release | None:
    """Read ``24.05``, ``24.05.3`` or ``24.5``; None stays None.

    Raises ValueError for anything else.
    """
    if text is None:
        return None
    year, _, rest = text.partition(".")
    return int(year), int(rest.partition(".")[0])


def spell_release(release: Release) -> str:
    """Write a release series as Slurm does: ``24.05``."""
    return f"{release[0]}.{release[1]:02d}"


class OptionTable:
    """All options, found by name.  Get the one table with :func:`option_table`."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        """Build the table from the rows of ``options.json``."""
        own = {row["long"]: _spec(row) for row in rows}
        aliases = {row["long"]: row["alias_of"] for row in rows if "alias_of" in row}
        self._own = own
        self._sorted = sorted(own)
        self._canonical = {name: own[aliases.get(name, name)] for name in own}
        self._specs = tuple(spec for name, spec in own.items() if name not in aliases)
        self._names: dict[tuple[str, Release | None], frozenset[str]] = {}

    def __iter__(self) -> Iterator[OptionSpec]:
        """Iterate over the options, aliases left out, in the order of their names."""
        return iter(self._specs)

    def get(self, name: str) -> OptionSpec:
        """Return the option of exactly this long name (or alias) of any command.

        Raises KeyError when there is none.
        """
        return self._canonical[name]

    def names(self, command: str, release: Release | None = None) -> frozenset[str]:
        """Return all long names, aliases too, that *command* of *release* (None: of any) takes."""
        key = (command, release)
        if key not in self._names:
            accepted = (name for name, spec in self._own.items() if spec.accepted(command, release))
            self._names[key] = frozenset(accepted)
        return self._names[key]

    def aliases(self, spec: OptionSpec) -> tuple[str, ...]:
        """Return the other long names of an option, sorted."""
        return tuple(
            sorted(name for name, one in self._canonical.items() if one is spec and name != spec.long)
        )

    def find_long(self, name: str, command: str, release: Release | None = None) -> Match:
        """Resolve a long name, whole or abbreviated, as *command* of *release* would.

        Without a release, an abbreviation is taken when it is unique in some known release (with or
        without Pyxis) and never means two things in different ones.
        """
        exact = self._own.get(name)
        if exact is not None and exact.accepted(command, release):
            return Match(self._canonical[name])
        releases = KNOWN_RELEASES if release is None else (release,)
        meanings: dict[str, OptionSpec] = {}
        names: set[str] = set()
        for candidates in (
            self._with_prefix(name, command, one, plugins) for one in releases for plugins in (True, False)
        ):
            distinct = {self._canonical[candidate].long for candidate in candidates}
            if len(distinct) == 1:
                spec = self._canonical[candidates[0]]
                meanings[spec.long] = spec
            names.update(candidates)
        if len(meanings) == 1:
            return Match(next(iter(meanings.values())))
        return Match(None, tuple(sorted(names)))

    def find_short(self, letter: str, command: str, release: Release | None = None) -> OptionSpec | None:
        """Return the option that *command* gives this letter, or None."""
        for spec in self._specs:
            if spec.short == letter and spec.accepted(command, release):
                return spec
        return None

    def _with_prefix(self, prefix: str, command: str, release: Release, plugins: bool) -> list[str]:
        first = bisect_left(self._sorted, prefix)
        alike = takewhile(lambda name: name.startswith(prefix), islice(self._sorted, first, None))
        return [
            name
            for name in alike
            if self._own[name].accepted(command, release) and (plugins or self._own[name].plugin is None)
        ]


@cache
def option_table() -> OptionTable:
    """Return the table, read once."""
    text = Path(__file__).with_name("data").joinpath("options.json").read_text(encoding="utf-8")
    return OptionTable(json.loads(text))


def _spec(row: Mapping[str, Any]) -> OptionSpec:
    change = row.get("changed")
    return OptionSpec(
        long=row["long"],
        short=row.get("short"),
        value=row["value"],
        help=row["help"],
        commands={name: _acceptance(row, entry) for name, entry in row["commands"].items()},
        plugin=row.get("plugin"),
        change=Change(_release(change["release"]), Argument(change["before"])) if change else None,
        first_pass_only=row.get("first_pass_only", False),
        reset_by_component=row.get("reset_by_component", False),
    )


def _acceptance(row: Mapping[str, Any], entry: Mapping[str, str]) -> Acceptance:
    return Acceptance(
        Argument(entry.get("argument", row["argument"])),
        parse_release(entry.get("since")),
        parse_release(entry.get("until")),
    )


def _release(text: str) -> Release:
    release = parse_release(text)
    assert release is not None
    return release
