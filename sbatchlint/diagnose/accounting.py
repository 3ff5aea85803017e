"""What ``sacct`` says of a job: its saved output in any of its forms, or asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from sbatchlint.diagnose.exit_codes import Exit, explain, explain_signal
from sbatchlint.diagnose.stamps import Stamp, find_stamp
from sbatchlint.diagnose.task_ends import expand_nodes
from sbatchlint.digits import whole_number
from sbatchlint.records import dataclass
from sbatchlint.regex import regex

_SIGNATURES = {
    "OUT_OF_MEMORY": "host-oom", "OUT_OF_ME+": "host-oom", "TIMEOUT": "time-limit", "DEADLINE": "time-limit",
    "NODE_FAIL": "node-fail", "BOOT_FAIL": "node-fail", "PREEMPTED": "preempted", "CANCELLED": "cancelled",
}  # fmt: skip
_NO_OUTPUT = (0, 53)
"""Exit code and signal of a job whose log or working folder could not be opened."""
_GOOD = ("COMPLETED", "RUNNING", "PENDING", "COMPLETING", "REQUEUED", "SUSPENDED", "CONFIGURING")
_BELOW = regex(r"[_+].*")
"""What stands behind the number of an array or of a heterogeneous job."""
FORMAT = "JobID,JobName,State,ExitCode,DerivedExitCode,NodeList,Start,End"
"""The columns that are asked for."""


class AccountingError(ValueError):
    """The output can't be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Row:
    """One job or step."""

    id: str
    state: str
    """``CANCELLED`` without who did it."""
    by: str = ""
    """The number of the user who cancelled it."""
    code: int = 0
    signal: int = 0
    nodes: tuple[str, ...] = ()
    end: Stamp | None = None

    @property
    def is_step(self) -> bool:
        """Whether it is a step of a job."""
        return "." in self.id


