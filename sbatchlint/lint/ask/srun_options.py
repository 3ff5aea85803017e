"""Words on a line of srun that are no options of it."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.launch.options import arg_text
from sbatchlint.launch.plan import Step
from sbatchlint.lint.ask.option_names import meant_option
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.slurm.getopt import ProblemKind, parse
from sbatchlint.source import Span


@dataclass(frozen=True, slots=True)
class BadSrunOption:
    """An option that srun refuses, and with it the step."""

    step: Step
    span: Span
    name: str
    """With its dashes, without a value."""
    meant: str | None
    """The only option of srun that it may be a slip for, without dashes."""
    possibilities: tuple[str, ...]
    """What an abbreviation may stand for; empty for an unknown name."""
    of_sbatch: bool
    """True for an option that sbatch or salloc has, and srun does not."""


def bad_srun_options(job: Job) -> Iterator[BadSrunOption]:
    """Yield the options on the lines of the steps that srun of no release in question knows."""
    release = job.request.release
    for step in job.plan.steps:
        words = step.words[1:]
        for problem in parse([arg_text(word) for word in words], "srun", release).problems:
            word = words[problem.word]
            kinds = (ProblemKind.UNKNOWN, ProblemKind.AMBIGUOUS, ProblemKind.WRONG_COMMAND)
            if problem.kind not in kinds or problem.name.lstrip("-") in job.known_options or word.optional:
                continue
            if word.place is not None:
                yield BadSrunOption(
                    step,
                    word.place,
                    problem.name,
                    meant_option(problem.name, "srun", release),
                    problem.possibilities,
                    problem.kind is ProblemKind.WRONG_COMMAND,
                )
