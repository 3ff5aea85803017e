"""The options of one component with their values, as one release has them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from sbatchlint.slurm.grammar.base import Refused, Stage
from sbatchlint.slurm.option_use import OptionUse, Origin
from sbatchlint.slurm.option_values import read_value
from sbatchlint.slurm.options import Release
from sbatchlint.slurm.request import JobRequest

_T = TypeVar("_T")
_CHECKED_LATE = frozenset(
    {
        "gpus",
        "gpus-per-node",
        "gpus-per-socket",
        "gpus-per-task",
        "gres",
        "hint",
        "nodelist",
        "propagate",
        "tres-per-task",
    }
)
"""Options whose value sbatch looks at when all are read: one that is overridden may be wrong."""
_PLAIN_SWITCHES = "SBATCH_REQ_SWITCH"
"""The variable that takes only the number of ``--switches``; ``SBATCH_WAIT4SWITCH`` takes the time."""


class Settings:
    """What a component sets.

    Of several uses of an option the last counts.  An option whose last value cannot be read counts as
    not given; ``doubtful`` tells of it, so that nothing is concluded from its absence.
    """

    def __init__(self, request: JobRequest, release: Release) -> None:
        """Read all values of *request*, a single component."""
        self.request = request
        self.release = release
        self._read: list[object] = []
        self._asked: dict[Release, bool] = {}
        self._at_once: list[tuple[OptionUse, Refused]] = []
        self._late: dict[str, tuple[OptionUse, Refused]] = {}
        self._uses: dict[str, OptionUse] = {}
        self._values: dict[str, object] = {}
        self._unreadable: set[str] = set()
        for use in request.uses:
            if use.spec.first_pass_only and use.origin is not Origin.COMMAND_LINE:
                continue
            self._take(use)

    def _take(self, use: OptionUse) -> None:
        name = use.spec.long
        value = None if use.value is None else read_value(name, use.value, self.release)
        if use.variable == _PLAIN_SWITCHES and "@" in (use.value or ""):
            value = Refused(f'Invalid numeric value "{use.value}" for --switches.', "it takes a number alone")
        self._read.append(value)
        self._uses[name] = use
        self._late.pop(name, None)
        if isinstance(value, Refused):
            if name in _CHECKED_LATE or value.stage is not Stage.CLIENT:
                self._late[name] = (use, value)
            else:
                self._at_once.append((use, value))
            self._unreadable.add(name)
        else:
            self._values[name] = value
            self._unreadable.discard(name)

    def since(self, release: Release) -> bool:
        """Tell whether this is *release* or a later one: what holds for a release alone has to ask here."""
        self._asked[release] = self.release >= release
        return self._asked[release]

    def speaks_for(self, other: Settings) -> bool:
        """Tell whether what was concluded here holds for *other*, the same component in another release.

        It does where the same values are read and all that has been asked of the release has the same answer.
        """
        alike = all((other.release >= release) is answer for release, answer in self._asked.items())
        return alike and self._read == other._read

    @property
    def refusals(self) -> tuple[tuple[OptionUse, Refused], ...]:
        """The uses whose value Slurm refuses, overridden ones too where it looks at every value."""
        return (*self._at_once, *self._late.values())

    def use(self, name: str) -> OptionUse | None:
        """Return the use that counts, if its value can be read."""
        return None if name in self._unreadable else self._uses.get(name)

    def given(self, name: str) -> bool:
        """Tell whether the option is set to something that can be read."""
        return self.use(name) is not None

    def by_user(self, name: str) -> bool:
        """Tell whether a directive or the command line sets it: Slurm's "set by cli"."""
        use = self.use(name)
        return use is not None and use.origin is not Origin.ENVIRONMENT

    def by_environment(self, name: str) -> bool:
        """Tell whether a variable sets it, and nothing stronger."""
        use = self.use(name)
        return use is not None and use.origin is Origin.ENVIRONMENT

    def value(self, name: str, kind: type[_T]) -> _T | None:
        """Return the typed value if the option is given and its value is a *kind*."""
        if not self.given(name):
            return None
        value = self._values.get(name)
        return value if isinstance(value, kind) else None

    def integer(self, name: str) -> int | None:
        """Return the value of an option that takes a number."""
        return self.value(name, int)

    def doubtful(self, names: Iterable[str]) -> bool:
        """Tell whether one of the options is given with a value that cannot be read."""
        return not self._unreadable.isdisjoint(names)
