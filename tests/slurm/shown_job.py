"""Comparing what we read of a job's options with what ``scontrol show job`` says of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from sbatchlint.slurm.grammar.filenames import FilePattern, JobFacts
from sbatchlint.slurm.grammar.gres_items import GresRequest
from sbatchlint.slurm.grammar.hosts import HostList
from sbatchlint.slurm.grammar.times import Duration
from sbatchlint.slurm.request import JobRequest

_PAIR = re.compile(r"(?:^|\s)([A-Za-z][A-Za-z0-9/:_.]*)=(.*?)(?=\s+[A-Z][A-Za-z0-9/:_.]*=|$)")
_WHOLE_LINES = ("Command", "StdErr", "StdIn", "StdOut", "WorkDir", "Comment")
_UNITS = {"": 1, "M": 1, "G": 1024, "T": 1024 * 1024, "P": 1024**3}


def shown_fields(block: str) -> dict[str, str]:
    """Split one job of ``scontrol show job`` into its fields; what is not set is left out."""
    found: dict[str, str] = {}
    for line in map(str.strip, block.splitlines()):
        name, _, rest = line.partition("=")
        if name in _WHOLE_LINES:
            found[name] = rest
        elif name == "JobId":
            identity, _, job_name = line.partition(" JobName=")
            found |= dict(_PAIR.findall(identity))
            found["JobName"] = job_name
        else:
            found |= dict(_PAIR.findall(line))
    return {name: value for name, value in found.items() if value not in ("", "(null)")}


def differences(request: JobRequest, job: Mapping[str, str]) -> dict[str, tuple[object, object]]:
    """Return the fields in which our reading of a component (first) is not Slurm's (second)."""
    found: dict[str, tuple[object, object]] = {}
    for field, compare in _FIELDS.items():
        pair = compare(request, job)
        if pair is not None and pair[0] != pair[1]:
            found[field] = pair
    return found


Pair = tuple[object, object] | None
_Compare = Callable[[JobRequest, Mapping[str, str]], Pair]


def _name(request: JobRequest, job: Mapping[str, str]) -> Pair:
    given = request.job_name
    name = PurePosixPath(request.source.path).name if given is None else given
    return name, job.get("JobName", "")


def _time(field: str, read: Callable[[JobRequest], Duration | None], default: str) -> _Compare:
    def compare(request: JobRequest, job: Mapping[str, str]) -> Pair:
        duration = read(request)
        if duration is None:
            return None if field not in job else (default, job[field])
        return _clock(duration.minutes), job.get(field)

    return compare


def _clock(minutes: int | None) -> str:
    if minutes is None:
        return "UNLIMITED"
    days, rest = divmod(minutes, 1440)
    clock = f"{rest // 60:02d}:{rest % 60:02d}:00"
    return f"{days}-{clock}" if days else clock


def _memory_amount(request: JobRequest, job: Mapping[str, str]) -> Pair:
    per_cpu = request.memory_per_cpu
    if per_cpu is not None and per_cpu.mebibytes:
        return per_cpu.mebibytes, _mebibytes(job.get("MinMemoryCPU"))
    per_node = request.memory_per_node
    return 0 if per_node is None else per_node.mebibytes, _mebibytes(job.get("MinMemoryNode"))


def _mebibytes(text: str | None) -> float | None:
    match = re.fullmatch(r"([0-9.]+)([MGTP]?)", text or "")
    return float(match[1]) * _UNITS[match[2]] if match is not None else None


def _partition(request: JobRequest, job: Mapping[str, str]) -> Pair:
    wanted = request.partitions
    return None if wanted is None else (",".join(wanted), job.get("Partition"))


def _text(field: str, option: str) -> _Compare:
    def compare(request: JobRequest, job: Mapping[str, str]) -> Pair:
        use = request.get(option)
        return (None if use is None else use.value or None), job.get(field)

    return compare


def _hosts(field: str, option: str) -> _Compare:
    def compare(request: JobRequest, job: Mapping[str, str]) -> Pair:
        ours = request.value(option, HostList)
        names = set() if ours is None else set(ours.names() or ())
        shown = HostList((job[field],)) if field in job else None
        theirs = set() if shown is None else set(shown.names() or ())
        if request.get("ntasks") is not None and field == "ReqNodeList" and theirs < names:
            return None  # before 23.02 sbatch cuts the list where there are fewer tasks than hosts
        return names, theirs

    return compare


