"""What the linter says of a job that is to be submitted; nothing that goes wrong here stops it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.cli.console import Console, Printed, style_for
from sbatchlint.records import dataclass
from sbatchlint.submission.own_options import OwnOptions

if TYPE_CHECKING:
    from sbatchlint.cli.adoption import Complain
    from sbatchlint.config.file_settings import FileSettings
    from sbatchlint.lint.job import Sieve
    from sbatchlint.submission.command_line import CommandLine
    from sbatchlint.submission.script import Script

PATIENCE = 30.0
"""Seconds after which a job is submitted unchecked."""


@dataclass(frozen=True, slots=True)
class Examined:
    """What the linter says of the job."""

    errors: int = 0
    text: str = ""
    """What is to be shown of it."""
    broken: bool = False
    """Whether a part of the linter broke down, so that there may be more."""


def examine(words: Sequence[str], own: OwnOptions, sbatch: str | None, console: Console) -> Examined | None:
    """Return what the linter says; None, after a word about it, where the job can't be checked.

    Nothing that goes wrong here keeps a job from being submitted.
    """
    from sbatchlint.submission.patience import OutOfPatience
    from sbatchlint.submission.script import UnreadableError

    try:
        with redirect_stdout(Printed()):  # a rule that prints must not spoil what sbatch says
            return _Examination(words, own, sbatch, console).examine()
    except UnreadableError as error:
        why = str(error)
    except OutOfPatience:
        why = f"it takes longer than {PATIENCE:.0f} seconds"
    except (Exception, SystemExit) as error:  # its message may quote the script, so its type has to do
        why = f"internal error: {type(error).__name__}"
    console.complain("submit", f"not checked: {why}")
    return None


class _Examination:
    def __init__(self, words: Sequence[str], own: OwnOptions, sbatch: str | None, console: Console) -> None:
        self._words = words
        self._own = own
        self._sbatch = sbatch
        self._console = console
        self._here = ""
        self._path = os.environ.get("PATH", "").split(os.pathsep)
        self._release: str | None = None

    def examine(self) -> Examined:
        """Read the command line and the script, and lint it.  Raises UnreadableError."""
        from sbatchlint.submission.patience import patience
        from sbatchlint.submission.script import UnreadableError

        try:
            self._here = os.getcwd()
        except OSError as error:
            raise UnreadableError("the current folder is gone or closed") from error
        with patience(PATIENCE):
            command, settings = self._understood()
        if settings is None:
            return Examined()
        script = self._script(command)  # in its own time: whoever writes it to standard input may be slow
        with patience(PATIENCE):
            return self._linted(command, script, settings)

    def _understood(self) -> tuple[CommandLine, FileSettings | None]:
        """Read the command line; without settings where nothing would be submitted."""
        from sbatchlint.submission.checking import site_options
        from sbatchlint.submission.command_line import read_command_line
        from sbatchlint.submission.sbatch import release_of

        self._release = release_of(self._sbatch) if self._sbatch else None
        command = read_command_line(self._words, self._release)
        if command.tells:
            if sys.stderr.isatty():
                self._console.remark("submit", "sbatch's own help; --lint-help shows what submit takes")
            return command, None
        if command.test_only and not self._own.only:
            return command, None
        settings = self._settings(command)
        if command.trouble:
            command = read_command_line(self._words, self._release, site_options(settings.options))
            self._refuse_trouble(command.trouble)
            settings = self._settings(command)
        return command, settings

    @staticmethod
    def _refuse_trouble(trouble: str) -> None:
        from sbatchlint.submission.script import UnreadableError

        if trouble:
            advice = "; it stands before sbatch's own options" if trouble.startswith("--force:") else ""
            raise UnreadableError(trouble + advice)

    def _settings(self, command: CommandLine) -> FileSettings:
        """Return what the configuration of the script's folder says, of the present one without a file."""
        from sbatchlint.cli.configuring import configure
        from sbatchlint.submission.script import UnreadableError, find_script

        path = os.path.join(self._here, "job.sh")
        named = command.script is not None and not command.trouble
        if named:
            path = find_script(command.script or "", command.workplace(self._here), self._path)
        read = argparse.Namespace(config=self._own.config, isolated=self._own.isolated)
        configuration = configure(read, self._console)
        settings = None if configuration is None else configuration.settings(path)
        if configuration is None or settings is None:
            raise UnreadableError("its configuration is wrong")
        baseline = configuration.baseline(path) if named else None
        if baseline is None:
            return settings
        sieve = self._sieve(path, baseline, configuration.complain_of_baseline(path))
        return replace(settings, options=replace(settings.options, sieve=sieve))

    def _sieve(self, path: str, baseline: str, complain: Complain) -> Sieve | None:
        """Return what holds back the findings that *baseline* has of the script at *path*."""
        from sbatchlint.cli.adoption import Adoption
        from sbatchlint.submission.script import UnreadableError, name_of

        adoption = Adoption(self._console)
        if not adoption.use_baseline(name_of(path, self._here), baseline, complain):
            raise UnreadableError("its baseline can't be used")
        return adoption.sieve

    def _script(self, command: CommandLine) -> Script:
        from sbatchlint.cli.recognise import MAX_BYTES, fault
        from sbatchlint.submission.script import UnreadableError, script_of

        if command.script is None and command.wrap is None and os.isatty(0):
            self._console.remark("submit", "the script is read from the terminal; Ctrl-D ends it")
        script = script_of(command, self._here, self._path, MAX_BYTES + 1)
        wrong = fault(script.data[: MAX_BYTES + 1])
        if wrong:
            raise UnreadableError(f"the script is {wrong}")
        return script

    def _linted(self, command: CommandLine, script: Script, settings: FileSettings) -> Examined:
        from sbatchlint.lint.finding import Severity
        from sbatchlint.report.submit_text import submit_text
        from sbatchlint.source import Source
        from sbatchlint.submission.checking import lint, options_for

        source = Source.from_bytes(script.data, script.name)
        options = options_for(
            settings.options,
            command,
            source,
            os.environ,
            here=self._here,
            release=self._release,
            follow=settings.follow,
        )
        result, job = lint(source, settings.rules, options)
        for error in result.internal_errors:
            where = f" in rule {error.code}" if error.code else ""
            self._console.complain(source.path, f"internal error{where}: {error.kind}")
        errors = sum(finding.severity is Severity.ERROR for finding in result.findings)
        style = style_for(sys.stderr, "auto")
        text = submit_text(result, job, style, errors_only=self._own.quiet)
        return Examined(errors, text, broken=bool(result.internal_errors))
