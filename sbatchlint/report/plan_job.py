"""What the job asks for, as lines that people read."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.certainty import Certainty
from sbatchlint.records import dataclass
from sbatchlint.report.job_values import meaning_of_array, meaning_of_memory, meaning_of_time
from sbatchlint.slurm.environment import job_variables
from sbatchlint.slurm.geometry import step_geometry
from sbatchlint.slurm.gpu_type import gpu_type
from sbatchlint.slurm.grammar.memory import Memory
from sbatchlint.slurm.option_use import Count, OptionUse
from sbatchlint.slurm.request import JobRequest

NOT_TOLD = "not told"
_MEMORY = (("mem", "per node"), ("mem-per-cpu", "per CPU"), ("mem-per-gpu", "per GPU"))
_GPU_OPTIONS = ("gres", "gpus", "gpus-per-node", "gpus-per-task", "tres-per-task", "ntasks-per-gpu")
_WHERE = ("account", "qos", "reservation", "constraint", "nodelist", "exclude")
_SHOWN = frozenset(
    "job-name nodes ntasks ntasks-per-node gpus gpus-per-node gpus-per-task gres cpus-per-task cpus-per-gpu "
    "time partition array output error".split()
    + [name for name, _ in _MEMORY]
    + list(_WHERE)
)
"""Options that a line of its own speaks of."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line: what it is about, and its text as it comes from the script."""

    label: str
    text: str
    vague: bool = False
    """True where nothing in the script tells it."""


def job_lines(request: JobRequest) -> Iterator[Line]:
    """Yield the lines of one component, the always interesting ones first."""
    yield Line("name", *_name(request))
    yield Line("nodes", node_count(request), request.nodes_min is None)
    yield _tasks(request)
    yield _gpus(request)
    yield _cpus(request)
    yield _memory(request)
    yield _time(request)
    yield from _where(request)
    array, spec = request.get("array"), request.array
    if array is not None:
        yield Line("array", _meant(array, meaning_of_array(spec) if spec else ""))
    yield from _output(request)
    others = other_uses(request)
    if others:
        yield Line("more", " ".join(map(_as_option, others)))


def _name(request: JobRequest) -> tuple[str, bool]:
    name = job_variables(request)["SLURM_JOB_NAME"]
    if name.value is None:
        return NOT_TOLD, True
    return name.value if name.certainty is Certainty.KNOWN else f"{name.value} (assumed)", False


def node_count(request: JobRequest) -> str:
    """Say how many nodes: a number, a range or ``?``."""
    low, high = request.nodes_min, request.nodes_max
    if low is None or high is None:
        return "?"
    if low.value != high.value:
        return f"{low.value} to {high.value}"
    return _number(low)


def _tasks(request: JobRequest) -> Line:
    geometry = step_geometry(request, ())
    if geometry.tasks is None and geometry.tasks_per_node is None:
        return Line("tasks", "?", True)
    tasks, each = geometry.tasks, geometry.tasks_per_node
    if tasks is not None and (each is None or each.value == tasks.value):
        return Line("tasks", _number(tasks))
    if tasks is None:
        return Line("tasks", _together(("?", None), (" per node", each)))
    return Line("tasks", _together(("", tasks), (" per node", each)))


def _gpus(request: JobRequest) -> Line:
    each, total, kind = request.gpus_per_node, request.gpus, gpu_type(request)
    if not request.asks_for_gpus:
        return Line("GPUs", "none asked for", True)
    if each is None and total is None:
        uses = (request.get(name) for name in _GPU_OPTIONS)
        return Line("GPUs", " ".join(["?", *(_as_option(use) for use in uses if use is not None)]), True)
    if each is not None and total is not None and each.value == total.value:
        text = _number(total)
    else:
        text = _together((" per node", each), (" in all", total))
    return Line("GPUs", f"{text}, type {kind}" if kind else text)


def _cpus(request: JobRequest) -> Line:
    if request.cpus_per_task is not None:
        return Line("CPUs", f"{_number(request.cpus_per_task)} per task")
    per_gpu = request.get("cpus-per-gpu")
    if per_gpu is not None:
        return Line("CPUs", f"{per_gpu.value} per GPU")
    return Line("CPUs", NOT_TOLD, True)


def _memory(request: JobRequest) -> Line:
    for name, unit in _MEMORY:
        use = request.get(name)
        if use is not None:
            amount = request.value(name, Memory)
            if name == "mem" and amount is not None and not amount.mebibytes:
                return Line("memory", f"{use.value} (all that each node has)")
            return Line("memory", f"{_meant(use, meaning_of_memory(amount) if amount else '')} {unit}")
    return Line("memory", NOT_TOLD, True)


def _time(request: JobRequest) -> Line:
    use, limit = request.get("time"), request.time_limit
    if use is None:
        return Line("time limit", NOT_TOLD, True)
    return Line("time limit", _meant(use, meaning_of_time(limit) if limit else ""))


def _meant(use: OptionUse, meaning: str) -> str:
    """Say a value as it is written and, if it is another text, what it means."""
    value = use.value or ""
    return value if not meaning or meaning == value else f"{value} ({meaning})"


def _where(request: JobRequest) -> Iterator[Line]:
    partition = request.get("partition")
    yield Line("partition", (partition.value or "") if partition else NOT_TOLD, partition is None)
    for name in _WHERE:
        use = request.get(name)
        if use is not None:
            yield Line(name, use.value or "")


def _output(request: JobRequest) -> Iterator[Line]:
    output, error = request.get("output"), request.get("error")
    if output is None:
        name = "slurm-%A_%a.out" if request.has_array else "slurm-%j.out"
        yield Line("output", f"{name} (assumed)")
    else:
        yield Line("output", output.value or "")
    if error is not None:
        yield Line("error", error.value or "")


def other_uses(request: JobRequest) -> list[OptionUse]:
    """Return the options that no other line speaks of, the counting use of each, in their order."""
    counting = {use.spec.long: use for use in request.uses if use.spec.long not in _SHOWN}
    return list(counting.values())


def _as_option(use: OptionUse) -> str:
    return f"--{use.spec.long}" if use.value is None else f"--{use.spec.long}={use.value}"


def _number(count: Count) -> str:
    return _together(("", count))


def _together(*parts: tuple[str, Count | None]) -> str:
    """Say numbers, each with its unit, and in the end whether any of them is a default."""
    told = [
        unit if count is None else f"{count.value}{unit}" for unit, count in parts if count or unit == "?"
    ]
    text = ", ".join(told)
    assumed = any(count is not None and count.certainty is not Certainty.KNOWN for _, count in parts)
    return f"{text} (assumed)" if assumed else text