def _file(field: str, read: Callable[[JobRequest], FilePattern | None]) -> _Compare:
    def compare(request: JobRequest, job: Mapping[str, str]) -> Pair:
        pattern = read(request)
        if pattern is None or field not in job or request.get("array") is not None:
            return None
        if set(pattern.specifiers) - {"j", "x", "u", "%"} or pattern.unknown or pattern.literal:
            return None
        if not pattern.text or re.search("%[0-9]", pattern.text):
            return None  # scontrol does not show widths as the job gets them
        number = job["JobId"]
        if not number.isdecimal():
            return None
        name = request.job_name or PurePosixPath(request.source.path).name
        ours = pattern.expand(JobFacts(int(number), name, "root", "gpu01"))
        return (str(PurePosixPath(job["WorkDir"]) / ours), str(PurePosixPath(job[field])))

    return compare


def _gres(field: str, read: Callable[[JobRequest], GresRequest | None]) -> _Compare:
    def compare(request: JobRequest, job: Mapping[str, str]) -> Pair:
        ours = read(request)
        items = () if ours is None else ours.effective()
        shown = re.sub(r"gres[:/]", "", job.get(field, "")).replace("=", ":")
        theirs: dict[tuple[str, str], int] = {}
        for item in filter(None, shown.split(",")):
            name, *rest = item.split(":")
            if name == "cpu":
                continue
            count = _number(rest.pop() if rest and rest[-1][:1].isdecimal() else "1")
            if count:
                theirs[name, rest[0] if rest else ""] = count
        if any(not re.fullmatch(r"[a-z0-9]*", item.type or "") for item in items):
            return None  # Slurm's own text cannot be taken apart again
        return {(item.name, item.type or ""): item.count for item in items}, theirs

    return compare


def _number(text: str) -> int:
    match = re.fullmatch("([0-9]+)([kmg]?)", text.lower())
    assert match is not None, text
    return int(match[1]) * {"": 1, "k": 1024, "m": 1024**2, "g": 1024**3}[match[2]]


def _requeue(request: JobRequest, job: Mapping[str, str]) -> Pair:
    return None if request.requeue is None else (str(int(request.requeue)), job.get("Requeue"))


def _nodes(request: JobRequest, job: Mapping[str, str]) -> Pair:
    low = int(re.split("[-,:]", job["NumNodes"])[0])
    nodes = request.nodes
    if nodes is None or nodes.certainty or request.get("nodes") is None:
        return None  # while the job waits, the controller guesses from CPUs and memory
    return nodes.value, low


def _tasks(request: JobRequest, job: Mapping[str, str]) -> Pair:
    shown = job.get("NumTasks", "")
    if request.ntasks is None or not request.tasks_are_set or not shown.isdecimal():
        return None
    if request.get("nodes") is None and request.get("gpus") is not None:
        return None  # until 22.05 sbatch counts the tasks before it counts the nodes
    return request.ntasks.value, int(shown)


def _cpus(request: JobRequest, job: Mapping[str, str]) -> Pair:
    ours = request.cpus_per_task
    return None if ours is None else (str(ours.value), job.get("CPUs/Task"))


def _nice(request: JobRequest, job: Mapping[str, str]) -> Pair:
    return None if "Nice" not in job else (str(request.nice or 0), job["Nice"])


def _chdir(request: JobRequest, job: Mapping[str, str]) -> Pair:
    use = request.chdir
    return None if use is None or not use.startswith("/") else (use, job.get("WorkDir"))


def _account(request: JobRequest, job: Mapping[str, str]) -> Pair:
    # The controller makes it lower case.
    return request.account and request.account.lower(), job.get("Account")


def _features(request: JobRequest, job: Mapping[str, str]) -> Pair:
    use = request.get("constraint")
    ours = "" if use is None else use.value or ""
    return ours.replace(",", "&"), job.get("Features", "").replace(",", "&")


_FIELDS: dict[str, _Compare] = {
    "JobName": _name,
    "TimeLimit": _time("TimeLimit", lambda request: request.time_limit, "01:00:00"),
    "TimeMin": _time("TimeMin", lambda request: request.time_min, "N/A"),
    "Memory": _memory_amount,
    "Partition": _partition,
    "Account": _account,
    "Comment": _text("Comment", "comment"),
    "Features": _features,
    "Licenses": _text("Licenses", "licenses"),
    "ExcNodeList": _hosts("ExcNodeList", "exclude"),
    "ReqNodeList": _hosts("ReqNodeList", "nodelist"),
    "StdOut": _file("StdOut", lambda request: request.output),
    "StdIn": _file("StdIn", lambda request: request.input),
    "StdErr": _file("StdErr", lambda request: request.error or request.output),
    "WorkDir": _chdir,
    "TresPerJob": _gres("TresPerJob", lambda request: request.gpus_of_job),
    "TresPerNode": _gres("TresPerNode", lambda request: request.gres_of_node),
    "TresPerTask": _gres("TresPerTask", lambda request: request.gres_of_task),
    "Requeue": _requeue,
    "NumNodes": _nodes,
    "NumTasks": _tasks,
    "CPUs/Task": _cpus,
    "Nice": _nice,
}
"""Slurm's names, each with what compares its text with our reading; None where the cluster decides."""
