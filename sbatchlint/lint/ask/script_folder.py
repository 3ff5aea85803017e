"""Where a script asks for the folder that it stands in, which in a job is Slurm's spool folder."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.lint.ask.code_text import without_comments
from sbatchlint.lint.ask.nodes import Place, nodes_of
from sbatchlint.lint.ask.variable_uses import Use, is_conditional, set_by, use_of_variable
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Parameter, Simple
from sbatchlint.source import Span

_FOLDER_COMMANDS = frozenset(("dirname", "realpath", "readlink"))
_NAMES = ("0", "BASH_SOURCE")
_KNOWS_BETTER = regex(
    r"SLURM_SUBMIT_DIR|scontrol\s+show\s+job|SLURM_JOB_ID:[+-]|-[nzv]\s+[\"']?(?:\$\{?)?SLURM_JOB|"
    r"slurm_script|/spool/|command -v srun|squeue"
)
"""What shows that the author knows that a job's script is a copy."""


@dataclass(frozen=True, slots=True)
class FolderOfScript:
    """``dirname "$0"`` and the like."""

    span: Span
    """The ``$0`` or ``${BASH_SOURCE[0]}``."""
    name: str
    conditional: bool
    """True in a branch, a function, as a default that the environment may replace, or if only used so."""


def script_folders(job: Job) -> Iterator[FolderOfScript]:
    """Yield each place where the script's own folder is asked for and used.

    Nothing if the script knows about the copy.
    """
    if not job.request.directives.lines or job.plan.submissions:
        return
    if _KNOWS_BETTER.search(without_comments(job)):
        return
    for parameter, place in nodes_of(job, Parameter):
        if parameter.name in _NAMES and not parameter.prefix and _takes_folder(parameter, place):
            name = "$0" if parameter.name == "0" else "BASH_SOURCE"
            use = _use(job, place)
            if use is not Use.NONE:
                yield FolderOfScript(parameter.span, name, is_conditional(place) or use is Use.MAYBE)


def _use(job: Job, place: Place) -> Use:
    """What is done with the folder: at once, or with the variable that it becomes the value of."""
    name = set_by(job, place)
    return Use.SURE if name is None else use_of_variable(job, name)


def _takes_folder(parameter: Parameter, place: Place) -> bool:
    if parameter.operator in ("%", "%%"):
        return parameter.operator == "%" and any(word.literal == "/*" for word in parameter.arguments)
    simple = place.nearest(Simple)
    return simple is not None and simple.name in _FOLDER_COMMANDS
