"""Beginning with sbatchlint in a repository that has findings already."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from sbatchlint.cli.console import Console
from sbatchlint.cli.inputs import STDIN
from sbatchlint.records import dataclass

if TYPE_CHECKING:
    from sbatchlint.adopt.baseline import Baseline
    from sbatchlint.adopt.revision import Since
    from sbatchlint.cli.checking import Checked
    from sbatchlint.lint.finding import Finding
    from sbatchlint.lint.job import Again, Job, Sieve

ADD_IGNORE = "--add-ignore"
Complain = Callable[[str, str], None]
"""Takes what is wrong and what to do about it."""


@dataclass
class Adoption:
    """What the command line says of findings that are known already, and the baselines that are in use."""

    console: Console
    write_to: str | None = None
    """Where a new baseline goes; no other is heeded then."""
    heeds_baseline: bool = True
    given: Baseline | None = None
    """The baseline of the command line, for all files."""
    since: Since | None = None
    reason: str | None = None
    """What the comments of ``--add-ignore`` say; None where none are to be written."""
    only_shows: bool = False
    """Whether nothing is to be written (``--diff``)."""
    time_limit: float = 0.0
    """Seconds that the comments of one file may take; 0 for as many as they like."""
    configured: dict[str, Baseline] = field(default_factory=dict)
    """The baselines of the configuration, by the path of the script."""
    _read: dict[str, Baseline | None] = field(default_factory=dict)
    _told: set[str] = field(default_factory=set)

    @property
    def adds_ignores(self) -> bool:
        """Whether comments are to be written that answer what is found."""
        return self.reason is not None

    @property
    def sieve(self) -> Sieve | None:
        """What holds known findings back; None where there is nothing to go by."""
        if self.given is None and self.since is None and not self.configured:
            return None
        return self._sift

    def use_baseline(self, script: str, baseline: str, complain: Complain | None = None) -> bool:
        """Heed the *baseline* that the configuration names for the file *script*, both paths.

        The command line goes before: with ``--baseline``, ``--no-baseline`` or ``--write-baseline`` nothing
        happens.  Call it before :attr:`sieve` is asked for.  False, and a complaint, where the baseline
        cannot be used; *complain* tells what has to do with the name of the file.
        """
        if self.given is not None or not self.heeds_baseline or self.write_to is not None:
            return True
        key = os.path.realpath(baseline)
        if key not in self._read:
            self._read[key] = _read(baseline, self.console, complain)
        read = self._read[key]
        if read is not None:
            self.configured[script] = read
        return read is not None

    def baselines(self) -> Sequence[Baseline]:
        """Return the baselines in use, each once."""
        used = [self.given] if self.given is not None else list(self.configured.values())
        return list({id(one): one for one in used}.values())

    def baseline_of(self, path: str) -> Baseline | None:
        """Return the baseline that is heeded for the file at *path*."""
        return self.given or self.configured.get(path)

    def _sift(self, job: Job, findings: Sequence[Finding], again: Again) -> Sequence[Finding]:
        baseline = self.baseline_of(job.source.path)
        if baseline is not None:
            from sbatchlint.report.mask import Mask

            findings = baseline.sift(job, findings, Mask.found_in)
        return findings if self.since is None else self._new(job, findings, again)

    def _new(self, job: Job, findings: Sequence[Finding], again: Again) -> Sequence[Finding]:
        from sbatchlint.adopt.git import GitError

        assert self.since is not None
        try:
            return self.since.sift(job, findings, again)
        except GitError as error:  # told once a file; nothing is held back then
            if job.source.path not in self._told:
                self._told.add(job.source.path)
                self.console.complain(job.source.path, f"not compared: {error}")
            return findings


def add_adoption(group: argparse._ArgumentGroup) -> None:
    """Add the options to *group*."""
    group.add_argument(
        "--write-baseline", metavar="FILE", help="write what is found to FILE, to be held back from now on"
    )
    group.add_argument("--baseline", metavar="FILE", help="hold back what FILE has; see --write-baseline")
    group.add_argument(
        "--no-baseline", action="store_true", help="hold nothing back, whatever the configuration says"
    )
    group.add_argument(
        "--diff-against",
        metavar="REV",
        help="show only what comes from the changes since the git revision REV (A...: since leaving A)",
    )
    group.add_argument(
        ADD_IGNORE,
        metavar="[=REASON]",
        help="write comments that answer what is found, with the REASON if one is given; --diff shows them",
    )


def glued_reason(arguments: Sequence[str]) -> list[str]:
    """Give ``--add-ignore`` without a reason an empty one: argparse would take the next path for it."""
    return [f"{ADD_IGNORE}=" if word == ADD_IGNORE else word for word in arguments]


def read_adoption(read: argparse.Namespace, console: Console) -> Adoption:
    """Return what was read; a complaint to *console* where it makes no sense or a file can't be used."""
    adoption = Adoption(
        console,
        write_to=read.write_baseline,
        heeds_baseline=not read.no_baseline,
        reason=read.add_ignore,
        only_shows=read.diff,
        time_limit=read.time_limit,
    )
    _complain_of_pairs(read, console)
    if adoption.reason is not None and not adoption.reason.isprintable():
        console.complain(ADD_IGNORE, "the reason has to fit on one line, without control characters")
    if read.baseline is not None and adoption.write_to is None:
        adoption.given = _read(read.baseline, console)
    if read.diff_against is not None:
        adoption.since = _since(read, console)
    return adoption