@dataclass(frozen=True, slots=True)
class Accounting:
    """What counts of a job's rows."""

    job: Row
    steps: tuple[Row, ...] = ()

    @property
    def state(self) -> str:
        """The state of the job; where it is good or only FAILED, that of a step that tells more."""
        if self.job.state in ("FAILED", "COMPLETED") or self.job.state not in _SIGNATURES:
            for step in self.steps:
                if step.state.startswith("OUT_OF_ME"):
                    return step.state
        return self.job.state

    @property
    def signature(self) -> str | None:
        """The id of the signature that the state stands for."""
        if (self.job.code, self.job.signal) == _NO_OUTPUT:
            return "output-open"
        return _SIGNATURES.get(self.state)

    @property
    def bad(self) -> bool:
        """Whether the job or a step of it ended badly."""
        return any(row.state not in _GOOD for row in (self.job, *self.steps))

    @property
    def nodes(self) -> tuple[str, ...]:
        """The nodes of the job."""
        return self.job.nodes

    @property
    def end(self) -> Stamp | None:
        """When the job ended."""
        return self.job.end

    @property
    def exit(self) -> Exit | None:
        """How the job ended, or the first step of it that ended badly."""
        for row in (self.job, *self.steps):
            if row.signal:
                return explain_signal(row.signal)
            if row.code:
                return explain(row.code)
        return explain(0) if self.job.state == "COMPLETED" else None

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is worth saying about the rows, for people."""
        by = f" by the user number {self.job.by}" if self.job.by else ""
        found = [
            f"sacct: job {self.job.id} is {self.job.state}{by}, exit code {self.job.code}:{self.job.signal}"
        ]
        failed = [row for row in self.steps if row.state not in _GOOD]
        for row in failed[:3]:
            found.append(f"sacct: step {row.id} is {row.state}, exit code {row.code}:{row.signal}")
        if self.job.state == "COMPLETED" and failed:
            found.append("the state of the job hides the failure: the script's last command succeeded")
        if (self.job.code, self.job.signal) == _NO_OUTPUT:
            found.append("0:53 means that the job's log or working folder could not be opened")
        return tuple(found)


def read_accounting(text: str, job: str | None = None) -> Accounting:
    """Read what sacct printed: ``-P``, ``--json`` or a plain table.

    *job* picks one where there are several; else it is the first.  Raises AccountingError.
    """
    text = text.removeprefix("\ufeff")
    rows = _from_json(text) if text.lstrip().startswith("{") else _from_table(text)
    chosen = _chosen([row for row in rows if not row.is_step], job)
    return Accounting(chosen, tuple(row for row in rows if row.id.startswith(f"{chosen.id}.")))


def _chosen(jobs: Sequence[Row], job: str | None) -> Row:
    """Return the row of the job that is meant; of a heterogeneous job the component that ended badly."""
    wanted = [row for row in jobs if job is None or row.id == job or _BELOW.sub("", row.id) == job]
    if not wanted:
        what = f"no job {job} in it" if job and jobs else "no job in it; give the output of sacct -P"
        raise AccountingError(what)
    exact = [row for row in wanted if row.id == job] or wanted
    ids = dict.fromkeys(row.id for row in exact)
    if len(ids) == 1:
        return exact[-1]  # a requeued job has a row for each start
    if len({name.partition("+")[0] for name in ids}) == 1:
        return next((row for row in exact if row.state not in _GOOD), exact[-1])
    bad = dict.fromkeys(row.id for row in exact if row.state not in _GOOD)
    names = ", ".join([*(bad or ids)][:4])
    raise AccountingError(f"{len(ids)} jobs in it; say which with --job ({names})")


def _from_table(text: str) -> list[Row]:
    lines = [line for line in text.splitlines() if line.strip()]
    at = next((n for n, line in enumerate(lines) if re.match(r"\s*JobID(Raw)?\b", line)), None)
    if at is None:
        raise AccountingError("no heading with JobID; give the output of sacct -P, or of sacct --json")
    rows = []
    for names, values in _cells(lines[at:]):
        fields = dict(zip(names, values, strict=False))
        fields.setdefault("JobID", fields.get("JobIDRaw", ""))
        if fields.get("JobID", "").strip():
            rows.append(_row(fields))
    return rows


def _cells(lines: Sequence[str]) -> list[tuple[list[str], list[str]]]:
    head, body = lines[0], lines[1:]
    if "|" in head:
        names = head.split("|")
        return [(names, line.split("|")) for line in body]
    rule = body[0] if body and set(body[0].strip()) <= {"-", " "} else None
    if rule is None:
        raise AccountingError("the columns can't be told apart; give the output of sacct -P")
    spans = [(match.start(), match.end()) for match in re.finditer(r"-+", rule)]
    names = [head[start:end].strip() for start, end in spans]
    return [(names, [line[start:end].strip() for start, end in spans]) for line in body[1:]]


def _row(fields: Mapping[str, str]) -> Row:
    state, _, rest = fields.get("State", "").strip().partition(" ")
    code, _, signal = fields.get("ExitCode", "0:0").strip().partition(":")
    by = rest.removeprefix("by ").strip() if rest.startswith("by ") else ""
    nodes = fields.get("NodeList", "").strip()
    known = nodes and nodes not in ("None assigned",) and not nodes.endswith("+")
    return Row(
        fields["JobID"].strip(),
        _whole(state),
        by,
        whole_number(code) or 0,
        whole_number(signal) or 0,
        expand_nodes(nodes) if known else (),
        find_stamp(fields.get("End", "")),
    )


def _whole(state: str) -> str:
    """Return a state that a narrow column cut short in full."""
    if not state.endswith("+"):
        return state
    names = ("CANCELLED", "OUT_OF_MEMORY", "COMPLETED", "PREEMPTED", "NODE_FAIL", "COMPLETING")
    return next((name for name in names if name.startswith(state[:-1])), state)


def _from_json(text: str) -> list[Row]:
    try:
        data = json.loads(text)
        return [row for job in data["jobs"] for row in _json_job(job)]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise AccountingError("not the JSON that sacct --json prints") from error


def _json_job(job: Mapping[str, Any]) -> list[Row]:
    number = str(job["job_id"])
    array = job.get("array") or {}
    task = (array.get("task_id") or {}).get("number") if isinstance(array.get("task_id"), dict) else None
    if array.get("job_id") and task is not None:
        number = f"{array['job_id']}_{task}"
    killed_by = str((job.get("kill_request_user") or "") if "CANCELLED" in _json_state(job) else "")
    rows = [_json_row(number, job, job.get("nodes") or "", killed_by)]
    for step in job.get("steps") or ():
        name = step["step"]["id"]
        name = str(name["step_id"] if isinstance(name, dict) else name)
        nodes = step.get("nodes") or {}
        rows.append(_json_row(f"{number}.{name.rpartition('.')[2]}", step, str(nodes.get("range") or ""), ""))
    return rows


def _json_state(row: Mapping[str, Any]) -> str:
    state = row.get("state")
    state = state.get("current") if isinstance(state, dict) else state
    if isinstance(state, list):
        state = state[0] if state else ""
    return str(state or "")


def _json_row(number: str, row: Mapping[str, Any], nodes: str, by: str) -> Row:
    ended = row.get("exit_code") or {}
    signal = ended.get("signal") or {}
    known = nodes and nodes != "None assigned"
    return Row(
        number,
        _json_state(row),
        by,
        _number(ended.get("return_code")),
        _number(signal.get("id", signal.get("signal_id"))),
        expand_nodes(nodes) if known else (),
    )


def _number(value: Any) -> int:
    if isinstance(value, dict):
        value = value.get("number")
    return value if isinstance(value, int) else 0
