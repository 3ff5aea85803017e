"""Comparing the variable ``job`` with what ``scontrol show job`` says of the same script."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from pathlib import PurePosixPath
from typing import Any

from celpy.evaluation import CELEvalError

from sbatchlint.certainty import Certainty
from sbatchlint.lint.job import Job, LintOptions
from sbatchlint.policy.context import variables_of
from sbatchlint.policy.values import LONGEST
from sbatchlint.slurm.grammar.hosts import HostList
from sbatchlint.source import Source
from tests.conformance.random_scripts import Submission

Shown = Mapping[str, str]
"""The fields of a job as ``scontrol`` shows them; what is not set is left out."""
Difference = tuple[str, Any, Any]
"""A field of ``job``, our value, and Slurm's."""
_UNITS = {"": 1, "K": 2**-10, "M": 1, "G": 1024, "T": 1024**2}
DEFAULT_TIME = "01:00:00"
"""Of the partition that jobs of the oracle get."""


def values(submission: Submission, release: str, name: str) -> list[Mapping[str, Any]]:
    """Return what is known of each component of the job."""
    options = LintOptions(
        release, sbatch_args=submission.arguments, submit_environment=submission.environment
    )
    job = Job(Source.from_bytes(submission.text.encode("utf-8", "surrogateescape"), name), options)
    return [
        variables_of(job, ["job"], number, Certainty.KNOWN)["job"]
        for number in range(len(job.request.components))
    ]


def differences(ours: Mapping[str, Any], shown: Shown, name: str) -> Iterator[Difference]:
    """Yield the known values of *ours* that are not what Slurm says."""
    for field, read in _FIELDS.items():
        if isinstance(ours[field], CELEvalError):
            continue
        truth = read(shown, name)
        if truth is not None and not _same(ours[field], truth):
            yield field, ours[field], truth


def known_fields(ours: Mapping[str, Any]) -> int:
    """Return how many of the compared fields are known."""
    return sum(not isinstance(ours[field], CELEvalError) for field in _FIELDS)


def _same(ours: Any, truth: Any) -> bool:
    return bool(truth(ours)) if callable(truth) else bool(ours == truth)


def _text(field: str) -> Callable[[Shown, str], Any]:
    return lambda shown, _: shown.get(field, "")


def _name(shown: Shown, path: str) -> Any:
    own = PurePosixPath(path).name
    return lambda ours: (ours or own) == shown.get("JobName", "") or (not ours and "JobName" not in shown)


def _time(shown: Shown, _: str) -> Any:
    return _span(shown["TimeLimit"])


def _span(text: str) -> timedelta | None:
    if text in ("UNLIMITED", "N/A", "Partition_Limit"):
        return LONGEST if text == "UNLIMITED" else None
    days, dash, clock = text.rpartition("-")
    hours, minutes, seconds = map(int, clock.split(":"))
    return timedelta(days=int(days) if dash else 0, hours=hours, minutes=minutes, seconds=seconds)


def _mebibytes(text: str | None) -> float | None:
    match = re.fullmatch(r"([0-9.]+)([KMGT]?)", text or "")
    return float(match[1]) * _UNITS[match[2]] if match is not None else None


def _memory(field: str) -> Callable[[Shown, str], Any]:
    def read(shown: Shown, _: str) -> Any:
        amount = _mebibytes(shown.get(field))
        # scontrol rounds to two decimals of its unit
        return lambda ours: amount is not None and abs(int(ours) / 2**20 - amount) <= max(1, amount * 0.01)

    return read


def _gpus(shown: Shown, _: str) -> Any:
    match = re.search(r"gres/gpu=([0-9]+)", shown.get("TRES", ""))
    if match is not None:
        return int(match[1])
    asked = any("gpu" in shown.get(field, "") for field in _TRES)
    return None if asked or shown.get("TRES") is None else 0


_TRES = ("TresPerJob", "TresPerNode", "TresPerTask", "TresPerSocket")


def _asks(shown: Shown, _: str) -> Any:
    items = [item for field in _TRES for item in shown.get(field, "").split(",") if "gpu" in item]
    return any(re.search("[:=]0$", item) is None for item in items)


def _per_node(shown: Shown, _: str) -> Any:
    if not any("gpu" in shown.get(field, "") for field in _TRES):
        return 0
    return _count_of(shown.get("TresPerNode"))


def _per_task(shown: Shown, _: str) -> Any:
    if not any("gpu" in shown.get(field, "") for field in _TRES):
        return 0
    return _count_of(shown.get("TresPerTask"))