def adopt(adoption: Adoption, checked: Sequence[Checked], console: Console) -> Sequence[Checked]:
    """Write what the command line asks for, such as a baseline; return what is still to be shown."""
    if adoption.write_to is not None:
        from sbatchlint.cli.baselines import write_to

        return write_to(adoption.write_to, checked, console)
    if adoption.reason is not None:
        from sbatchlint.cli.ignores import write_ignores

        checked = write_ignores(adoption, checked, console)
    if adoption.baselines() and not console.failed:
        from sbatchlint.cli.baselines import tell_idle

        tell_idle(adoption, checked, console)
    return checked


def _complain_of_pairs(read: argparse.Namespace, console: Console) -> None:
    """Complain of options that say the opposite of each other."""
    for option, other, why in (
        ("write_baseline", "diff", "--diff writes nothing"),
        ("write_baseline", "diff_against", "a baseline holds everything that is found"),
        ("write_baseline", "add_ignore", "what is answered by a comment needs no baseline: one or the other"),
        ("baseline", "no_baseline", "the one asks for what the other forbids"),
    ):
        if getattr(read, option) is not None and getattr(read, other) not in (None, False):
            names = (f"--{name.replace('_', '-')}" for name in (option, other))
            console.complain(" and ".join(names), f"not together: {why}")


def _read(path: str, console: Console, complain: Complain | None = None) -> Baseline | None:
    from sbatchlint.adopt.baseline_file import BadBaseline, read_baseline

    complain = complain or (lambda message, advice: console.complain(path, f"{message}; {advice}"))
    try:
        return read_baseline(path)
    except FileNotFoundError:
        complain("no such baseline", "write it with --write-baseline, or check the path")
    except IsADirectoryError:
        complain("this is a folder and no baseline", "name the file in it")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        complain(f"the baseline cannot be read ({reason})", "check its permissions")
    except BadBaseline as error:
        console.complain(error.place, str(error))
    return None


def _since(read: argparse.Namespace, console: Console) -> Since | None:
    """Return the comparison with a revision; None, and a complaint, where one of the paths has none."""
    from sbatchlint.adopt.git import GitError
    from sbatchlint.adopt.revision import Since

    since = Since(read.diff_against, os.getcwd())
    paths = [read.stdin_filename if path == STDIN else path for path in read.paths]
    for path in paths:
        if path is None or not (os.path.lexists(path) or path == read.stdin_filename):
            continue  # nothing to compare with, or no such file, which is told when it is read
        try:
            since.check(path)
        except GitError as error:
            console.complain(f"--diff-against {read.diff_against}", f"{path}: {error}")
            return None
    return since
