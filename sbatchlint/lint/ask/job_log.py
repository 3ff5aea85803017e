"""Commands that look for the job's own log where it is not."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.lint.ask.nodes import nodes_of
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import CommandSubstitution, Simple
from sbatchlint.slurm.option_use import OptionUse
from sbatchlint.source import Span

_READING = frozenset("mv cp cat tail head grep rsync gzip ln".split())
_DEFAULT = regex(r"[\"']?(?P<folder>(?:[^\s\"']*/)?)slurm-\$\{?SLURM_JOB_?ID\}?\.out[\"']?")


@dataclass(frozen=True, slots=True)
class MissingLog:
    """``slurm-$SLURM_JOB_ID.out``, which is not there."""

    span: Span
    """The word."""
    output: OptionUse | None
    """The option that gives the log another name; None where the folder is another."""
    moved: Span | None
    """The ``cd`` that the script has made before."""


def missing_logs(job: Job) -> Iterator[MissingLog]:
    """Yield each mention of Slurm's default log name, to a command, where the job's log is elsewhere."""
    output = job.request.get("output")
    if job.request.array is not None or job.request.hetjob:
        return
    moved: Span | None = None
    for simple, place in nodes_of(job, Simple):
        if simple.name in ("cd", "pushd") and not place.inside(CommandSubstitution):
            moved = simple.span if "SLURM_SUBMIT_DIR" not in job.source.slice(simple.span) else None
        if simple.name not in _READING:
            continue
        for word in simple.words[1:]:
            match = _DEFAULT.fullmatch(job.source.slice(word.span))
            if match is None:
                continue
            if output is not None and not _is_default(output):
                yield MissingLog(word.span, output, None)
            elif moved is not None and not match["folder"]:
                yield MissingLog(word.span, None, moved)


def _is_default(use: OptionUse) -> bool:
    """Tell whether the option says what Slurm does without it, at least as the file's name goes."""
    return (use.value or "").rpartition("/")[2] in ("slurm-%j.out", "slurm-%A.out", "")
