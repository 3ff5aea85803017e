"""What of a plan is the job's work, and what only looks around, tidies up or prints."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from sbatchlint.launch.plan import LayerKind, Program, Step
from sbatchlint.lint.ask.once import asked_once
from sbatchlint.lint.job import Job
from sbatchlint.regex import regex
from sbatchlint.source import Span

_SMALL = frozenset(
    "echo printf hostname date env printenv nvidia-smi rocm-smi sleep cat ls mkdir rm rmdir cp mv ln "
    "chmod uname whoami id ulimit lscpu lspci numactl free df du top uptime tee grep egrep sed awk "
    "head tail sort cut tr wc true false test [ : pwd cd touch which type module ml source . scontrol "
    "squeue sacct sinfo sstat scancel seff sattach sbatch find tar gzip rsync git wget curl ip "
    "ifconfig ibstat kill pkill pgrep ps stat basename dirname realpath readlink xargs mktemp sync "
    "nproc getconf ibv_devinfo dcgmi gpustat nvtop topo taskset".split()
)
_WORKING_LAYERS = (LayerKind.LAUNCHER, LayerKind.INTERPRETER, LayerKind.CONTAINER)
_MONITOR = regex(
    r"(?i)monitor|watch|telemetry|exporter|dcgm|nvtop|gpustat|smi|tensorboard|jupyter|server|serve"
)


def is_small(program: Program) -> bool:
    """Tell whether *program* is a small tool: nobody waits for what it does, or asks how it ended.

    ``python -c '...'`` is one: it mostly looks at the surroundings.
    """
    return program.name in _SMALL or program.target.text == "-c"


def is_monitor(program: Program) -> bool:
    """Tell whether *program* watches or serves others, and may well be stopped at any time."""
    return _MONITOR.search(program.target.show()) is not None


def does_work(step: Step) -> bool:
    """Tell whether *step* starts something that is more than a small tool."""
    return any(not is_small(program) for program in step.programs)


def work_at(job: Job, span: Span) -> Span | None:
    """Return where the last piece of work inside *span* is started; None where there is none.

    A step's place is its ``srun``.  What the batch shell starts itself counts if it is more than a plain
    command: a script that an interpreter reads, a launcher, a container, a program named by its path.
    """
    return max((place for line, place in _works_in(job, span)), default=None)


def has_work(job: Job, span: Span) -> bool:
    """Whether a piece of work is started inside *span*, as :func:`work_at` means it."""
    return next(_works_in(job, span), None) is not None


def _works_in(job: Job, span: Span) -> Iterator[tuple[Span, Span]]:
    works = _works(job)
    for index in range(bisect_left(works, span.start, key=lambda work: work[0].start), len(works)):
        line, place = works[index]
        if line.start > span.end:
            return
        if line in span:
            yield line, place


@asked_once
def _works(job: Job) -> list[tuple[Span, Span]]:
    """The pieces of work in the order of the script: the line that starts each, and its own place."""
    found = [(step.line_span, step.span) for step in job.plan.steps if not step.nested and does_work(step)]
    found += [
        (program.span, program.span)
        for program in job.plan.host_programs
        if program.span is not None and not is_small(program) and _is_own(program)
    ]
    return sorted(found)


def _is_own(program: Program) -> bool:
    first = program.words[0].text if program.words else None
    return any(layer.kind in _WORKING_LAYERS for layer in program.layers) or "/" in (first or "")
