"""What rules ask: one script, seen at every depth from its text to what it would start."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sbatchlint.launch.plan import LaunchPlan
    from sbatchlint.secrets import Secret
    from sbatchlint.shell.syntax import Script
    from sbatchlint.slurm.request import JobRequest
    from sbatchlint.source import Source


@dataclass(frozen=True, slots=True)
class LintOptions:
    """How to look at a script; nothing here says which rules look."""

    release: str | None = None
    """The Slurm release to read the script as, such as ``24.05``; None for any known one."""
    sbatch_args: tuple[str, ...] = ()
    """Options that will be given to sbatch on its command line."""
    arguments: tuple[str, ...] | None = None
    """What follows the script's name there: ``$1``, ``$2`` ...; None where that is not known."""
    environment: tuple[tuple[str, str], ...] = ()
    """Variables of the shell that will submit the job, name and value: the job inherits them."""
    folder: str | None = None
    """Where the script stands: files that it sources from there are read.  None: no file is read."""


class Job:
    """One batch script as rules see it.

    Each view is worked out when a rule first asks for it, once, so a file that no rule looks deeply
    into costs little.  The imports wait too: the shell parsers are slow to load.
    """

    def __init__(self, source: Source, options: LintOptions | None = None) -> None:
        self.source = source
        self.options = options or LintOptions()

    @cached_property
    def script(self) -> Script:
        """The syntax tree of the shell text; empty for a script in another language."""
        from sbatchlint.shell.reader import read_script
        from sbatchlint.shell.shebang import is_shell_script
        from sbatchlint.shell.syntax import Script
        from sbatchlint.source import Span

        if not is_shell_script(self.source):
            return Script(Span(0, len(self.source.text)), (), ())
        return read_script(self.source)

    @cached_property
    def request(self) -> JobRequest:
        """What sbatch will understand of the directives."""
        from sbatchlint.slurm.request import read_request

        return read_request(self.source, self.options.release, self.options.sbatch_args)

    @cached_property
    def plan(self) -> LaunchPlan:
        """What the job would start, and how."""
        from sbatchlint.launch.evaluate import plan_launches
        from sbatchlint.lint.beside import reader

        options = self.options
        return plan_launches(
            self.script,
            self.request,
            arguments=options.arguments,
            environment=options.environment,
            beside=reader(options.folder),
        )

    @cached_property
    def secrets(self) -> tuple[Secret, ...]:
        """Tokens and keys written in the text; their values are never shown."""
        from sbatchlint.secrets import find_secrets

        return tuple(find_secrets(self.source))
