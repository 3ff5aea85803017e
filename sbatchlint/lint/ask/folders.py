"""``cd`` whose failure nobody notices."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from sbatchlint.lint.ask.code_text import found_in_code
from sbatchlint.lint.ask.nodes import nodes_of, walk
from sbatchlint.lint.ask.once import asked_once
from sbatchlint.lint.ask.shell_modes import files_may_switch_on, may_switch_on
from sbatchlint.lint.ask.work import has_work
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import AndOr, CommandSubstitution, If, Parameter, Simple, Statement
from sbatchlint.source import Span

_SURE = ("SLURM_SUBMIT_DIR", "HOME", "PWD", "OLDPWD", "0", "BASH_SOURCE", "TMPDIR", "SLURM_TMPDIR")
"""Folders that are there, or of which another rule tells."""
_DELETES = regex(r"\brm[ \t]+-[^\Wrf]*[rf]\w*(?:[ \t]+--?\w*)*[ \t]+(?![\s\\-]|[\"']?[/$~])")
"""With its options to the last: else the next one, or a second blank, would pass for a name."""
_MKDIR = regex(r"\bmkdir\b[^\n;]*")
_VARIABLE = regex(r"\$\{?(\w+)")
_MKTEMP = regex(r"\b(\w+)=[\"']?\$\(mktemp\b")


@dataclass(frozen=True, slots=True)
class UncheckedFolder:
    """``cd`` to a folder that a variable names."""

    span: Span
    written: str
    """The folder as it is written, quotes removed."""
    deletes: Span | None
    """A later ``rm -r`` of something in the current folder, whichever that is."""
    file_decides: bool
    """True where a file that the script sources may have said ``set -e``."""


def unchecked_folders(job: Job) -> Iterator[UncheckedFolder]:
    """Yield each plain ``cd $VARIABLE`` that work follows and that does not stop the script if it fails."""
    if may_switch_on(job, "errexit"):
        return
    for simple, place in nodes_of(job, Simple):
        if len(simple.words) != 2 or simple.name != "cd":
            continue
        if place.inside(AndOr, If, CommandSubstitution):
            continue
        inside = (one.node for one in walk(simple, inside=job.source.text))
        names = [node.name for node in inside if isinstance(node, Parameter) and not node.operator]
        outer = next((node for node in place.around if isinstance(node, Statement)), None)
        rest = Span(simple.span.end, job.script.span.end)
        if not names or any(name in _SURE or _is_made(job, name) for name in names) or outer is None:
            continue
        deletes = _deletes(job)
        behind = bisect_left(deletes, rest.start, key=lambda place: place.start)
        found = deletes[behind] if behind < len(deletes) else None
        if found is not None or has_work(job, rest):
            written = job.source.slice(simple.words[1].span).strip("\"'")
            by_file = files_may_switch_on(job, "errexit", simple.span)
            yield UncheckedFolder(simple.span, written, found, by_file)


def _is_made(job: Job, name: str) -> bool:
    """Tell whether the script makes the folder that the variable names."""
    return name in _made(job)


@asked_once
def _made(job: Job) -> Iterator[str]:
    for line in _MKDIR.findall(job.source.text):
        yield from _VARIABLE.findall(line)
    yield from _MKTEMP.findall(job.source.text)


@asked_once
def _deletes(job: Job) -> Iterator[Span]:
    return found_in_code(job, _DELETES)
