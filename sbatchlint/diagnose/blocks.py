"""Reading what stands on several lines: tracebacks, and torchrun's summary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from sbatchlint.diagnose.facts import Place, Seen, WorkerEnd
from sbatchlint.diagnose.labels import Label, read_head
from sbatchlint.diagnose.stamps import find_stamp
from sbatchlint.diagnose.windows import Line
from sbatchlint.records import dataclass
from sbatchlint.regex import regex

TRACEBACK = "Traceback (most recent call last):"
PULSE = regex(
    r"\b(?i:iteration|iter|step|epoch|global_step)s?\b[ :=\[]{1,12}\d+ ?/? ?\d*|\d(\.\d+)?\s?(it/s|s/it)\b"
    r"|\b(lm |train_|reduced_train_)?loss\b ?[:=] ?\d|\bafter training is done\b"
    r"|[Tt]raining (is )?(finished|complete|done)"
    r"|successfully saved checkpoint|\brc=0\b|exit(ed with)? (code|status):? 0\b"
    r"|`?Trainer\.fit`? stopped: `?max_(steps|epochs)"
)
"""A line that shows work going on, or well done."""
SUCCESS = regex(r"\brc=0\b|exit(ed with)? (code|status):? 0\b")
_HEADING = "Root Cause (first observed failure):"
_DURING = "During handling of the above exception"
_BECAUSE = "The above exception was the direct cause"
_EXCEPTION = regex(r"(?P<name>[A-Za-z_][\w.]*)(?P<rest>: .*|:?[ \t]*)$", re.S)
_TIME = regex(r"\d\d:\d\d:\d\d")
_SAYING = regex(r"[a-z]{2} [^\]]{0,300}: $")
_CLOSED = regex(r"[\])]:? | - ")
_FIELD = regex(r"(time|host|rank|exitcode) +: +(\S+)(?: \((?:local_rank|pid): (\d{1,9})\))?")
_BARE = regex(r"(?P<parse>(Syntax|Indentation|Tab)Error)?([\w.]*(Error|Exception|Interrupt))?: \S")
_CARET = regex(rb"[ |]\^+[ \t]*$")
_CORNER = "\u2570\u2500".encode()
_ENTRY = regex(r"\[\d{1,6}\]:$")
_FAILED = regex(r"failed \(exitcode: (-?\d{1,3})\) local_rank: (\d{1,6})(?: \(pid: (\d{1,9})\))?")
_RETURNED = regex(r"(?:--local_rank=(\d{1,6})\b.*)?exits with return code = (-?\d{1,3})\b")
_STRANGERS = 40
"""So many lines of others may stand between the lines of a traceback that has no label."""


@dataclass(frozen=True, slots=True)
class Traceback:
    """What a traceback says, and what its process does behind it."""

    exception: Line | None
    text: str
    """The exception without labels; empty where the log breaks off."""
    first: bool
    """False where it was raised because of the one before it."""
    last: bool
    went_on: bool


def read_traceback(header: str, before: str, after: Iterable[Line], follow: int) -> Traceback:
    """Read the traceback whose first line is *header*.

    *before* are the lines above it, *after* those below, whoever wrote them.  The process is followed for
    *follow* of its lines behind the traceback.
    """
    prefix = header[: header.find(TRACEBACK)]
    head = read_head(header)
    knows_process = head.label.rank is not None or head.label.local is not None
    exception: Line | None = None
    said = ""
    last, went_on, behind = True, False, 0
    for line, body in _own(prefix, after, limit=0 if knows_process or prefix else _STRANGERS):
        if exception is None:
            if body[:1] in (" ", "\t", "") or body.startswith("|"):
                continue
            if body.startswith(TRACEBACK):
                break
            if _is_exception(body):
                exception, said = line, body.strip()
            elif prefix:
                break
            continue
        behind += 1
        if behind <= 4 and body.startswith(_DURING):
            last = False
        if behind > (follow if knows_process else 4):
            break
        if body[:1] not in (" ", "\t") and PULSE.search(body):
            went_on = knows_process
            break
    return Traceback(exception, said, _BECAUSE not in before, last, went_on)


def is_bare_exception(body: str, before: Iterable[bytes]) -> bool:
    """Tell whether *body* ends a traceback in a frame (rich), or what Python says of a file it can't parse.

    *before* are the lines above it, the nearest first.
    """
    match = _BARE.match(body)
    above = next(iter(before), b"") if match is not None else b""
    return bool(_CARET.search(above)) if match is not None and match["parse"] else _CORNER in above


def _is_exception(body: str) -> bool:
    match = _EXCEPTION.match(body)
    return match is not None and ("." in match["name"] or match["name"][0].isupper())


@lru_cache(maxsize=256)
def _moving(prefix: str) -> re.Pattern[str]:
    """Return the expression of *prefix* at another time, and without words that only the first line has."""
    fixed = prefix
    if _SAYING.search(prefix):
        closed = list(_CLOSED.finditer(prefix))
        fixed = prefix[: closed[-1].end() if closed else len(prefix) - len(prefix.lstrip(" "))]
    if not _TIME.search(fixed):
        return re.compile(re.escape(fixed))
    return re.compile(re.sub(r"\d+", r"\\d+", re.escape(fixed)).rstrip("\\ ") + " ?")


def _own(prefix: str, lines: Iterable[Line], *, limit: int) -> Iterator[tuple[Line, str]]:
    """Yield the lines that begin with *prefix* and what stands behind it; without one, lines without a label.

    A *limit* other than 0 says how many lines of others may lie between two of them.
    """
    strange = 0
    moving = _moving(prefix) if _TIME.search(prefix) or prefix.endswith(": ") else None
    for line in lines:
        text = line.text
        length = len(prefix)
        if moving is not None:
            match = moving.match(text)
            mine, length = match is not None, match.end() if match is not None else 0
        elif prefix:
            mine = text.startswith(prefix) or text == prefix.rstrip()
        else:
            mine = read_head(text).label.empty and not text.startswith(("srun: ", "slurmstepd: "))
        if mine:
            strange = 0
            yield line, text[length:]
            continue
        strange += 1
        if limit and strange > limit:
            return


def read_worker_end(header: Seen, after: Iterable[Line]) -> WorkerEnd:
    """Read torchrun's block about the worker that failed first, whose heading is *header*."""
    prefix = header.text[: header.text.find(_HEADING)]
    found = WorkerEnd(header)
    seen: set[str] = set()
    exception: Line | None = None
    in_traceback = False
    for line, body in _own(prefix, after, limit=0):
        if body.startswith("====") or _HEADING in body:
            break
        match = _FIELD.match(body.strip())
        if in_traceback and body.startswith("  ") and _is_exception(body[2:]):
            exception = line
        elif match is not None and match[1] not in seen:
            seen.add(match[1])
            found = replace(found, **_field(match))
        in_traceback = in_traceback or "traceback : Traceback" in body
    if exception is None:
        return found
    return replace(found, exception=_seen_in(header, exception, prefix, found))


