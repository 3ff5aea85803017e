"""Where a script asks for the folder that it stands in, which in a job is Slurm's spool folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sbatchlint.lint.ask.code_text import without_comments
from sbatchlint.lint.ask.nodes import Place, nodes_of
from sbatchlint.lint.job import Job
from sbatchlint.shell.syntax import AndOr, Case, CommandSubstitution, Function, If, Parameter, Simple
from sbatchlint.source import Span

_FOLDER_COMMANDS = frozenset(("dirname", "realpath", "readlink"))
_NAMES = ("0", "BASH_SOURCE")
_KNOWS_BETTER = re.compile(
    r"SLURM_SUBMIT_DIR|scontrol\s+show\s+job|SLURM_JOB_ID:[+-]|-[nzv]\s+[\"']?(?:\$\{?)?SLURM_JOB|"
    r"slurm_script|/spool/|command -v srun|squeue"
)
"""What shows that the author knows that a job's script is a copy."""
_DEFAULTS = (":-", "-", ":=", "=")


@dataclass(frozen=True, slots=True)
class FolderOfScript:
    """``dirname "$0"`` and the like."""

    span: Span
    """The ``$0`` or ``${BASH_SOURCE[0]}``."""
    name: str
    conditional: bool
    """True in a branch, a function, or as a default that the environment may replace."""


def script_folders(job: Job) -> Iterator[FolderOfScript]:
    """Yield each place where the script's own folder is asked for; nothing if it knows about the copy."""
    if not job.request.directives.lines or job.plan.submissions:
        return
    if _KNOWS_BETTER.search(without_comments(job)):
        return
    for parameter, place in nodes_of(job, Parameter):
        if parameter.name in _NAMES and not parameter.prefix and _takes_folder(parameter, place):
            name = "$0" if parameter.name == "0" else "BASH_SOURCE"
            yield FolderOfScript(parameter.span, name, _is_conditional(place))


def _takes_folder(parameter: Parameter, place: Place) -> bool:
    if parameter.operator in ("%", "%%"):
        return parameter.operator == "%" and any(word.literal == "/*" for word in parameter.arguments)
    simple = place.nearest(Simple)
    return simple is not None and simple.name in _FOLDER_COMMANDS


def _is_conditional(place: Place) -> bool:
    if place.inside(If, Case, Function):
        return True
    outer = [node for node in place.around if isinstance(node, (AndOr, Parameter))]
    if any(isinstance(node, Parameter) and node.operator in _DEFAULTS for node in outer):
        return True
    # `cd "$(dirname "$0")" && pwd` in a substitution asks without a condition.
    inside = False
    for node in place.around:
        if isinstance(node, CommandSubstitution):
            inside = True
        if isinstance(node, AndOr) and not inside:
            return "||" in node.operators
    return False
