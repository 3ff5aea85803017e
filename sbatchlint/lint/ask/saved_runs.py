"""Runs that save under ``nemo_experiments``, as Megatron-Bridge does where no folder is named."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.launch.plan import Program
from sbatchlint.lint.ask.removals import is_recursive
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.source import Span

DEFAULT_FOLDER = "nemo_experiments"
_TRAINS = regex(r"(?i)megatron[-_.]bridge/\S{0,200}(?:pretrain|finetune)\S{0,200}\.py|(?:^|/)run_recipe\.py")
_PLACES = regex(r"^[+]{0,2}(?:checkpoint\.(?:save|load)|--(?:save|load|exp)[\w-]*|(?:log|exp)_dir)(?:=|$)")


def saves_by_default(program: Program) -> bool:
    """Tell whether *program* is a training of Megatron-Bridge that names no folder for its checkpoints."""
    if program.code_incomplete or not _TRAINS.search(program.target.show()):
        return False
    return not any(word.open or _PLACES.match(word.value.show()) for word in program.arguments)


@dataclass(frozen=True, slots=True)
class RemovedRuns:
    """``rm -r nemo_experiments`` on the batch host, where a run of the job saves there."""

    span: Span
    run: Span
    """The run."""
    behind: bool
    """True where it is removed after the run."""


def removed_runs(job: Job) -> Iterator[RemovedRuns]:
    """Yield each unconditional removal of the default folder; with several runs none is told of."""
    runs = [program for _, program in job.plan.programs() if saves_by_default(program)]
    run = runs[0].span if len(runs) == 1 and not runs[0].doubtful else None
    if run is None:
        return
    for program in job.plan.host_programs:
        words = [argument.value.show() for argument in program.arguments]
        folders = [word.rstrip("/*").rpartition("/")[2] for word in words]
        if program.name != "rm" or program.doubtful or not is_recursive(words) or program.span is None:
            continue
        if DEFAULT_FOLDER in folders:
            yield RemovedRuns(program.span, run, program.span.start > run.start)


__all__ = ["DEFAULT_FOLDER", "RemovedRuns", "removed_runs", "saves_by_default"]