def read_other_failures(header: Seen, before: Iterable[bytes]) -> list[WorkerEnd]:
    """Read the workers above *header* in torchrun's block, the first first; *before* are the lines above it.

    An agent that meets two ends at once may call the worker that it told to stop itself the root cause.
    """
    prefix = header.text[: header.text.find(_HEADING)]
    above: list[str] = []
    for data in before:
        text = data.decode("utf-8", "surrogateescape")
        if text.startswith(f"{prefix}Failures:"):
            break
        if text.startswith(prefix):
            above.append(text[len(prefix) :].strip())
    else:
        return []
    found: list[WorkerEnd] = []
    for body in reversed(above):
        match = _FIELD.match(body)
        if _ENTRY.match(body):
            found.append(WorkerEnd(header))
        elif match is not None and found:
            found[-1] = replace(found[-1], **_field(match))
    return found


def read_worker_failed(line: Seen) -> WorkerEnd:
    """Read the line in which an agent of torchrun, or DeepSpeed's launcher, tells that a worker failed."""
    match = _FAILED.search(line.text)
    if match is None:
        ended = _RETURNED.search(line.text)
        if ended is None:
            return WorkerEnd(line)
        local = int(ended[1]) if ended[1] else None
        return WorkerEnd(line, local=local, code=int(ended[2]), stamp=line.stamp)
    pid = int(match[3]) if match[3] else None
    return WorkerEnd(line, local=int(match[2]), code=int(match[1]), pid=pid, stamp=line.stamp)


def _seen_in(header: Seen, line: Line, prefix: str, worker: WorkerEnd) -> Seen:
    """Return the exception in a worker's block as the worker's own line."""
    host = worker.host if worker.host and not worker.host.startswith("localhost") else None
    label = Label(header.label.task, worker.local, worker.rank, header.label.node or host)
    place = Place(header.place.file, line.number)
    return Seen(place, line.text[len(prefix) :], label, worker.stamp)


def _field(match: re.Match[str]) -> dict[str, Any]:
    name, value = match[1], match[2]
    if name == "time":
        return {"stamp": find_stamp(value)}
    if name == "host":
        return {"host": value}
    if not re.fullmatch(r"-?\d{1,9}", value):
        return {}
    more = int(match[3]) if match[3] else None
    if name == "exitcode":
        return {"code": int(value), "pid": more}
    return {"rank": int(value), "local": more}
