"""``sbatchlint submit``: lint what would be submitted, show it, and hand it to sbatch."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sbatchlint.cli.console import Console, write
from sbatchlint.cli.status import FAILURE, FINDINGS, OK
from sbatchlint.submission.own_options import OwnOptions, WrongUseError, part

if TYPE_CHECKING:
    from sbatchlint.cli.examining import Examined

_HELP = """\
usage: sbatchlint submit [OPTIONS] [SBATCH_OPTIONS] [SCRIPT [ARGUMENTS]]

Lint the job as it would be submitted, show its plan in three lines, and run sbatch
with the same words.  Errors stop it; on a terminal you are asked.

options, which stand before sbatch's own:
  --force             submit whatever is found
  --lint-only         never call sbatch; 0 no errors, 1 errors, 2 not checked
  --lint-quiet        show errors alone, no plan, warnings or notes
  --lint-config FILE  the configuration to use instead of the one that would be found
  --lint-isolated     read no configuration
  --lint-help         show this; --help shows sbatch's own options

exit status: 1 where errors stopped it, 2 where sbatch can't be run, else sbatch's own
$SBATCHLINT_SBATCH names the sbatch to use where the one on PATH is not it.
"""
_QUESTION = "submit all the same? [y/N] "


def run(arguments: Sequence[str]) -> int:
    """Submit what *arguments* name; return the exit status where sbatch was not called."""
    console = _SteadyConsole()
    try:
        own, words = part(arguments)
    except WrongUseError as error:
        console.complain("submit", str(error))
        return FAILURE
    if own.help:
        write(sys.stdout, _HELP)
        return OK
    console.quiet = own.quiet
    return _lint_only(words, own, console) if own.only else _submit(words, own, console)


class _SteadyConsole(Console):
    """Goes on where standard error cannot be written, be it full or its reader gone: sbatch needs none."""

    def show(self, text: str) -> None:
        """Show *text*, which brings its line ends, however quiet it is to be."""
        self._write(text)

    def _write(self, text: str) -> None:
        try:
            super()._write(text)
        except OSError:
            # What is left in the buffer must not fail at the end either; the open file stays for sbatch.
            self._unwritable = sys.stderr
            sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until the process ends


def _lint_only(words: Sequence[str], own: OwnOptions, console: _SteadyConsole) -> int:
    from sbatchlint.cli.examining import examine

    examined = examine(words, own, None, console)
    if examined is None:
        return FAILURE
    console.show(examined.text)
    if examined.broken:
        return FAILURE
    return FINDINGS if examined.errors else OK


def _submit(words: Sequence[str], own: OwnOptions, console: _SteadyConsole) -> int:
    from sbatchlint.cli.examining import examine
    from sbatchlint.submission.sbatch import OVERRIDE, become_sbatch, find_sbatch

    override = os.environ.get(OVERRIDE, "")
    sbatch = find_sbatch(os.get_exec_path(), override)
    if sbatch is None:
        where = f"{override}, which {OVERRIDE} names, is no sbatch" if override else "no sbatch on PATH"
        console.complain(
            "submit", f"{where}; run it where jobs are submitted, or set {OVERRIDE} to the real one"
        )
        return FAILURE
    examined = examine(words, own, sbatch, console)
    if examined is not None and not _goes(examined, own, console):
        return FINDINGS
    try:
        become_sbatch(sbatch, words)
    except OSError as error:
        console.complain(sbatch, f"can't be started ({(error.strerror or str(error)).lower()})")
        return FAILURE


def _goes(examined: Examined, own: OwnOptions, console: _SteadyConsole) -> bool:
    """Show what was found, and tell whether the job is to be submitted."""
    from sbatchlint.report.summary import count
    from sbatchlint.submission.terminal import ask

    console.show(examined.text)
    if not examined.errors or own.force or ask(_QUESTION, seen_on=sys.stderr):
        return True
    errors = count(examined.errors, "error")
    console.show(
        f"sbatchlint: not submitted: {errors}; `sbatchlint submit --force ...` submits all the same\n"
    )
    return False
