"""The job that a batch script asks for: its options, resolved as sbatch resolves them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from sbatchlint.records import dataclass
from sbatchlint.slurm.argument_list import ArgumentListReader, RequestProblem
from sbatchlint.slurm.directives import Directives, escapes_blanks, read_directives
from sbatchlint.slurm.foreign import ForeignProblem, translate
from sbatchlint.slurm.getopt import Parsed, Problem, parse
from sbatchlint.slurm.option_use import Count, OptionUse, Origin
from sbatchlint.slurm.options import Release, option_table, parse_release, spell_release
from sbatchlint.slurm.requested import Requested
from sbatchlint.slurm.submit_environment import Setting, settings
from sbatchlint.source import Source

__all__ = [
    "Count",
    "JobRequest",
    "OptionUse",
    "Origin",
    "RequestProblem",
    "RequestReader",
    "read_request",
]

_REQUEUE = ("requeue", "no-requeue")
_IGNORE_FOREIGN = "ignore-pbs"


@dataclass(frozen=True)
class JobRequest(Requested):
    """One job, or one component of a heterogeneous job."""

    source: Source
    directives: Directives
    uses: tuple[OptionUse, ...]
    """All options in the order sbatch takes them: inherited ones, directives, other batch systems' lines,
    environment, command line."""
    problems: tuple[RequestProblem, ...] = ()
    """What is wrong in the directives of all components, in the order of the lines."""
    argument_problems: tuple[Problem, ...] = ()
    """What is wrong in the command line's arguments."""
    foreign_problems: tuple[ForeignProblem, ...] = ()
    """What sbatch refuses in ``#PBS`` or ``#BSUB`` lines."""
    ignores_foreign: bool = False
    """Whether ``--ignore-pbs``, wherever it is given, makes sbatch pass over such lines."""
    later_components: tuple[JobRequest, ...] = ()
    release: str | None = None
    elsewhere: bool = False
    """Whether the job is asked for where nobody reads it: in another file, or behind a word at which sbatch
    stops.  Nothing of it is known here then."""

    @property
    def components(self) -> tuple[JobRequest, ...]:
        """The components of a heterogeneous job; the request itself is the first."""
        return (self, *self.later_components)

    @property
    def all_uses(self) -> tuple[OptionUse, ...]:
        """The options of all components, in the order of the components."""
        return tuple(use for component in self.components for use in component.uses)

    @property
    def hetjob(self) -> bool:
        """Whether the job is heterogeneous."""
        return bool(self.later_components)

    def get(self, name: str) -> OptionUse | None:
        """Return the use of the option *name* (long, no dashes, alias allowed) that counts: the last.

        Raises KeyError for a name that no known command has.
        """
        return self._last_uses.get(option_table().get(name).long)

    @cached_property
    def _last_uses(self) -> Mapping[str, OptionUse]:
        return {use.spec.long: use for use in self.uses}

    @property
    def unsure(self) -> bool:
        """Whether nothing is sure: the job is not here, or its ``#PBS`` lines can't be translated."""
        return bool(self.foreign_problems) or self.elsewhere


def read_request(
    source: Source,
    release: str | None = None,
    sbatch_args: Sequence[str] = (),
    environment: Iterable[tuple[str, str]] = (),
) -> JobRequest:
    """Read the job that ``sbatch SBATCH_ARGS SCRIPT`` of *release* (None: any known one) submits.

    *environment* holds the variables of the shell that submits it, name and value; by default none of
    ``SBATCH_*`` is set there.
    """
    return RequestReader(source, sbatch_args, environment).read(release)


