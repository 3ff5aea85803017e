"""What a job's options say about its size: nodes, tasks, CPUs and GPUs.

The rules are sbatch's (``_opt_verify`` in ``src/sbatch/opt.c``, releases 22.05 and 26.05) and were
checked with real jobs; where releases differ, or where the cluster decides, the answer is None.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property

from sbatchlint.certainty import Certainty
from sbatchlint.slurm.option_use import Count, OptionUse
from sbatchlint.slurm.values import (
    count_hosts,
    gpu_count,
    gres_gpus,
    gres_names_gpu,
    node_range,
    positive_integer,
    task_gpus,
    tres_gpus,
)

_MULTIPLIERS = ("sockets-per-node", "cores-per-socket", "threads-per-core")
"""Without a task count, sbatch multiplies the tasks by each of these that is given."""
_SPREADERS = ("ntasks", "gpus", "gpus-per-task", "ntasks-per-gpu", "tres-per-task", "nodefile", "nodelist")
"""Options that make the number of nodes the cluster's choice where ``--nodes`` is not given."""

_FULL_NODE = 8
"""Hardly a node has more GPUs than this, so a share of this many is the same on every node."""


class Resources(ABC):
    """Typed readings of a job's options.  Each is None where the script does not tell."""

    @abstractmethod
    def get(self, name: str) -> OptionUse | None:
        """Return the use of an option that counts."""

    @property
    @abstractmethod
    def unsure(self) -> bool:
        """Whether none of the options is sure to count: then nothing is told."""

    # --- nodes ---------------------------------------------------------------------------------

    @cached_property
    def nodes(self) -> Count | None:
        """Number of nodes, where it is one number."""
        low, high = self._node_bounds
        return low if low is not None and high is not None and low.value == high.value else None

    @cached_property
    def nodes_min(self) -> Count | None:
        """Least number of nodes."""
        return self._node_bounds[0]

    @cached_property
    def nodes_max(self) -> Count | None:
        """Greatest number of nodes."""
        return self._node_bounds[1]

    @cached_property
    def _node_bounds(self) -> tuple[Count | None, Count | None]:
        if self.unsure:
            return None, None
        use = self.get("nodes")
        if use is None:
            implied = self._implied_nodes()
            return implied, implied
        bounds = node_range(use.value or "")
        if bounds is None or self._listed_beyond(bounds[0]):
            return None, None
        low, high = (Count(bound, spans=use.spans) for bound in bounds)
        tasks = self._integer("ntasks")
        if tasks is not None and tasks.value < high.value:
            # "can't run 2 processes on 4 nodes, setting nnodes to 2"
            high = high.with_value(tasks.value, tasks)
            low = low if low.value <= tasks.value else high
        return low, high

    def _listed_beyond(self, nodes: int) -> bool:
        """Tell whether ``--nodelist`` may name more nodes than *nodes*: releases differ then."""
        if self.get("nodefile") is not None:
            return True
        use = self.get("nodelist")
        if use is None:
            return False
        listed = count_hosts(use.value or "")
        return listed is None or listed > nodes

    def _implied_nodes(self) -> Count | None:
        """Return what other options make of a missing ``--nodes``."""
        return (
            self._nodes_from_gpus() or self._nodes_from_tasks() or self._nodes_from_list() or self._one_node()
        )

    def _nodes_from_gpus(self) -> Count | None:
        total, per_node = self._gpu_option("gpus"), self._gpus_on_each_node
        if total is None or per_node is None or not per_node.value or total.value % per_node.value:
            return None
        return total.with_value(total.value // per_node.value, per_node)

    def _nodes_from_tasks(self) -> Count | None:
        """``-n16 --ntasks-per-node=8``: the limit of each node makes 2 the least; more are possible."""
        tasks, limit = self._integer("ntasks"), self._integer("ntasks-per-node")
        if tasks is None or limit is None or self._any("gpus", "gpus-per-task", "ntasks-per-gpu"):
            return None
        return tasks.with_value(-(-tasks.value // limit.value), limit, certainty=Certainty.ASSUMED)

    def _nodes_from_list(self) -> Count | None:
        use = self.get("nodelist")
        if use is None or self.get("nodefile") is not None:
            return None
        listed = count_hosts(use.value or "")
        tasks = self._integer("ntasks")
        if not listed or self._any("gpus", "gpus-per-task", "ntasks-per-gpu"):
            return None
        if self.get("ntasks") is not None and (tasks is None or tasks.value < listed):
            return None
        return Count(listed, Certainty.ASSUMED, use.spans)

    def _one_node(self) -> Count | None:
        tasks = self._integer("ntasks")
        spread = [name for name in _SPREADERS if self.get(name) is not None]
        if spread == ["ntasks"] and tasks is not None and tasks.value == 1:
            return tasks
        return None if spread else Count(1, Certainty.ASSUMED)

    # --- tasks ---------------------------------------------------------------------------------

    @cached_property
    def ntasks(self) -> Count | None:
        """Number of tasks that a plain ``srun`` of the job starts."""
        if self.unsure:
            return None
        if self._any("ntasks-per-gpu", "ntasks-per-tres"):
            return self._tasks_from_gpus()
        if self.get("ntasks") is not None:
            return self._integer("ntasks")
        if self.get("ntasks-per-node") is not None:
            return self._product(self._integer("ntasks-per-node"), self.nodes)
        if self._any("gpus-per-task", "tres-per-task"):
            return self._tasks_by_gpus()
        if self._multiplied:
            return None
        nodes = self.nodes
        return nodes and nodes.with_value(nodes.value, certainty=Certainty.ASSUMED)

    @property
    def tasks_are_set(self) -> bool | None:
        """Whether sbatch sets SLURM_NTASKS; None where that depends on the release or the cluster."""
        if self.unsure:
            return None
        if self.get("ntasks") is not None:
            return True
        if self.get("ntasks-per-node") is not None:
            return True if self.nodes is not None else None
        if self._any("ntasks-per-gpu", "ntasks-per-tres", "gpus-per-task", "tres-per-task", "hint"):
            return None
        if self._any("distribution", "extra-node-info", *_MULTIPLIERS):
            return None
        return False

    def _tasks_from_gpus(self) -> Count | None:
        """``--ntasks-per-gpu``: it overrides ``--ntasks`` when the GPUs are counted."""
        if self.get("ntasks") is not None:
            return None
        return self._product(self._integer("ntasks-per-gpu"), self._gpus_without_tasks)

    def _tasks_by_gpus(self) -> Count | None:
        each, total = self.gpus_per_task, self._gpu_option("gpus")
        if total is None or each is None or not each.value or total.value % each.value:
            return None
        return total.with_value(total.value // each.value, each)

    @property
    def _multiplied(self) -> bool:
        """Whether the default of one task a node is multiplied by something that is not 1."""
        hint = self.get("hint")
        if self.get("extra-node-info") is not None or (hint is not None and hint.value != "nomultithread"):
            return True
        uses = (self.get(name) for name in _MULTIPLIERS)
        return any(use is not None and use.value != "1" for use in uses)

    @cached_property
    def ntasks_per_node(self) -> Count | None:
        """What ``--ntasks-per-node`` says.  It is only a limit where ``--ntasks`` is given too."""
        return self._integer("ntasks-per-node")

    @cached_property
    def cpus_per_task(self) -> Count | None:
        """What ``--cpus-per-task`` says."""
        return self._integer("cpus-per-task")

    # --- GPUs ----------------------------------------------------------------------------------

    @cached_property
    def gpus(self) -> Count | None:
        """Number of GPUs of the whole job."""
        if self.get("gpus") is not None:
            return self._gpu_option("gpus")
        return self._gpus_without_tasks or self._product(self.gpus_per_task, self.ntasks)

    @cached_property
    def _gpus_without_tasks(self) -> Count | None:
        if self.get("gpus") is not None:
            return self._gpu_option("gpus")
        return self._product(self._gpus_on_each_node, self.nodes)

    @cached_property
    def gpus_per_node(self) -> Count | None:
        """Number of GPUs on each node, where it is the same on all."""
        return self._gpus_on_each_node or self._gpus_shared_out() or self._gpus_of_tasks()

    @cached_property
    def _gpus_on_each_node(self) -> Count | None:
        """GPUs per node as an option says it, without any arithmetic but that of sockets."""
        if self.get("gpus-per-node") is not None:
            return self._gpu_option("gpus-per-node")
        gres = self._read("gres", gres_gpus)
        if gres is not None and gres.value:
            return gres
        if self.get("gpus-per-socket") is not None:
            return self._product(self._gpu_option("gpus-per-socket"), self._integer("sockets-per-node"))
        return None

    def _gpus_shared_out(self) -> Count | None:
        """Divide ``--gpus`` by the nodes; Slurm may well give 7 and 1 for ``--gpus=8 --nodes=2``."""
        total, nodes = self._gpu_option("gpus"), self.nodes
        if total is None or nodes is None or total.value % nodes.value:
            return None
        share = total.value // nodes.value
        if nodes.value == 1 or share == 1:
            return total.with_value(share, nodes)
        if share >= _FULL_NODE:
            return total.with_value(share, nodes, certainty=Certainty.ASSUMED)
        return None

    def _gpus_of_tasks(self) -> Count | None:
        each, nodes, tasks = self.gpus_per_task, self.nodes, self.ntasks
        if each is None or nodes is None or tasks is None:
            return None
        if nodes.value == 1 or tasks.value == nodes.value:
            return each.with_value(each.value * tasks.value // nodes.value, nodes, tasks)
        if self.get("ntasks") is None and self.ntasks_per_node is not None:
            return each.with_value(each.value * self.ntasks_per_node.value, self.ntasks_per_node)
        return None

    @cached_property
    def gpus_per_task(self) -> Count | None:
        """Number of GPUs of each task."""
        if self.get("gpus-per-task") is not None:
            return self._read("gpus-per-task", task_gpus)
        count = self._read("tres-per-task", tres_gpus)
        return count if count is not None and count.value else None

    @property
    def asks_for_gpus(self) -> bool:
        """Whether any option asks for GPUs, or may do so in words that are not known here."""
        if self.unsure or self._any("ntasks-per-gpu", "ntasks-per-tres"):
            return True
        gres, tres = self.get("gres"), self.get("tres-per-task")
        if gres is not None and gres_names_gpu(gres.value or ""):
            return True
        if tres is not None and "gpu" in (tres.value or "").lower():
            return True
        names = ("gpus", "gpus-per-node", "gpus-per-socket", "gpus-per-task")
        counts = (use and gpu_count(use.value or "") for use in map(self.get, names) if use is not None)
        return any(count != 0 for count in counts)

    # --- other ---------------------------------------------------------------------------------

    @property
    def exclusive(self) -> bool:
        """Whether the job has its nodes for itself."""
        use, shared = self.get("exclusive"), self.get("oversubscribe")
        return use is not None and shared is None and (use.value or "exclusive").lower() == "exclusive"

    @property
    def has_array(self) -> bool:
        """Whether the job is an array."""
        return self.get("array") is not None

    # --- helpers -------------------------------------------------------------------------------

    def _any(self, *names: str) -> bool:
        return any(self.get(name) is not None for name in names)

    def _read(self, name: str, reader: Callable[[str], int | None]) -> Count | None:
        use = self.get(name)
        if use is None or self.unsure:
            return None
        value = reader(use.value or "")
        return None if value is None else Count(value, spans=use.spans)

    def _integer(self, name: str) -> Count | None:
        return self._read(name, positive_integer)

    def _gpu_option(self, name: str) -> Count | None:
        return self._read(name, gpu_count)

    @staticmethod
    def _product(first: Count | None, second: Count | None) -> Count | None:
        if first is None or second is None:
            return None
        return first.with_value(first.value * second.value, second)
