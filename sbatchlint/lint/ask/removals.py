"""What ``rm -r`` would remove if a variable in its words were empty."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum

from sbatchlint.lint.ask.commands import written_commands
from sbatchlint.lint.ask.settings import settings_of
from sbatchlint.lint.ask.shell_modes import mode_set_by, starts_with
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.environment import job_variables
from sbatchlint.source import Span

_VARIABLE = regex(r"\$(?:(?P<bare>[A-Za-z_]\w*)|\{(?P<braced>[A-Za-z_]\w*)\})")
_RECURSIVE = regex(r"-[a-qs-zA-QS-Z]*[rR][a-zA-Z]*|--recursive")
_OTHER_EXPANSION = regex(r"[$`]")
_ALWAYS = frozenset("HOME USER PWD LOGNAME HOSTNAME SHELL UID EUID PPID RANDOM SECONDS BASHPID".split())
_BY_SITE = regex(r"\w*(?:TMP|TEMP|SCRATCH|WORK|PROJECT|STORE|DATA)\w*")
"""Variables that many sites set for every job."""
_PRECIOUS = regex(
    r"/+(?:\*|\.\*)?|"
    r"/+(?:tmp|var/tmp|dev/shm|home|root|usr|bin|etc|lib|opt|var|mnt|data|scratch|work|projects?|lustre|gpfs|fsx|nfs)"
    r"(?:/+\*?)?|"
    r"@HOME(?:/+\*?)?|\*|\.{1,2}/*\*?"
)


class Emptiness(Enum):
    """Why a variable may be empty."""

    UNSET = "nothing in the script sets it"
    SITE = "only some sites set it"
    JOB = "it is set inside a Slurm job only"
    MAYBE = "what sets it may give nothing"


@dataclass(frozen=True, slots=True)
class Removal:
    """One word of an ``rm -r`` that names something else where its variables are empty."""

    command: Span
    word: Span
    text: str
    """The word as it is written."""
    left: str
    """What would be removed."""
    variables: tuple[tuple[str, Span], ...]
    why: Emptiness

    @property
    def guarded(self) -> str:
        """The word written so that the shell stops instead."""
        text, shift = self.text, self.word.start
        for name, span in reversed(self.variables):
            text = text[: span.start - shift] + f"${{{name}:?}}" + text[span.end - shift :]
        plain = not re.search(r"[\"'*?\[\\]", self.text)
        return f'"{text}"' if plain else text


def removals(job: Job) -> Iterator[Removal]:
    """Yield the words of the script's own ``rm -r`` commands whose variables may leave a precious place.

    Nothing is yielded for a variable that the script tests, that is used with ``:?``, or that ``set -u``
    looks after.
    """
    strict = starts_with(job, "nounset")
    for command in written_commands(job):
        state = mode_set_by(command, "nounset")
        strict = strict if state is None else state
        words = [job.source.slice(word.span) for word in command.arguments]
        if command.name == "rm" and is_recursive(words):
            for word in command.arguments:
                found = _removal(job, command.span, word.span, strict)
                if found is not None:
                    yield found


def is_recursive(words: Iterable[str]) -> bool:
    """Tell whether *words* of ``rm`` make it remove folders with all that is in them."""
    return any(_RECURSIVE.fullmatch(word) for word in words)


def _removal(job: Job, command: Span, span: Span, strict: bool) -> Removal | None:
    text = job.source.slice(span)
    if "'" in text or "\\" in text:
        return None
    variables: list[tuple[str, Span]] = []
    reasons: list[Emptiness] = []

    def emptied(match: re.Match[str]) -> str:
        name = match["bare"] or match["braced"]
        reason = _emptiness(job, name, strict)
        if reason is None:
            return "@HOME" if name == "HOME" else "x"
        variables.append((name, Span(span.start + match.start(), span.start + match.end())))
        reasons.append(reason)
        return ""

    left = _VARIABLE.sub(emptied, text).replace('"', "")
    if not variables or _OTHER_EXPANSION.search(left) or not _PRECIOUS.fullmatch(left.replace("~", "@HOME")):
        return None
    why = min(reasons, key=lambda one: list(Emptiness).index(one) * -1)
    return Removal(command, span, text, left, tuple(variables), why)


def _emptiness(job: Job, name: str, strict: bool, depth: int = 0) -> Emptiness | None:
    """Why the variable may be empty; None where it is not, or where the script looks after that."""
    if name in _ALWAYS or depth > _DEEPEST or _is_tested(job, name):
        return None
    values = [setting.value for setting in settings_of(job) if setting.name == name]
    if not values:
        if strict or _is_set_otherwise(job, name):
            return None
        if name in job_variables(job.request) or name.startswith("SLURM_"):
            return Emptiness.JOB
        return Emptiness.SITE if _BY_SITE.fullmatch(name) else Emptiness.UNSET
    reasons = [
        None if value is None else _of_value(job, job.source.slice(value), strict, depth) for value in values
    ]
    return None if None in reasons else reasons[0]


_DEEPEST = 5


def _of_value(job: Job, text: str, strict: bool, depth: int) -> Emptiness | None:
    """Why the value of an assignment may be empty; only a lone variable or substitution can be."""
    bare = text.strip('"')
    only = _VARIABLE.fullmatch(bare)
    if only is not None:
        return _emptiness(job, only["bare"] or only["braced"], strict, depth + 1)
    lone = bare.startswith("$(") and bare.endswith(")") and bare.count("$(") == 1
    sure = re.match(r"\$\(\s*(?:mktemp|pwd|date|hostname|basename|dirname|realpath|readlink|cd)\b", bare)
    return Emptiness.MAYBE if lone and not sure else None


def _is_tested(job: Job, name: str) -> bool:
    variable = rf"\"?\$\{{?{name}\b"
    ways = (
        rf"(?:\[|\btest\b)[^\]\n;]{{0,500}}-[nzdefrwxs]\s+{variable}",
        rf"{variable}\}}?\"?\s*(?:==?|!=)",
        rf"\$\{{{name}(?::?\?|:?[-=+])",
        rf"\[\[?\s+{variable}\}}?\"?\s+\]",
    )
    return re.search("|".join(ways), job.source.text) is not None


def _is_set_otherwise(job: Job, name: str) -> bool:
    """Whether a loop, ``read`` or another command fills the variable, or a file that is sourced may."""
    fills = (
        rf"\b(?:for|select)\s+{name}\b"
        rf"|\b(?:read|mapfile|readarray|getopts|printf\s+-v)\b[^\n;]{{0,500}}\b{name}\b"
    )
    sources = r"^[ \t]*(?:source|\.)[ \t]|\beval\b"
    return re.search(fills + rf"|\b{name}\+?=|" + sources, job.source.text, re.MULTILINE) is not None