def _count_of(text: str | None) -> int | None:
    items = [item.split(":") for item in (text or "").replace("gres/", "gres:").split(",") if "gpu" in item]
    # Of one type that is named twice the last counts.
    counts = {tuple(item[:-1]): int(item[-1]) for item in items if re.fullmatch("[0-9]+", item[-1])}
    return (
        sum(counts.values()) if len(counts) == len({tuple(item[:-1]) for item in items}) and items else None
    )


def _least_nodes(shown: Shown, _: str) -> Any:
    """``NumNodes`` is a guess while a job waits that names no number; what it is charged for is none."""
    match = re.search(r"\bnode=([0-9]+)", shown.get("TRES", ""))
    return None if match is None else int(match[1])


def _most_nodes(shown: Shown, _: str) -> Any:
    most = shown["NumNodes"].partition("-")[2]
    return int(most) if most.isdecimal() else None


def _number(field: str, part: int | None = None) -> Callable[[Shown, str], Any]:
    def read(shown: Shown, _: str) -> Any:
        text = shown.get(field, "")
        text = text if part is None else text.split(":")[part]
        return int(text) if text.isdecimal() else None

    return read


def _names(field: str, cut: str = "") -> Callable[[Shown, str], Any]:
    def read(shown: Shown, _: str) -> Any:
        found = shown.get(field, "")
        return [re.split(cut, one)[0] if cut else one for one in re.split("[,;]", found) if one]

    return read


def _hosts(field: str) -> Callable[[Shown, str], Any]:
    def read(shown: Shown, _: str) -> Any:
        names = set(HostList((shown[field],)).names() or ()) if field in shown else set()
        if field == "ReqNodeList":  # before 23.02 cut to the number of tasks
            return lambda ours: bool(ours) == bool(names) and set(ours) >= names
        return lambda ours: set(ours) == names or "HetJobId" in shown

    return read


def _file(field: str) -> Callable[[Shown, str], Any]:
    """Names without ``%`` and without a folder are compared; Slurm shows them with the working directory."""

    def read(shown: Shown, _: str) -> Any:
        path = shown.get(field, "")
        return lambda ours: (
            ours == "none"
            or "%" in ours
            or "\\" in ours
            or (not ours and PurePosixPath(path).name.startswith("slurm-"))
            or path == str(PurePosixPath(shown["WorkDir"]) / ours)
            or path.endswith("/" + ours)
            or path == ours
        )

    return read


def _features(shown: Shown, _: str) -> Any:
    found = shown.get("Features", "").replace(",", "&")
    return lambda ours: ours.replace(",", "&") == found


def _chdir(shown: Shown, _: str) -> Any:
    return lambda ours: not ours.startswith("/") or ours == shown.get("WorkDir")


def _dependency(shown: Shown, _: str) -> Any:
    return lambda ours: bool(ours) or "Dependency" not in shown


def _tasks_at_once(shown: Shown, _: str) -> Any:
    return int(shown.get("ArrayTaskThrottle", "0"))


def _tasks(shown: Shown, _: str) -> Any:
    """Until 22.05 sbatch counts the tasks before it knows how many nodes ``--gpus`` takes."""
    return None if "TresPerJob" in shown else _number("NumTasks")(shown, "")


_FIELDS: dict[str, Callable[[Shown, str], Any]] = {
    "name": _name,
    "account": _text("Account"),
    "partitions": lambda shown, _: lambda ours: not ours or ours == shown["Partition"].split(","),
    "qos": lambda shown, _: shown.get("QOS"),
    "time": _time,
    "time_min": lambda shown, _: _span(shown.get("TimeMin", "N/A")),
    "nodes": _least_nodes,
    "nodes_min": _least_nodes,
    "nodes_max": _most_nodes,
    "ntasks": _tasks,
    "cpus_per_task": _number("CPUs/Task"),
    "gpus": _gpus,
    "asks_for_gpus": _asks,
    "gpus_per_node": _per_node,
    "gpus_per_task": _per_task,
    "memory_per_node": _memory("MinMemoryNode"),
    "memory_per_cpu": _memory("MinMemoryCPU"),
    "exclusive": lambda shown, _: shown.get("OverSubscribe") == "NO",
    "array": lambda shown, _: "ArrayTaskId" in shown,
    "array_at_once": _tasks_at_once,
    "output": _file("StdOut"),
    "error": lambda shown, path: lambda ours: not ours or _file("StdErr")(shown, path)(ours),
    "chdir": _chdir,
    "comment": _text("Comment"),
    "constraint": _features,
    "dependency": _dependency,
    "licenses": _names("Licenses", "[:=]"),
    "reservations": _names("Reservation"),
    "nodelist": _hosts("ReqNodeList"),
    "exclude": _hosts("ExcNodeList"),
    "nice": lambda shown, _: int(shown.get("Nice", "0")),
    "requeue": lambda shown, _: shown.get("Requeue") == "1",
}