class RequestReader:
    """Reads one script as several releases do, and does only once what they all do alike."""

    def __init__(
        self,
        source: Source,
        sbatch_args: Sequence[str] = (),
        environment: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Take what :func:`read_request` takes."""
        self.source = source
        self.sbatch_args = tuple(sbatch_args)
        self.environment = tuple(environment)
        self._directives: dict[bool, Directives] = {}
        self._requests: dict[str | None, JobRequest] = {}

    def read(self, release: str | None) -> JobRequest:
        """Read the job as sbatch of *release* (None: of any known one) does."""
        if release not in self._requests:
            self._requests[release] = self._read(release)
        return self._requests[release]

    def _read(self, release: str | None) -> JobRequest:
        parsed = parse_release(release)
        directives = self._words(release)
        command_lines = _segments(self.sbatch_args, release)
        requests: list[JobRequest] = []
        problems: list[RequestProblem] = []
        inherited: tuple[OptionUse, ...] = ()
        for component in range(max(directives.components, len(command_lines))):
            reader = ArgumentListReader(directives.tokens(component), component, release)
            reader.read()
            problems += reader.problems
            uses, foreign_problems = self._layers([*inherited, *reader.uses], directives, parsed)
            # Without a ":" the one command line is for all components.
            uses += [
                OptionUse(use.spec, use.value, None, None, None, Origin.COMMAND_LINE)
                for use in command_lines[min(component, len(command_lines) - 1)].uses
            ]
            requests.append(
                JobRequest(
                    self.source,
                    directives,
                    tuple(uses),
                    foreign_problems=foreign_problems,
                    ignores_foreign=_ignores_foreign(uses, self.sbatch_args),
                    release=release,
                    elsewhere=reader.hides_options,
                )
            )
            inherited = tuple(use for use in uses if not use.spec.reset_by_component)
        return replace(
            requests[0],
            problems=tuple(problems),
            argument_problems=tuple(problem for one in command_lines for problem in one.problems),
            later_components=tuple(requests[1:]),
        )

    def groups(self, releases: Sequence[Release]) -> Iterator[tuple[JobRequest, tuple[Release, ...]]]:
        """Read the job as each of *releases* does: every request with those that read it so."""
        if not releases:
            return
        request = self.read(None)
        if self._reads_alike(request, releases):
            yield _of_release(request, spell_release(releases[0])), tuple(releases)
            return
        for release in releases:
            yield self.read(spell_release(release)), (release,)

    def _reads_alike(self, request: JobRequest, releases: Sequence[Release]) -> bool:
        """Tell whether nothing in the script can be read in two ways.  False where that is not plain."""
        directives = request.directives
        if self.sbatch_args or self.environment or directives.foreign or request.problems:
            return False
        text = self.source.text
        if any("\\" in self.source.slice(line.span) for line in directives.lines):
            return False
        return all(
            use.spec.change is None
            and use.span is not None
            and _written_in_full(text, use)
            and all(use.spec.accepted("sbatch", release) for release in releases)
            for component in request.components
            for use in component.uses
        )

    def _words(self, release: str | None) -> Directives:
        """Return the directives as words, for which there are but two kinds of release."""
        newer = escapes_blanks(parse_release(release))
        if newer not in self._directives:
            self._directives[newer] = read_directives(self.source, release)
        return self._directives[newer]

    def _layers(
        self, uses: list[OptionUse], directives: Directives, release: Release | None
    ) -> tuple[list[OptionUse], tuple[ForeignProblem, ...]]:
        """Add the other batch system's lines and the environment to what directives say."""
        variables = settings(self.environment, release)
        problems: tuple[ForeignProblem, ...] = ()
        if directives.foreign and not _ignores_foreign((*uses, *_switched_on(variables)), self.sbatch_args):
            translation = translate(directives.foreign, uses, release)
            uses = [*uses, *translation.uses]
            problems = translation.problems
        for setting in variables:
            if setting.unset:
                uses = [use for use in uses if use.spec.long not in _one_field(setting.spec.long)]
            else:
                uses += _switched_on([setting])
        return uses, problems


def _of_release(request: JobRequest, release: str) -> JobRequest:
    """Return what *release* reads where all releases read *request*."""
    later = tuple(_of_release(one, release) for one in request.later_components)
    return replace(request, release=release, later_components=later)


def _one_field(name: str) -> tuple[str, ...]:
    """Return the options that share one field of the job with option *name*, itself among them."""
    return _REQUEUE if name in _REQUEUE else (name,)


def _segments(sbatch_args: Sequence[str], release: str | None) -> list[Parsed]:
    """Read the command line's options of each component: a lone ``:`` stands between them."""
    parsed = parse(sbatch_args, "sbatch", release)
    found = [parsed]
    words = sbatch_args
    while parsed.rest < len(words) and words[parsed.rest] == ":":
        words = words[parsed.rest + 1 :]
        parsed = parse(words, "sbatch", release)
        found.append(parsed)
    return found


def _written_in_full(text: str, use: OptionUse) -> bool:
    """Tell whether the option's name stands there as a letter or as its whole name, without quotes."""
    if use.span is None:
        return False
    start = use.span.start
    if text.startswith("--", start):
        name = f"--{use.spec.long}"
        return text.startswith(name, start) and text[start + len(name) : start + len(name) + 1] in "= \t\n"
    return use.spec.short is not None and text.startswith(("-" + use.spec.short, use.spec.short), start)


def _switched_on(variables: Iterable[Setting]) -> Iterator[OptionUse]:
    """Return what variables set, as uses, before their turn comes."""
    for one in variables:
        if not one.unset:
            yield OptionUse(one.spec, one.value, None, None, None, Origin.ENVIRONMENT, one.variable.name)


def _ignores_foreign(uses: Iterable[OptionUse], sbatch_args: Sequence[str]) -> bool:
    """Tell whether a directive, a variable or the command line bids sbatch pass over the lines."""
    given = any(use.spec.long == _IGNORE_FOREIGN for use in uses)
    return given or any(use.spec.long == _IGNORE_FOREIGN for use in parse(sbatch_args, "sbatch").uses)
