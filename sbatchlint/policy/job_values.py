"""The variable ``job``: one component of what sbatch understands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import cached_property
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from sbatchlint.certainty import Certainty
from sbatchlint.lint.ask.complaints import swallowed_options
from sbatchlint.lint.ask.expansions import expansions
from sbatchlint.lint.ask.placeholders import placeholders
from sbatchlint.lint.job import Job
from sbatchlint.policy.trust import Trust
from sbatchlint.policy.values import LONGEST, UNKNOWN, Entries, Object, cel
from sbatchlint.policy.variables import JOB
from sbatchlint.regex import regex
from sbatchlint.slurm.geometry import step_geometry
from sbatchlint.slurm.gpu_type import gpu_type
from sbatchlint.slurm.grammar.gres_items import GresRequest
from sbatchlint.slurm.grammar.hosts import HostFile, HostList
from sbatchlint.slurm.grammar.memory import Memory
from sbatchlint.slurm.grammar.times import Duration
from sbatchlint.slurm.option_use import Count, OptionUse
from sbatchlint.slurm.request import JobRequest
from sbatchlint.source import Span

_MEBIBYTE = 1024 * 1024
_FILLED_IN = regex(r"%\(\w+\)[a-z]")
"""Python's own templates: ``%(account)s``."""
_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)


