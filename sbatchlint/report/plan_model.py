"""What ``plan`` tells of one script, before any format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from functools import cached_property

from sbatchlint.launch.evaluate import inherited
from sbatchlint.launch.plan import LaunchPlan, LayerKind, Program, Step
from sbatchlint.launch.values import Value
from sbatchlint.lint.ask.needed import is_there
from sbatchlint.lint.job import Job, LintOptions
from sbatchlint.needs.need import NeededPath, Needs
from sbatchlint.records import dataclass
from sbatchlint.report.mask import Mask
from sbatchlint.shell.shebang import interpreter_of, is_shell_script
from sbatchlint.slurm.request import JobRequest
from sbatchlint.source import Source, Span
from sbatchlint.training.runs import TrainingRun, inner_programs, training_run

_STARTERS = frozenset(
    "sbatch salloc ssh pdsh clush parallel xargs ray uv flux jsrun ibrun enroot docker podman apptainer "
    "singularity wandb".split()
)
"""Commands without a launcher or interpreter that are worth a line of their own."""
_STARTING_LAYERS = frozenset((LayerKind.LAUNCHER, LayerKind.INTERPRETER, LayerKind.CONTAINER))
_SYSTEM_FOLDERS = ("/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/")
_CODE_SUFFIXES = (".py", ".sh", ".bash", ".pl", ".jl", ".R", ".r", ".exe", ".x", ".out")


@dataclass(frozen=True)
class PlannedFile:
    """One script with its plan."""

    source: Source
    mask: Mask
    request: JobRequest
    plan: LaunchPlan
    interpreter: str = ""
    """The program that runs a file which is no shell script; empty for one that is."""
    unread: tuple[Span, ...] = ()
    """Statements that could not be read."""
    options: LintOptions = field(default_factory=LintOptions)
    """What was assumed of the way it is submitted."""
    refused_options: int = 0
    """How many words of the directives sbatch does not take."""
    needs: Needs = field(default_factory=Needs)
    """What it needs from outside."""
    runs: tuple[TrainingRun, ...] = ()
    """What it trains."""

    @property
    def without_effect(self) -> list[str]:
        """The assumed variables that do not reach the job."""
        given = self.options.environment
        reaching = {name for name, _ in inherited(self.request, given)}
        return [name for name, _ in given if name not in reaching]

    def is_there(self, needed: NeededPath) -> bool | None:
        """Tell whether a file that is needed is there; None where nobody looks, or nobody can tell."""
        return None if self.options.look is None else is_there(needed, self.options.look)

    def run_of(self, step: Step | None, program: Program) -> TrainingRun | None:
        """Return what *program* trains in *step*; None where nothing is known, or an inner step starts it."""
        outer = step is not None and not step.nested and id(program) in self._inner
        return None if outer else training_run(step, program)

    @cached_property
    def _inner(self) -> frozenset[int]:
        return inner_programs(self.plan)

    def environment(self, program: Program) -> Iterator[tuple[str, Value, Span]]:
        """Yield what the script itself sets for *program*: name, value and where.

        Left out is what it only hands on: a variable that a condition tells of, or one of the caller's.
        """
        for name, value in program.environment.items():
            span = program.environment_spans.get(name)
            if span is not None:
                yield name, value, span


def planned(
    job: Job,
) -> PlannedFile:
    """Put together what is told of a script.

    Not the file alone is searched for secrets, but all that the plan says too: a token may be put
    together of pieces, and it may come from the command line or from a file that is sourced.
    """
    options = job.options
    said = dict.fromkeys(_said(job.plan))
    beside = (Source.from_text(text, path) for path, text in job.beside.items())
    return PlannedFile(
        source=job.source,
        mask=Mask.of_job(job.source, options, Source.from_text("\n".join(said)), *beside),
        request=job.request,
        plan=job.plan,
        interpreter="" if is_shell_script(job.source) else interpreter_of(job.source),
        unread=tuple(unparsed.span for unparsed in job.script.unparsed),
        options=options,
        refused_options=_refused(job),
        needs=job.needs,
        runs=tuple(job.runs),
    )


def _refused(job: Job) -> int:
    names = (problem.name.lstrip("-") for problem in job.request.problems)
    return sum(name not in job.known_options for name in names)


def _said(plan: LaunchPlan) -> Iterator[str]:
    for step in plan.steps:
        yield " ".join(word.value.show() for word in step.words)
    for _, program in plan.programs():
        yield " ".join(word.value.show() for word in program.words)
        for name, value in program.environment.items():
            yield f"{name}={value.show()}"
    for submission in plan.submissions:
        yield " ".join(word.value.show() for word in submission.words)
        if submission.plan is not None:
            yield from _said(submission.plan)


def is_telling(program: Program) -> bool:
    """Tell whether a reader of the plan wants to see *program*, and not just that it runs.

    That is what a launcher, an interpreter or a container starts, what submits or connects elsewhere,
    and files of one's own; not the like of ``mkdir``.
    """
    return any(layer.kind in _STARTING_LAYERS for layer in program.layers) or is_telling_itself(program)


def is_telling_itself(program: Program) -> bool:
    """Tell whether *program* is one to show whatever starts it."""
    if any(layer.kind is LayerKind.INTERPRETER for layer in program.layers):
        return True
    shown = program.target.show()
    if shown.rsplit("/", 1)[-1] in _STARTERS or shown.endswith(_CODE_SUFFIXES):
        return True
    if program.target.text is None and any(program.target.unknowns()):
        return True
    return "/" in shown and not shown.startswith(_SYSTEM_FOLDERS)


__all__ = ["PlannedFile", "is_telling", "is_telling_itself", "planned"]
