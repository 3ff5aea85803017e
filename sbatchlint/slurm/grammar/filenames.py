"""File names of ``--output``, ``--error`` and ``--input``, and folders.

Sources: ``src/slurmd/common/fname.c`` (until 25.05), ``expand_stdio_fields`` in ``src/common/print_fields.c``
(since 25.11), ``_validate_job_desc`` in ``src/slurmctld/job_mgr.c`` for the lengths.
"""

from __future__ import annotations

import re
from dataclasses import field

from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.grammar.base import Context, Grammar
from sbatchlint.slurm.grammar.c_text import lower
from sbatchlint.slurm.grammar.texts import refuse_longer
from sbatchlint.slurm.options import KNOWN_RELEASES, Release

PATH_LIMIT = 4096
"""Bytes of the longest path."""

_SPECIFIERS = "aAjJnNstux"
_SINCE = {"b": (24, 11), "r": (25, 11), "S": (25, 11)}
"""Specifiers that came later, with their first release."""
_UNKNOWN_KEEPS_WIDTH = (25, 11)
"""From here on an unknown ``%5Z`` stays as it is; until then it lost its percent sign."""
_NOT_PADDED = frozenset("NSux")
_GREATEST_WIDTH = 10
_PERCENT = regex(r"%(?:%|(\d*)([^%]?))", re.ASCII)
_NULL = "/dev/null"
NO_ARRAY_TASK = 2**32 - 2
"""What ``%a`` writes for a job that is no array."""


@dataclass(frozen=True, slots=True)
class JobFacts:
    """What a batch job's file names are made from."""

    job_id: int
    job_name: str
    user: str
    node: str
    """Short host name of the machine that the batch script runs on."""
    array_job_id: int | None = None
    array_task: int | None = None
    restarts: int = 0


@dataclass(frozen=True, slots=True)
class FilePattern:
    """A file name in which Slurm replaces specifiers such as ``%j``."""

    text: str
    """As written, ``none`` already turned into ``/dev/null``."""
    release: Release = field(repr=False)
    """The first series that replaces all in it as the one does that it was read for."""

    @property
    def is_null(self) -> bool:
        """Whether nothing is written or read."""
        return self.text == _NULL

    @property
    def literal(self) -> bool:
        """Whether a backslash in it turns all replacing off."""
        return "\\" in self.text

    @property
    def specifiers(self) -> tuple[str, ...]:
        """The letters that the release replaces, in the order written: ``%A_%4a`` gives ``A``, ``a``."""
        if self.literal:
            return ()
        return tuple(letter for _, letter in self._matches() if self._knows(letter))

    @property
    def unknown(self) -> tuple[str, ...]:
        """What looks like a specifier and is none in the release (``%Z``): it stays in the name."""
        if self.literal:
            return ()
        return tuple(letter for _, letter in self._matches() if letter and not self._knows(letter))

    def is_the_same_for_all_tasks(self) -> bool:
        """Tell whether all tasks of a job array would write to one file."""
        return not self.is_null and not {"a", "j", "J", "b", "S"} & set(self.specifiers)

    def expand(self, facts: JobFacts) -> str:
        """Give the name that the batch script's own file gets; ``%S`` stays, only the controller knows it."""
        if self.literal:
            return self.text.replace("\\", "")
        return _PERCENT.sub(lambda match: self._replacement(match, facts), self.text)

    def _matches(self) -> list[tuple[str, str]]:
        return [(match[1], match[2]) for match in _PERCENT.finditer(self.text) if match[0] != "%%"]

    def _knows(self, letter: str) -> bool:
        return bool(letter) and (
            letter in _SPECIFIERS or (letter in _SINCE and self.release >= _SINCE[letter])
        )

    def _replacement(self, match: re.Match[str], facts: JobFacts) -> str:
        width, letter = match[1], match[2]
        if match[0] == "%%":
            return "%"
        if not self._knows(letter):
            if self.release >= _UNKNOWN_KEEPS_WIDTH or not width:
                return match[0]
            return width[-1] + letter
        value = str(_values(facts)[letter])
        if letter in _NOT_PADDED or not width:
            return value
        zeros = min(int(width.lstrip("0")[:3] or "0"), _GREATEST_WIDTH)
        return value.rjust(zeros, "0") if value.isdigit() else value


def _values(facts: JobFacts) -> dict[str, str | int]:
    task = NO_ARRAY_TASK if facts.array_task is None else facts.array_task
    return {
        "a": task,
        "A": facts.job_id if facts.array_job_id is None else facts.array_job_id,
        "b": task % 10,
        "j": facts.job_id,
        "J": facts.job_id,
        "n": 0,
        "N": facts.node,
        "r": facts.restarts,
        "s": "batch",
        "S": "%S",
        "t": 0,
        "u": facts.user,
        "x": facts.job_name,
    }


def _filename(text: str, context: Context) -> FilePattern:
    refuse_longer(text, PATH_LIMIT)
    return FilePattern(_NULL if lower(text) == "none" else text, _since(text, context.release))


def _since(text: str, release: Release) -> Release:
    """Return the first series that replaces what is in *text* as *release* does."""
    found = [match[1] for match in _PERCENT.finditer(text) if match[1]]
    changes = [_UNKNOWN_KEEPS_WIDTH] if found else []
    changes += [since for letter, since in _SINCE.items() if letter in text]
    return max((since for since in changes if since <= release), default=KNOWN_RELEASES[0])


def _path(text: str, context: Context) -> str:
    if context.option == "chdir":
        refuse_longer(text, PATH_LIMIT)
    return text


_TOO_LONG = "x" * (PATH_LIMIT + 1)

GRAMMARS = (
    Grammar(
        "filename",
        "a file name, in which %j, %x and the like are replaced",
        (
            ("%j", "job id; %J the same, with the step's number in a step"),
            ("%A, %a", "job id and index of a job array"),
            ("%b", "index of a job array modulo 10 (since 24.11)"),
            ("%x", "job name"),
            ("%u", "user name"),
            ("%N, %n", "name of the node, number of the node in the job"),
            ("%s, %t", "step id (batch), task number"),
            ("%r, %S", "times restarted, Slurm's long job id (since 25.11)"),
            ("%5j", "padded with zeros to at most 10 digits"),
            ("%%", "a percent sign"),
            ("none", "/dev/null"),
        ),
        ("slurm-%j.out", "logs/%x_%A_%a.log", "%5j", "none", "%Z", "100%", "a\\b%j", ""),
        (_TOO_LONG,),
        _filename,
        (
            "A letter that is no specifier stays in the name: %Z, %h.",
            "A backslash anywhere turns all replacing off and is left out.",
            "Without a job array %a writes 4294967294.",
            "Slurm expands neither ~ nor $HOME.",
        ),
    ),
    Grammar(
        "path",
        "a path; a relative one stands below the folder of submission",
        (("PATH", "taken as it is: neither ~ nor $HOME is expanded"),),
        ("/scratch/run", "run", "~/run", ""),
        (),
        _path,
    ),
)