class JobValues:
    """Makes the variable ``job``."""

    def __init__(self, job: Job, request: JobRequest, component: int, trust: Trust) -> None:
        self._job = job
        self._request = request
        self._component = component
        self._trust = trust

    def made(self) -> Object:
        """Return the fields of the table, each with its value."""
        return Object({field.name: self._field(field.name, field.options) for field in JOB.fields})

    def _field(self, name: str, options: tuple[str, ...]) -> Any:
        if name == "options":
            return self._options
        if name == "component":
            return cel(self._component)
        if self._request.unsure:
            return UNKNOWN
        if name == "components":
            return cel(len(self._job.request.components))
        uses = [use for option in options if (use := self._request.get(option)) is not None]
        if any(self._is_blank(use) for use in uses) or (not uses and self._may_hide_options):
            return UNKNOWN
        return _READ[name](self)

    # --- what is not known -------------------------------------------------------------------------

    @cached_property
    def _may_hide_options(self) -> bool:
        """Whether an option that is not seen may be given: in words that sbatch refuses, or by a template."""
        known = self._job.known_options
        request = self._job.request
        names = [problem.name for problem in request.problems]
        names += [problem.name for problem in request.argument_problems]
        refused = any(name.lstrip("-").split("=")[0] not in known for name in names)
        swallowed = bool(list(swallowed_options(self._job)))
        return refused or swallowed or any(place.template for place in placeholders(self._job))

    def _is_blank(self, use: OptionUse) -> bool:
        """Tell whether the value is still to be filled in, or is meant to be expanded by a shell."""
        span = use.span
        if span is not None and _FILLED_IN.search(use.value or ""):
            return True
        return span is not None and any(span.overlaps(blank) for blank in self._blanks)

    @cached_property
    def _blanks(self) -> list[Span]:
        blanks = [place.span for place in placeholders(self._job)]
        return [*blanks, *(found.span for found in expansions(self._job, of_templates=True))]

    @cached_property
    def _options(self) -> Entries:
        uses = {} if self._request.unsure else {use.spec.long: use for use in self._request.uses}
        values = {
            name: UNKNOWN if self._is_blank(use) else cel(use.value or "") for name, use in uses.items()
        }
        return Entries(values, more=self._request.unsure or self._may_hide_options)

    # --- reading -----------------------------------------------------------------------------------

    def _given(self, name: str) -> bool:
        return self._request.get(name) is not None

    def text(self, name: str) -> Any:
        """Return the text of an option as written; empty where it is not given."""
        use = self._request.get(name)
        return cel("" if use is None else use.value or "")

    def typed(self, option: str, value: Any, absent: Any) -> Any:
        """Return *value*, which is None where the option is not given, and where sbatch refuses it."""
        if value is None:
            return UNKNOWN if self._given(option) else absent
        return cel(value)

    def duration(self, option: str, duration: Duration | None) -> Any:
        """Return a span of time."""
        if duration is None:
            return UNKNOWN
        return LONGEST if duration.minutes is None else cel(timedelta(minutes=duration.minutes))

    def memory(self, amount: Memory | None) -> Any:
        """Return bytes; 0 stands for as much as there is."""
        return UNKNOWN if amount is None or not amount.mebibytes else cel(amount.mebibytes * _MEBIBYTE)

    def gpus(self, count: Count | None) -> Any:
        """Return a number of GPUs; 0 where none are asked for."""
        if count is None and not self._request.asks_for_gpus:
            return cel(0)
        return UNKNOWN if self._contradicts else self._trust.count(count)

    @property
    def _contradicts(self) -> bool:
        """Whether two options give GPUs of a node, and not the same."""
        both = [self._request.value(name, GresRequest) for name in ("gpus-per-node", "gres")]
        one, other = (_gpus_in(request) for request in both)
        return self._given("gpus-per-node") and bool(other) and one != other

    def asks_for_gpus(self) -> Any:
        """Return whether GPUs are asked for; some ways to ask hold no number."""
        request = self._request
        if not request.asks_for_gpus:
            return cel(False)
        per_socket = request.value("gpus-per-socket", GresRequest)
        asked = (request.gpus_of_job, request.gres_of_node, request.gres_of_task, per_socket)
        return cel(True) if any(map(_gpus_in, asked)) else UNKNOWN

    def nodes_max(self) -> Any:
        """Return the greatest number of nodes; that of a range may be cut to the number of GPUs."""
        request = self._request
        exact = request.nodes is not None
        return self.count(request.nodes_max) if exact or not self._given("gpus") else UNKNOWN

    def exclusive(self) -> Any:
        """Return whether the nodes are asked for alone; a job that reboots them gets them so."""
        alone = self._request.exclusive
        return UNKNOWN if not alone and self._given("reboot") else cel(alone)

    def array(self) -> Any:
        """Return whether there are several tasks; an empty value makes none."""
        return cel(bool(self.text("array")))

    def count(self, count: Count | None) -> Any:
        """Return a number."""
        return self._trust.count(count)

    @property
    def request(self) -> JobRequest:
        """The component."""
        return self._request

    def hosts(self, option: str, named: HostList | HostFile | None) -> Any:
        """Return the names of nodes, each once; unknown where a file lists them, or for too many."""
        if isinstance(named, HostFile):
            return UNKNOWN
        return self.typed(option, None if named is None else named.names(), cel(()))

    def all_memory(self) -> Any:
        """Return whether all memory of the nodes is asked for."""
        amount = self._request.memory_per_node
        return self.typed("mem", None if amount is None else not amount.mebibytes, cel(False))

    def cpus_per_task(self) -> Any:
        """Return what the option says; Slurm's own default where nothing else asks for CPUs."""
        if self._given("cpus-per-task"):
            return self.count(self._request.cpus_per_task)
        if self._given("cpus-per-gpu") or self._given("tres-per-task"):
            return UNKNOWN
        return self.count(Count(1, Certainty.ASSUMED))

    def array_tasks(self) -> Any:
        """Return how many tasks an array has."""
        array = self._request.array
        return (
            self.typed("array", None if array is None else array.count(), cel(0)) if self.array() else cel(0)
        )

    def array_at_once(self) -> Any:
        """Return how many of them may run at once."""
        array = self._request.array
        throttle = None if array is None else array.throttle or 0
        return self.typed("array", throttle, cel(0)) if self.array() else cel(0)

    def licenses(self) -> Any:
        """Return the names of licences; of several any of which will do, none is sure."""
        licenses = self._request.licenses
        if licenses is not None and licenses.any:
            return UNKNOWN
        names = None if licenses is None else tuple(one.name for one in licenses.items)
        return self.typed("licenses", names, cel(()))

    def license_counts(self) -> Any:
        """Return how many the job takes of each licence."""
        licenses = self._request.licenses
        if licenses is not None and licenses.any:
            return UNKNOWN
        if licenses is None:
            return UNKNOWN if self._given("licenses") else Entries({})
        counts: dict[str, int] = {}
        for one in licenses.items:
            counts[one.name] = counts.get(one.name, 0) + one.count
        return Entries({name: cel(count) for name, count in counts.items()})

    def account(self) -> Any:
        """Return the account; the controller makes its letters small ones, those of ASCII alone."""
        return cel(self.text("account").translate(_SMALL))

    def nice(self) -> Any:
        """Return what is taken from the priority."""
        return self.typed("nice", self._request.nice, cel(0))

    def gpu_type(self) -> Any:
        """Return the type of GPU that is named."""
        return cel(gpu_type(self._request))


