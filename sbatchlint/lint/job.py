"""What rules ask: one script, seen at every depth from its text to what it would start."""

from __future__ import annotations

from functools import cached_property, wraps
from typing import TYPE_CHECKING, TypeVar

from sbatchlint.lint.deadline import OutOfTime, in_time
from sbatchlint.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sbatchlint.cluster.asking import Answer
    from sbatchlint.cluster.misfit import Misfit
    from sbatchlint.cluster.profile import Profile
    from sbatchlint.launch.plan import LaunchPlan
    from sbatchlint.lint.finding import Finding
    from sbatchlint.needs.need import Needs
    from sbatchlint.secrets import Secret
    from sbatchlint.shell.syntax import Script
    from sbatchlint.slurm.options import OptionSpec
    from sbatchlint.slurm.request import JobRequest, RequestReader
    from sbatchlint.slurm.verdict import Verdict
    from sbatchlint.source import Source
    from sbatchlint.training.runs import TrainingRun

    Again = Callable[[Source], Sequence[Finding]]
    """Lints another version of the text in the same way, and holds nothing back."""
    Sieve = Callable[["Job", Sequence[Finding], Again], Sequence[Finding]]
    """Takes the standing findings of a job, those that are only told on request too."""


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
    submit_environment: tuple[tuple[str, str], ...] = ()
    """``SBATCH_*`` variables of that shell, which sbatch reads as options."""
    known_options: tuple[str, ...] = ()
    """Long names, without dashes, of options that plugins of the site add to sbatch."""
    cluster: Profile | None = None
    """What is known of the cluster; its release counts where :attr:`release` says none."""
    ask: Callable[[Source], Answer] | None = None
    """Asks the cluster's own sbatch; None to ask nobody.  It may raise OSError."""
    look: Callable[[str], bool | None] | None = None
    """Tells whether a path of the host is there, None where it can't; no look is taken where this is None."""
    interactive: bool = False
    """Whether the text is command lines for a job that is asked for elsewhere, or by a ``salloc`` in it."""
    pedantic: bool = True
    """Whether to tell of everything; else only of errors and warnings that are surely right."""
    asked_for: frozenset[str] = frozenset()
    """Codes of rules of which everything is told all the same: somebody has named them."""
    sieve: Sieve | None = None
    """Returns the findings that are to be told; the others were there before.  None lets all pass."""
    folder: str | None = None
    """Where the script stands: files that it sources from there are read.  None: no file is read."""


_DOING = {
    "script": "reading its shell text",
    "request": "reading its directives",
    "verdict": "judging its options",
    "plan": "following its commands",
    "runs": "looking into its training runs",
    "needs": "looking for what it needs",
    "secrets": "looking for secrets",
}
"""What is done for a view, where that is not said by another one."""
T = TypeVar("T")


def _in_time(work: Callable[[Job], T]) -> Callable[[Job], T]:
    """Give *work*, a view of a job, its share of the time."""

    @wraps(work)
    def view(job: Job) -> T:
        name = work.__name__
        return in_time(job.late, name, lambda: work(job), _DOING.get(name, ""))

    return view


