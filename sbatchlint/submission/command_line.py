"""Reading the command line of sbatch as sbatch does: where the options end and the script begins.

Checked on Slurm 22.05.8: options stop at the first word that is none; a lone ``:`` there begins the options
of the next component of a heterogeneous job; with ``--wrap`` no script may follow.  What sbatch would refuse
is not mended here: :attr:`CommandLine.trouble` says that it can't be read, and sbatch has the last word.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import field

from sbatchlint.records import dataclass
from sbatchlint.slurm.getopt import Parsed, Problem, ProblemKind, Use, parse

_TELLS = frozenset(("help", "usage", "version", "autocomplete"))
"""Options with which sbatch says something and ends."""
_HELPED = frozenset(("gres", "mem-bind"))
"""Options with which sbatch lists their values and ends, where the value is ``help``."""
_SEPARATOR = ":"


@dataclass(frozen=True, slots=True)
class CommandLine:
    """The words behind ``sbatch``, parted."""

    options: tuple[str, ...]
    """All words before the script, those between components among them."""
    script: str | None = None
    """The script's name as it is written; None where sbatch reads standard input or a ``--wrap``."""
    arguments: tuple[str, ...] | None = ()
    """What follows the script's name; None where it is not sure what the script gets of it."""
    wrap: str | None = None
    chdir: str = ""
    """The folder that ``--chdir`` names; empty without that option."""
    tells: bool = False
    """Whether sbatch only says something: its help or its version."""
    test_only: bool = False
    """Whether nothing is submitted because of ``--test-only``."""
    trouble: str = ""
    """Why nothing can be said of what would be submitted; empty where it can."""

    def workplace(self, here: str) -> str:
        """Return the folder that the job starts in if no directive says another, *here* being the present."""
        return os.path.join(here, self.chdir) if self.chdir else here


def read_command_line(
    words: Sequence[str],
    release: str | None = None,
    site_options: Mapping[str, bool | None] | None = None,
) -> CommandLine:
    """Read *words* as sbatch of *release* (None: of any known one) would.

    *site_options* are the options that plugins of the site add: long names without dashes, and whether each
    takes a value (None: nobody knows).
    """
    return _Reader(words, release, site_options or {}).read()


@dataclass
class _Reader:
    words: Sequence[str]
    release: str | None
    site_options: Mapping[str, bool | None]
    uses: list[Use] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    def read(self) -> CommandLine:
        """Read the options of all components, then the script's name and its arguments."""
        end = self._component(0)
        while end < len(self.words) and self.words[end] == _SEPARATOR:
            end = self._component(end + 1)
        operands = self.words[end:]
        wrap = self._last("wrap")
        if operands and wrap is not None:
            self.troubles.append("sbatch takes no script beside --wrap")
        return CommandLine(
            options=tuple(self.words[:end]),
            script=operands[0] if operands else None,
            # sbatch 22.05 takes lone colons out of the arguments; what others do has not been seen.
            arguments=None if _SEPARATOR in operands else tuple(operands[1:]),
            wrap=wrap,
            chdir=self._last("chdir") or "",
            tells=any(map(_tells, self.uses)),
            test_only=any(use.spec.long == "test-only" for use in self.uses),
            trouble=self.troubles[0] if self.troubles else "",
        )

    def _component(self, start: int) -> int:
        """Read the options from word *start* on; return the index of the word that ends them."""
        while True:
            parsed = parse(self.words[start:], "sbatch", self.release)
            self.uses += parsed.uses
            for problem in parsed.problems:
                self._blame(problem)
            start += parsed.rest
            if not self._stopped_at_value(parsed):
                return min(start, len(self.words))
            start += 1

    def _blame(self, problem: Problem) -> None:
        """Note what keeps sbatch from reading on, as an option of the site's does not."""
        if problem.kind is not ProblemKind.UNKNOWN or problem.name.lstrip("-") not in self.site_options:
            self.troubles.append(f"{problem.name}: {problem.kind.value}")

    def _stopped_at_value(self, parsed: Parsed) -> bool:
        """Tell whether the word that ended the options is the value of one of the site's."""
        last = parsed.problems[-1] if parsed.problems else None
        if last is None or last.kind is not ProblemKind.UNKNOWN or last.word + 1 != parsed.rest:
            return False
        name = last.name.lstrip("-")
        if "=" in last.text or name not in self.site_options:
            return False
        takes_value = self.site_options[name]
        if takes_value is None:
            self.troubles.append(f"write {last.name}=VALUE: whether it takes the next word is not known")
        return takes_value is True

    def _last(self, name: str) -> str | None:
        return next((use.value for use in reversed(self.uses) if use.spec.long == name), None)


def _tells(use: Use) -> bool:
    return use.spec.long in _TELLS or (use.spec.long in _HELPED and use.value == "help")