def _gpus_in(request: GresRequest | None) -> int:
    """Return how many GPUs *request* names; 0 for none."""
    items = () if request is None else request.effective()
    return sum(item.count for item in items if item.name == "gpu")


_READ: Mapping[str, Callable[[JobValues], Any]] = {
    "name": lambda job: job.text("job-name"),
    "account": lambda job: job.account(),
    "partition": lambda job: job.text("partition"),
    "partitions": lambda job: job.typed("partition", job.request.partitions, cel(())),
    "qos": lambda job: job.text("qos"),
    "time": lambda job: job.duration("time", job.request.time_limit),
    "time_min": lambda job: job.duration("time-min", job.request.time_min),
    "nodes": lambda job: job.count(job.request.nodes),
    "nodes_min": lambda job: job.count(job.request.nodes_min),
    "nodes_max": lambda job: job.nodes_max(),
    "ntasks": lambda job: job.count(job.request.ntasks),
    "ntasks_per_node": lambda job: job.count(step_geometry(job.request, ()).tasks_per_node),
    "cpus_per_task": lambda job: job.cpus_per_task(),
    "cpus_per_gpu": lambda job: job.typed("cpus-per-gpu", job.request.value("cpus-per-gpu", int), UNKNOWN),
    "asks_for_gpus": lambda job: job.asks_for_gpus(),
    "gpus": lambda job: job.gpus(job.request.gpus),
    "gpus_per_node": lambda job: job.gpus(job.request.gpus_per_node),
    "gpus_per_task": lambda job: job.gpus(job.request.gpus_per_task),
    "gpu_type": lambda job: job.gpu_type(),
    "memory_per_node": lambda job: job.memory(job.request.memory_per_node),
    "all_memory": lambda job: job.all_memory(),
    "memory_per_cpu": lambda job: job.memory(job.request.memory_per_cpu),
    "memory_per_gpu": lambda job: job.memory(job.request.memory_per_gpu),
    "exclusive": lambda job: job.exclusive(),
    "nodelist": lambda job: job.hosts("nodelist", job.request.nodelist),
    "exclude": lambda job: job.hosts("exclude", job.request.excluded),
    "array": lambda job: job.array(),
    "array_tasks": lambda job: job.array_tasks(),
    "array_at_once": lambda job: job.array_at_once(),
    "output": lambda job: job.text("output"),
    "error": lambda job: job.text("error"),
    "chdir": lambda job: job.text("chdir"),
    "comment": lambda job: job.text("comment"),
    "constraint": lambda job: job.text("constraint"),
    "dependency": lambda job: job.text("dependency"),
    "licenses": lambda job: job.licenses(),
    "license_counts": lambda job: job.license_counts(),
    "reservations": lambda job: job.typed("reservation", job.request.reservation, cel(())),
    "mail_user": lambda job: job.text("mail-user"),
    "mail_types": lambda job: job.text("mail-type"),
    "nice": lambda job: job.nice(),
    "requeue": lambda job: UNKNOWN if job.request.requeue is None else cel(job.request.requeue),
}
"""How each field is read, but those that need no option."""
