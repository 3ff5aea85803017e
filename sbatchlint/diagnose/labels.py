"""What stands in front of a line: who wrote it, when, and how serious it is meant."""

from __future__ import annotations

import re
from dataclasses import replace

from sbatchlint.diagnose.stamps import GLOG, ISO, SYSLOG, Stamp, read_stamp
from sbatchlint.records import dataclass
from sbatchlint.regex import regex


@dataclass(frozen=True, slots=True)
class Label:
    """Who wrote a line, as far as it tells."""

    task: int | None = None
    """Slurm's number of the task in the step (``srun --label``); with torchrun it is not the rank."""
    local: int | None = None
    """The local rank (``[default3]:``)."""
    rank: int | None = None
    node: str | None = None

    def filled(self, other: Label) -> Label:
        """Return this label with what it lacks taken from *other*."""
        return Label(
            other.task if self.task is None else self.task,
            other.local if self.local is None else self.local,
            other.rank if self.rank is None else self.rank,
            self.node or other.node,
        )

    @property
    def empty(self) -> bool:
        """Whether it tells nothing."""
        return self == Label()


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a line, read."""

    label: Label
    stamp: Stamp | None
    level: str
    """``I``, ``W``, ``E`` or ``F``; empty where the line tells none."""
    rest: str
    """What follows labels, times and levels."""
    body: str
    """What follows the labels alone: the line as its process wrote it."""


_TASK = regex(r" {0,5}(\d{1,6}): ?(?!\d\d:)")
_LOCAL = regex(r"\[default(\d{1,5})\]: ?")
_RANK = regex(r"\[[Rr]ank[ :_]?(\d{1,6})\]:? ?|[Rr]ank (\d{1,6}): ")
_JOB = regex(r"[A-Za-z][\w.-]{0,100}/(\d{1,6}) (?=\[|[IWEF]\d|\d|Traceback|[A-Z])")
_NCCL = regex(r"([A-Za-z][\w.-]{0,200}):\d+:\d+ \[\d+\] (?:[\w.:-]+ )?NCCL (INFO|WARN|ERROR|TRACE) ?")
_STEPD = regex(r"(?:slurmstepd|srun|sbatch|salloc)(?:-(?P<node>[\w.-]+))?: (?:error|fatal): ")
_STAMP = regex(rf"\[?(?:NeMo )?(?P<letter>[IWEF] )?(?:{ISO.pattern})\]?:?[ \t]*")
_GLOG = regex(rf"\[?(?:{GLOG.pattern})[ \t]*")
_SYSLOG = regex(rf"\[?(?:{SYSLOG.pattern})\]?[ \t]*(?:[a-z][\w.-]* )?")
_ANYWHERE = regex(
    r"(?:[\[ |:(-]|^)(DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL)(?:[\] |:)-]|$)|\w{0,80}(Warning): "
)
_LETTERS = {
    "DEBUG": "I", "INFO": "I", "NOTICE": "I", "TRACE": "I", "WARN": "W", "WARNING": "W", "Warning": "W",
    "ERROR": "E", "CRITICAL": "F", "FATAL": "F",
}  # fmt: skip


def read_head(text: str) -> Head:
    """Return what the beginning of the line *text* tells."""
    label, body = _labels(text)
    stamp, level, rest = None, "", body
    for form in (_STAMP, _GLOG, _SYSLOG):
        match = form.match(rest)
        if match is not None:
            stamp = read_stamp(match)
            parts = match.groupdict()
            level = (parts.get("letter") or parts.get("level") or "").strip()
            rest = rest[match.end() :]
            label, rest = _behind_time(label, rest)
            break
    match = _STEPD.match(rest)
    if match is not None:
        label = label.filled(Label(node=match["node"]))
        return Head(label, stamp, "E", rest, body)
    match = _NCCL.match(rest)
    if match is not None:
        label = label.filled(Label(node=match[1]))
        return Head(label, stamp, _LETTERS[match[2]], rest[match.end() :], body)
    return Head(label, stamp, level or _level(rest), rest, body)


def _labels(text: str) -> tuple[Label, str]:
    task = local = rank = None
    at = 0
    match = _TASK.match(text) or _JOB.match(text)
    if match is not None:
        task, at = int(match[1]), match.end()
    match = _LOCAL.match(text, at)
    if match is not None:
        local, at = int(match[1]), match.end()
    match = _RANK.match(text, at)
    if match is not None:
        rank, at = int(match[1] or match[2]), match.end()
    return Label(task, local, rank), text[at:]


def _behind_time(label: Label, rest: str) -> tuple[Label, str]:
    """Take the labels at the beginning of *rest*, where something put a time in front of each line."""
    if label.local is not None or label.rank is not None:
        return label, rest
    found, after = _labels(rest)
    return (label.filled(found), after) if found.task is None else (label, rest)


def _level(rest: str) -> str:
    """Return how serious *rest* is meant."""
    match = _ANYWHERE.search(rest, 0, 160)
    return _LETTERS[match[1] or match[2]] if match is not None else ""


_BY_NAME = (
    (regex(r"(?:^|[^a-z])rank[_-]?(\d{1,6})(?!\d)", re.I), "rank"),
    (regex(r"(?:^|[^a-z])task[_-]?(\d{1,6})(?!\d)", re.I), "task"),
    (regex(r"attempt_\d+/(\d{1,5})/(?:stdout|stderr)"), "local"),
    (regex(r"\d{3}[_.-](\d{1,4})\.(?:out|err|log|txt)(?:\.gz)?$"), "task"),
)
_NODE_NAME = regex(
    r"(?:^|[_.-])((?:node|gpu|host|cn|nid|worker)[a-z-]{0,60}\d[\w-]{0,60}|n\d[\w-]{0,60})"
    r"\.(?:out|err|log|txt)",
    re.I,
)


def label_of_file(path: str) -> Label:
    """Return what the name of a log tells of who wrote it (``rank_3.log``, ``log_node01.out``)."""
    name = path.replace("\\", "/").rpartition("/")[2]
    fields: dict[str, int] = {}
    for form, field in _BY_NAME:
        match = form.search(path if field == "local" else name)
        if match is not None:
            fields.setdefault(field, int(match[1]))
    match = _NODE_NAME.search(name)
    label = Label(fields.get("task"), fields.get("local"), fields.get("rank"))
    return replace(label, node=match[1]) if match is not None else label
