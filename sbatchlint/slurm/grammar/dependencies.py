"""What a job waits for: ``--dependency``.

Sources: ``update_job_dependency`` (to 25.05) and ``_parse_dependency_str`` (from 25.11) of
``src/slurmctld/job_scheduler.c``.  Whether the jobs exist, only the cluster knows.
"""

from __future__ import annotations

import re

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused, Stage
from sbatchlint.slurm.grammar.c_text import leading_integer, lower, wrap
from sbatchlint.slurm.options import Release

_STRICT = (25, 11)
"""From here on all separators are the same, and nothing may be left unread at the end."""
_KINDS = (
    ("afternotok:", "afternotok"),
    ("aftercorr:", "aftercorr"),
    ("afterany:", "afterany"),
    ("afterok:", "afterok"),
    ("afterburstb", "afterburstbuffer"),
    ("after:", "after"),
    ("expand:", "expand"),
)
"""How an item begins, in the order in which Slurm looks; of afterburstbuffer it reads no more letters."""
_SINGLETON = "singleton"
_MAY_FOLLOW = ("", ",", "?", ":", "+", "(")


@dataclass(frozen=True, slots=True)
class Dependency:
    """One thing to wait for."""

    kind: str
    """``afterok`` and its like, in lower case; ``singleton``."""
    job: int | None = None
    """None for singleton."""
    task: str = ""
    """Of an array: ``3``, ``*`` or ``1-3,5``; empty for the whole job."""
    delay: int = 0
    """Minutes to wait after the job has started (or, for other kinds than ``after``, ended)."""


@dataclass(frozen=True, slots=True)
class Dependencies:
    """All that a job waits for."""

    items: tuple[Dependency, ...]
    any: bool = False
    """True where one of them is enough (``?``)."""


class _Reader:
    """The state of reading one list."""

    def __init__(self, text: str, release: Release) -> None:
        self.rest = text
        self.strict = release >= _STRICT
        self.items: list[Dependency] = []
        self.separators: set[str] = set()

    def read(self) -> Dependencies:
        more = True
        while more:
            more = self._item()
        if self.strict and len(self.separators) > 1:
            raise _refusal("from 25.11 on , and ? can't be mixed")
        return Dependencies(tuple(self.items), "?" in self.separators)

    def _item(self) -> bool:
        """Read one item; tell whether another follows."""
        folded = lower(self.rest)
        if folded.startswith(_SINGLETON):
            self._skip_state(self.rest[len(_SINGLETON) :])
            self.items.append(Dependency(_SINGLETON))
            return self._separator(at_end=True)
        if ":" not in self.rest and self.rest[:1] in tuple("0123456789"):
            self._job("afterany", plain=True)
            return self._separator(",", at_end=True)
        kind = next((kind for start, kind in _KINDS if folded.startswith(start)), "")
        if not kind or ":" not in self.rest:
            raise _refusal("it takes TYPE:JOB, such as afterok:123, or singleton")
        self.rest = self.rest.partition(":")[2]
        self._job(kind)
        while self.rest.startswith(":"):
            self.rest = self.rest[1:]
            self._job(kind)
        return self._separator(at_end=self.strict)

    def _job(self, kind: str, *, plain: bool = False) -> None:
        """Read a job and what belongs to it; *plain* where only a comma may follow its number."""
        number, rest = leading_integer(self.rest)
        job = wrap(number, 32, signed=False)
        task, rest = self._task(rest)
        several = "-" in task or "," in task
        # Of several tasks Slurm makes several jobs; a state far behind then hides what stands between.
        if (
            not job
            or (plain and several)
            or not (rest[:1] in (("", ",") if plain else _MAY_FOLLOW) or (several and "(" in rest))
        ):
            raise _refusal(f"{self.rest or 'nothing'} is no job number")
        delay = 0
        if rest.startswith("+"):
            delay, rest = leading_integer(rest[1:])
            if wrap(delay, 32) <= 0:
                raise _refusal("+ needs a number of minutes above zero")
        self._skip_state(rest)
        self.items.append(Dependency(kind, job, task, delay))

    def _task(self, rest: str) -> tuple[str, str]:
        if not rest.startswith("_"):
            return "", rest
        if rest.startswith("_*"):
            return "*", rest[2:]
        listed, closed, after = rest[2:].partition("]")
        if rest.startswith("_[") and closed and (tasks := _tasks(listed)):
            return tasks, after
        number, after = leading_integer(rest[1:])
        if after == rest[1:] and self.strict:
            raise _refusal("the number of an array's task is missing")
        return str(number), after

    def _skip_state(self, rest: str) -> None:
        """Go past a state in brackets, which ``scontrol show`` prints and which may stand farther on."""
        opened = "(" in rest
        if opened and ")" not in rest:
            raise _refusal("a bracket is not closed")
        self.rest = rest.partition(")")[2] if opened else rest

    def _separator(self, allowed: str = ",?", *, at_end: bool) -> bool:
        char = self.rest[:1]
        if char and char in allowed:
            self.separators.add(char)
            self.rest = self.rest[1:]
            return True
        if self.rest and at_end:
            raise _refusal(f"{self.rest} can't stand there")
        return False


def _tasks(listed: str) -> str:
    """Spell the tasks of ``_[1-3,5]``, of which anything but digits, commas and dashes is passed over."""
    if stepped := re.fullmatch("([0-9]+)-([0-9]+):([0-9]+)", listed):
        first, last, step = (leading_integer(number)[0] for number in stepped.groups())
        return listed if first < last and step else ""
    if ":" in listed or listed[:1] in ("", ","):
        return ""
    return ",".join(filter(None, map(_task_range, listed.split(","))))


def _task_range(part: str) -> str:
    """Spell ``3`` or ``1-3``; a range that runs backwards holds no task and is empty."""
    numbers = [leading_integer(digits)[0] for digits in re.sub("[^0-9-]", "", part).split("-")]
    low, high = numbers[-2:] if len(numbers) > 1 else numbers * 2
    return f"{low}-{high}" if low < high else str(low) if low == high else ""


def _dependencies(text: str, context: Context) -> Dependencies:
    if text in ("", "0"):
        return Dependencies(())
    return _Reader(text, context.release).read()


def _refusal(detail: str) -> Refused:
    return Refused("Job dependency problem", detail, stage=Stage.CONTROLLER)


DEPENDENCY = Grammar(
    "dependency",
    "jobs to wait for",
    (
        ("TYPE:JOB", "afterok, afternotok, afterany, after, aftercorr or afterburstbuffer of a job"),
        ("TYPE:JOB:JOB", "of each of them"),
        ("TYPE:JOB+MIN", "so many minutes later"),
        ("TYPE:JOB_TASK", "of one task of an array; * and [1-3] are several"),
        ("JOB", "afterany:JOB"),
        ("singleton", "no other job of this name and user runs"),
        ("ITEM,ITEM", "all of them"),
        ("ITEM?ITEM", "one of them"),
    ),
    ("afterok:123", "afterok:12:13", "after:5+10", "123", "singleton", "after:1?afterany:2", "AFTEROK:5", ""),
    ("afterok", "afterok:", "afterok:x", "before:1", "$JID", "afterok:1,", "afterok:1+0", "singletonx"),
    _dependencies,
    (
        "From 23.02 on afterok and afternotok of a job that Slurm does not know (any more) are refused.",
        "`,` and `?` can be mixed before 25.11, and then `?` rules.",
    ),
)
