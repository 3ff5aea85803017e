"""What a job asks of a cluster, as numbers and names.  What cannot be told is None and asks for nothing.

A job of which nothing is sure (``JobRequest.unsure``) makes no demand: that is asked before.
"""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

from sbatchlint.cluster.hosts import expand_hosts
from sbatchlint.cluster.units import UNLIMITED, Limit
from sbatchlint.slurm.grammar.gres_items import Gres, GresRequest
from sbatchlint.slurm.grammar.licenses import Licenses
from sbatchlint.slurm.grammar.memory import Memory
from sbatchlint.slurm.grammar.node_counts import NodeCount
from sbatchlint.slurm.grammar.times import Duration
from sbatchlint.slurm.option_values import read_value
from sbatchlint.slurm.options import KNOWN_RELEASES, Release, parse_release
from sbatchlint.slurm.request import JobRequest

Value = TypeVar("Value")

_PER_NODE_GPUS = ("gpus-per-node", "gres")
_BY_GPU = ("ntasks-per-gpu", "ntasks-per-tres", "tres-per-task")
_OTHER_COUNTING = (*_BY_GPU, "overcommit")
"""Options that change how tasks, CPUs and GPUs hang together; with them less is told."""


class Demand:
    """One component of a job, read for one release."""

    def __init__(self, request: JobRequest, release: Release | None = None) -> None:
        self.request = request
        self.release = release or parse_release(request.release) or KNOWN_RELEASES[-1]

    def text(self, name: str) -> str | None:
        """Return the text of an option; None where it is not given or empty."""
        use = self.request.get(name)
        return (use.value or None) if use is not None else None

    def given(self, *names: str) -> bool:
        """Tell whether any of these options is given."""
        return any(self.request.get(name) is not None for name in names)

    def options(self, *names: str) -> tuple[str, ...]:
        """Return those of *names* that are given."""
        return tuple(name for name in names if self.given(name))

    def value(self, name: str, kind: type[Value]) -> Value | None:
        """Read the value of an option by its grammar; None where it is not given or is refused."""
        use = self.request.get(name)
        if use is None or use.value is None:
            return None
        found = read_value(use.spec.long, use.value, self.release)
        return found if isinstance(found, kind) else None

    # --- where and when ----------------------------------------------------------------------------

    @cached_property
    def partitions(self) -> tuple[str, ...]:
        """The partitions asked for; empty for the default one."""
        return tuple(name for name in (self.text("partition") or "").split(",") if name)

    @cached_property
    def time(self) -> Limit | None:
        """Minutes until the job is ended; None where nothing is asked for."""
        return self._minutes("time")

    @cached_property
    def time_min(self) -> Limit | None:
        """The shortest time limit, in minutes, that the job would do with."""
        return self._minutes("time-min")

    def _minutes(self, name: str) -> Limit | None:
        duration = self.value(name, Duration)
        if duration is None:
            return None
        return UNLIMITED if duration.minutes is None else duration.minutes

    @cached_property
    def hosts(self) -> frozenset[str] | None:
        """The nodes that the job must have; None where none are named, or in a way not understood."""
        return None if self.given("nodefile") else self._hosts("nodelist")

    @cached_property
    def excluded(self) -> frozenset[str] | None:
        """The nodes that the job must not have."""
        return self._hosts("exclude")

    def _hosts(self, name: str) -> frozenset[str] | None:
        text = self.text(name)
        hosts = expand_hosts(text) if text is not None else None
        return None if hosts is None else frozenset(hosts)

    @cached_property
    def licenses(self) -> Licenses | None:
        """The licences that the job holds."""
        return self.value("licenses", Licenses)

    # --- how much ----------------------------------------------------------------------------------

    @cached_property
    def nodes_asked(self) -> int:
        """The least number of nodes that the job asks for outright; 1 where it does not."""
        low = self.request.nodes_min if self._nodes_fixed else None
        least = low.value if low is not None else 1 if self._written is None else self._written.low
        return max(1, least, len(self.hosts or ()))

    @cached_property
    def nodes_min(self) -> int:
        """The least number of nodes that the job needs, for its tasks too; 1 where nothing is told."""
        low = self.request.nodes_min
        return max(1, 0 if low is None else low.value, len(self.hosts or ()))

    @cached_property
    def nodes_max(self) -> int | None:
        """The greatest number of nodes, where ``--nodes`` or the GPU counts fix it."""
        high = self.request.nodes_max if self._nodes_fixed else None
        if high is None and (self._written is None or self.given("nodefile")):
            return None
        most = high.value if high is not None else self._written.high if self._written is not None else 0
        gpus = sum(item.count for item in self.gpus)
        types = {item.type for item in self.gpus}
        each = sum(item.count for item in self._gpus_of_nodes if item.type in types)
        # No node of the job is without one of its GPUs, or without as many as each must have.
        return max(min(most, -(-gpus // (each or 1))) if gpus else most, len(self.hosts or ()))

    @cached_property
    def _written(self) -> NodeCount | None:
        """What ``--nodes`` says, beside a list of nodes that may name more."""
        return self.value("nodes", NodeCount)

    @property
    def _nodes_fixed(self) -> bool:
        return self.given("nodes", "gpus")

    @cached_property
    def tasks(self) -> int | None:
        """The number of tasks."""
        if self.given(*_BY_GPU):
            return None
        tasks = self.request.ntasks
        return None if tasks is None else tasks.value

    @cached_property
    def cpus_per_task(self) -> int:
        """CPUs of one task; 1 where nothing is told."""
        each = self.request.cpus_per_task
        return 1 if each is None else each.value

    @cached_property
    def most_nodes_with_tasks(self) -> int | None:
        """As many nodes as there are tasks, where their number is fixed; each node runs one or more."""
        if self.given(*_OTHER_COUNTING, "gpus-per-task"):
            return None
        if self.given("ntasks"):
            return self.tasks
        each = self.request.ntasks_per_node
        return None if each is None else each.value * self.nodes_asked

    @cached_property
    def tasks_on_a_node(self) -> int:
        """How many tasks every node must have room for."""
        each = self.request.ntasks_per_node
        if each is not None and not self.given(*_BY_GPU):
            return each.value
        single = self.nodes_max == 1 and not self.given("overcommit")
        return self.tasks if single and self.tasks is not None else 1

    @cached_property
    def cpus_on_a_node(self) -> int:
        """How many CPUs every node must have."""
        least = [self.tasks_on_a_node * self.cpus_per_task, self._count("mincpus")]
        per_gpu = self._count("cpus-per-gpu")
        if per_gpu and not self.given(*_OTHER_COUNTING):
            least.append(per_gpu * sum(item.count for item in self.gpus_on_a_node))
        return max(least)

    @cached_property
    def cpus(self) -> int | None:
        """CPUs of all tasks together, or at least of those that the nodes asked for outright run."""
        if self.given(*_OTHER_COUNTING):
            return None
        if self.tasks is not None:
            return self.tasks * self.cpus_per_task
        each = self.request.ntasks_per_node
        if each is None or self.given("ntasks"):
            return None
        return each.value * self.nodes_asked * self.cpus_per_task

    def _count(self, name: str) -> int:
        return self.value(name, int) or 0

    def megabytes(self, name: str) -> int | None:
        """Return an amount of memory or disk in MiB."""
        memory = self.value(name, Memory)
        return None if memory is None else memory.mebibytes

    # --- GPUs and their like -----------------------------------------------------------------------

    @cached_property
    def gpus_on_a_node(self) -> tuple[Gres, ...]:
        """The GPUs that every node must have, by type."""
        each = list(self._gpus_of_nodes)
        single = self.nodes_max == 1
        if not each and single:
            each = list(self._gpus("gpus"))
        if not each:
            tasks = self.tasks_on_a_node
            each = [Gres(item.name, item.type, item.count * tasks) for item in self._gpus("gpus-per-task")]
        return tuple(each)

    @cached_property
    def _gpus_of_nodes(self) -> tuple[Gres, ...]:
        """What the options that speak of nodes say; of the same type the last counts, whichever said it."""
        both = GresRequest(tuple(item for name in _PER_NODE_GPUS for item in self._gpus(name)))
        return both.effective()

    @cached_property
    def gpus(self) -> tuple[Gres, ...]:
        """The GPUs of the whole job, by type, where ``--gpus`` tells them."""
        return self._gpus("gpus")

    @cached_property
    def gpus_per_task(self) -> tuple[Gres, ...]:
        """The GPUs of one task, by type."""
        return self._gpus("gpus-per-task")

    @cached_property
    def other_gres(self) -> tuple[Gres, ...]:
        """What else every node must have."""
        return tuple(item for item in self._gres("gres") if item.name != "gpu")

    @cached_property
    def gpu_options(self) -> tuple[str, ...]:
        """The options that ask for GPUs."""
        return self.options(*_PER_NODE_GPUS, "gpus", "gpus-per-task")

    def _gpus(self, name: str) -> tuple[Gres, ...]:
        return tuple(item for item in self._gres(name) if item.name == "gpu")

    def _gres(self, name: str) -> tuple[Gres, ...]:
        asked = self.value(name, GresRequest)
        return () if asked is None else asked.effective()