class Job:
    """One batch script as rules see it.

    Each view is worked out when a rule first asks for it, once, so a file that no rule looks deeply
    into costs little.  The imports wait too: the shell parsers are slow to load.
    """

    def __init__(self, source: Source, options: LintOptions | None = None) -> None:
        self.source = source
        self.options = options or LintOptions()
        self.answers: dict[object, tuple[object, ...]] = {}
        """What has been asked about the job already, by question: see ``lint/ask/once.py``."""
        self.late: dict[object, OutOfTime] = {}
        """What was asked about it and took too long."""
        self.beside: dict[str, str] = {}
        """The texts of the files that were read because the script sources them, by path."""

    @cached_property
    @_in_time
    def script(self) -> Script:
        """The syntax tree of the shell text; empty for a script in another language."""
        from sbatchlint.shell.reader import read_script
        from sbatchlint.shell.shebang import is_shell_script
        from sbatchlint.shell.syntax import Script
        from sbatchlint.source import Span

        if not is_shell_script(self.source):
            return Script(Span(0, len(self.source.text)), (), ())
        return read_script(self.source)

    @property
    def cluster(self) -> Profile | None:
        """What is known of the cluster; None where nothing is."""
        return self.options.cluster

    @property
    def interactive(self) -> bool:
        """Whether these are command lines to be typed, and no script that Slurm runs."""
        return self.options.interactive

    @property
    def release(self) -> str | None:
        """The release that the cluster runs; None where that is not known."""
        if self.options.release is not None or self.cluster is None or self.cluster.series is None:
            return self.options.release
        from sbatchlint.slurm.options import spell_release

        return spell_release(self.cluster.series)

    @cached_property
    def known_options(self) -> frozenset[str]:
        """Long names of options, without dashes, that plugins add to sbatch here or on well-known sites."""
        from sbatchlint.slurm.site_plugins import PLUGIN_OPTIONS

        return PLUGIN_OPTIONS | {*self.options.known_options} | _names(self.cluster)

    @cached_property
    def site_flags(self) -> frozenset[str]:
        """Long names, without dashes, of the site's own options that the profile says take no value."""
        options = () if self.cluster is None else self.cluster.known_options
        return frozenset(option.lstrip("-") for option in options if not option.endswith("="))

    @cached_property
    @_in_time
    def request(self) -> JobRequest:
        """What sbatch will understand of the directives; of command lines, what their ``salloc`` asks for."""
        if self.options.interactive:
            return self._interactive[0]
        return self._reader.read(self.release)

    @cached_property
    def _reader(self) -> RequestReader:
        from sbatchlint.slurm.request import RequestReader

        return RequestReader(self.source, self.options.sbatch_args, self.options.submit_environment)

    @cached_property
    @_in_time
    def misfits(self) -> tuple[Misfit, ...]:
        """What keeps the job from running on the cluster; empty where no profile is known."""
        if self.cluster is None:
            return ()
        from sbatchlint.cluster.fit import fit

        return fit(self.request, self.cluster)

    @cached_property
    def sbatch_answer(self) -> Answer | None:
        """What the cluster's own sbatch says; None where it is not asked, or can't be."""
        if self.options.ask is None:
            return None
        try:
            return self.options.ask(self.source)
        except OSError:  # who asked for it is told by the command line
            return None

    @cached_property
    @_in_time
    def verdict(self) -> Verdict:
        """What Slurm has against the script, in the release of the options or in each supported one."""
        return self._judged(self.release)

    @cached_property
    @_in_time
    def verdict_of_all(self) -> Verdict:
        """What Slurm has against the script in each supported release."""
        return self.verdict if self.release is None else self._judged(None)

    def _judged(self, release: str | None) -> Verdict:
        from sbatchlint.slurm.verdict import judge_read

        return judge_read(self._reader, release, self.known_options)

    def takes(self, spec: OptionSpec, value: str) -> bool:
        """Tell whether sbatch, in every release that is asked, takes *value* for the option *spec*."""
        from sbatchlint.slurm.grammar.base import Refused
        from sbatchlint.slurm.option_values import read_value

        answers = (read_value(spec.long, value, release) for release in self.verdict.asked)
        return not any(isinstance(answer, Refused) for answer in answers)

    @cached_property
    @_in_time
    def plan(self) -> LaunchPlan:
        """What the job would start, and how."""
        return self._interactive[1] if self.options.interactive else self._plan(self.request)

    @cached_property
    def _interactive(self) -> tuple[JobRequest, LaunchPlan]:
        """The job of a text without directives, and what is started in it."""
        from sbatchlint.lint import interactive

        request = interactive.unknown_request(self.source, self.release)
        plan = self._plan(request)
        salloc = interactive.allocation(plan)
        allocated = None
        if salloc is not None:
            allocated = interactive.allocated_request(self.source, salloc, self.release)
        if allocated is not None:
            request, plan = allocated, self._plan(allocated)
            salloc = interactive.allocation(plan)
        return request, interactive.with_command_of(plan, salloc)

    def _plan(self, request: JobRequest) -> LaunchPlan:
        from sbatchlint.launch.evaluate import plan_launches
        from sbatchlint.lint.beside import reader

        options = self.options
        return plan_launches(
            self.script,
            request,
            arguments=options.arguments,
            environment=options.environment,
            beside=reader(options.folder, self.beside),
        )

    @cached_property
    @_in_time
    def runs(self) -> tuple[TrainingRun, ...]:
        """The training runs among what it starts, with their sizes and numbers of ranks."""
        from sbatchlint.training.runs import training_runs

        return tuple(training_runs(self.plan))

    @cached_property
    @_in_time
    def needs(self) -> Needs:
        """What the job needs from outside: credentials, services, images, files."""
        from sbatchlint.needs.collect import needs_of

        return needs_of(self.script, self.request, self.plan)

    @cached_property
    @_in_time
    def secrets(self) -> tuple[Secret, ...]:
        """Tokens and keys written in the text; their values are never shown."""
        from sbatchlint.secrets import find_secrets

        return tuple(find_secrets(self.source))


def _names(cluster: Profile | None) -> frozenset[str]:
    """The site's own options, without dashes."""
    options = () if cluster is None else cluster.known_options
    return frozenset(option.lstrip("-").rstrip("=") for option in options)
