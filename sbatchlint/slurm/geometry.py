"""What a step really starts: srun's own options over those of the job over Slurm's defaults.

The rules are those of ``_opt_verify`` in srun's ``opt.c``, 22.05 to 26.05, checked with real jobs.
Where releases differ and the release is not told, or where the cluster decides, the answer is None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from sbatchlint.certainty import Certainty
from sbatchlint.records import dataclass
from sbatchlint.slurm.getopt import Use
from sbatchlint.slurm.option_use import Count, OptionUse
from sbatchlint.slurm.options import parse_release
from sbatchlint.slurm.request import JobRequest
from sbatchlint.slurm.values import (
    count_hosts,
    gpu_count,
    gres_gpus,
    node_range,
    positive_integer,
    task_gpus,
    tres_gpus,
)

_ELSEWHERE = ("jobid", "het-group", "nodefile", "no-allocate", "multi-prog", "async")
"""srun options with which the step is not simply a step of this job, or not simply counted."""
_ENLARGING = ("SRUN_CPUS_PER_TASK", "SLURM_GPUS_PER_TASK", "SLURM_HINT", "SLURM_THREADS_PER_CORE")
"""Variables that, set by the script, may give a step other than one task a node."""
_MULTIPLIERS = ("extra-node-info", "sockets-per-node", "cores-per-socket", "threads-per-core", "hint")


@dataclass(frozen=True, slots=True)
class Geometry:
    """The size of a step.  Each count is None where it cannot be told.

    Spans are those of directives only: for what srun's own options decide, see the two ``_from``.
    ``tasks`` greater than ``nodes`` with ``tasks_per_node`` None means that some node gets several
    tasks: without ``--ntasks-per-node`` Slurm may share 16 tasks out as 15 and 1.
    """

    nodes: Count | None = None
    tasks: Count | None = None
    tasks_per_node: Count | None = None
    gpus_per_node: Count | None = None
    tasks_from: Use | OptionUse | None = None
    """The option that decided the number of tasks; None for Slurm's default of one a node."""
    tasks_per_node_from: Use | OptionUse | None = None
    """The option that decided the number of tasks on each node."""


def step_geometry(
    request: JobRequest, uses: Sequence[Use], env: Mapping[str, str | None] | None = None
) -> Geometry:
    """Work out the size of a step that ``srun`` with the options *uses* starts in the job.

    *env* holds the ``SLURM_`` variables that the script itself has set: None for a value that is not
    known, the empty string for one that is unset.
    """
    return _Step(request, {use.spec.long: use for use in uses}, env or {}).geometry()


@dataclass(frozen=True)
class _Step:
    request: JobRequest
    own: Mapping[str, Use]
    env: Mapping[str, str | None]

    def geometry(self) -> Geometry:
        if any(name in self.own for name in _ELSEWHERE) or self._arbitrary:
            return Geometry()
        tasks, decided = self.tasks
        each, each_from = self.tasks_per_node
        return Geometry(self.nodes, tasks, each, self._gpus(), decided, each_from)

    @property
    def _arbitrary(self) -> bool:
        use = self.own.get("distribution") or self.request.get("distribution")
        return use is not None and (use.value or "").lower().startswith("arb")

    # --- nodes ---------------------------------------------------------------------------------

    @cached_property
    def nodes(self) -> Count | None:
        """Number of nodes; fewer tasks than nodes cut it."""
        nodes, tasks = self._nodes_asked, self.tasks[0]
        if self._option("ntasks-per-gpu") and "ntasks" in self.own and "nodes" not in self.own:
            return None
        if nodes is not None and tasks is not None and tasks.value < nodes.value:
            return nodes.with_value(tasks.value, tasks)
        return nodes

    @cached_property
    def _nodes_asked(self) -> Count | None:
        own = self.own.get("nodes")
        if own is not None:
            bounds = node_range(own.value or "")
            nodes = Count(bounds[0]) if bounds is not None and bounds[0] == bounds[1] else None
        else:
            nodes = self._from_env("SLURM_JOB_NUM_NODES", self.request.nodes)
        listed = self.own.get("nodelist")
        if nodes is None or listed is None:
            return nodes
        hosts = count_hosts(listed.value or "")
        certain = nodes.value == 1 if hosts is None else hosts <= nodes.value
        return nodes if certain or own is not None else None

    # --- tasks ---------------------------------------------------------------------------------

    @cached_property
    def tasks(self) -> tuple[Count | None, Use | OptionUse | None]:
        """Number of tasks and the option that decided it."""
        if any(self._option(name) for name in ("ntasks-per-gpu", "ntasks-per-tres")):
            return (self.request.ntasks if self._plain else None), None
        own = self.own.get("ntasks")
        if own is not None:
            return self._read(own, positive_integer), own
        if self._tasks_set:
            return self._tasks_of_job()
        if self._tasks_set is None:
            if self.request.elsewhere and {"nodes", "ntasks-per-node"} <= self.own.keys():
                return self._tasks_of_line()
            return (self.request.ntasks if self._plain else None), None
        return self._tasks_by_default()

    def _tasks_of_line(self) -> tuple[Count | None, Use | OptionUse | None]:
        """``srun -N2 --ntasks-per-node=8`` of a job that nobody knows, or that srun asks for itself.

        That is so many tasks, unless an old release finds SLURM_NTASKS in the environment: assumed then.
        """
        each, each_from = self._each
        product = self._times(each, self._nodes_asked)
        sure = Certainty.KNOWN if self._node_count_overrules else Certainty.ASSUMED
        return (None if product is None else product.with_value(product.value, certainty=sure)), each_from

    @property
    def _plain(self) -> bool:
        """Whether neither srun's own options nor the script change the number of tasks."""
        names = ("nodes", "ntasks", "ntasks-per-node", "ntasks-per-gpu", "ntasks-per-tres", "cpus-per-task")
        changed = self._changed("SLURM_NTASKS", "SLURM_NPROCS", "SLURM_JOB_NUM_NODES")
        return not changed and not any(name in self.own for name in names)

    def _option(self, name: str) -> bool:
        return name in self.own or self.request.get(name) is not None

    def _tasks_of_job(self) -> tuple[Count | None, Use | OptionUse | None]:
        """SLURM_NTASKS is set.  Since 23.02.x, ``--nodes`` with a count per node overrules it."""
        inherited = self._from_env("SLURM_NTASKS", self._from_env("SLURM_NPROCS", self.request.ntasks))
        decided = self.request.get("ntasks") or self.request.get("ntasks-per-node")
        each, each_from = self._each
        if "nodes" not in self.own or each_from is None:
            return inherited, decided
        nodes = self._nodes_asked
        product = self._times(each, nodes)
        if self._node_count_overrules is None:
            same = product is not None and inherited is not None and product.value == inherited.value
            return (inherited, decided) if same else (None, None)
        return (product, each_from) if self._node_count_overrules else (inherited, decided)

    def _tasks_by_default(self) -> tuple[Count | None, Use | OptionUse | None]:
        """SLURM_NTASKS is not set: so many tasks for each node, or one."""
        nodes = self._nodes_asked
        each, each_from = self._each
        if each_from is not None:
            return self._times(each, nodes), each_from
        unclear = ("cpus-per-task", "gpus-per-task", "tres-per-task", *_MULTIPLIERS)
        if nodes is None or any(name in self.own for name in unclear) or self._changed(*_ENLARGING):
            return None, None
        return nodes.with_value(nodes.value, certainty=Certainty.ASSUMED), None

    @cached_property
    def _each(self) -> tuple[Count | None, Use | OptionUse | None]:
        """What ``--ntasks-per-node`` says, srun's own before the job's."""
        own = self.own.get("ntasks-per-node")
        if own is not None:
            return self._read(own, positive_integer), own
        inherited = self.request.get("ntasks-per-node")
        count = self._from_env("SLURM_NTASKS_PER_NODE", self.request.ntasks_per_node)
        return count, inherited if inherited is not None or count is None else None

    @cached_property
    def tasks_per_node(self) -> tuple[Count | None, Use | OptionUse | None]:
        """Number of tasks on each node, where it is the same on all, and the option that decided it."""
        tasks, tasks_from = self.tasks
        nodes = self.nodes
        each, each_from = self._each
        if nodes is None or tasks is None:
            return (each, each_from) if self._each_rules else (None, None)
        if nodes.value == 1 or tasks.value == nodes.value:
            return tasks.with_value(tasks.value // nodes.value, nodes), self._blamed(tasks_from)
        if tasks.value % nodes.value or not self._even:
            return None, None
        share = tasks.value // nodes.value
        if each is not None and each.value == share:
            sure = max(nodes.certainty, tasks.certainty if self._tasks_set is None else nodes.certainty)
            return each.with_value(share, certainty=sure), each_from
        return tasks.with_value(share, nodes, certainty=Certainty.ASSUMED), tasks_from

    def _blamed(self, tasks_from: Use | OptionUse | None) -> Use | OptionUse | None:
        """Name the count per node rather than the job's task count where both say the same."""
        each, each_from = self._each
        tasks, nodes = self.tasks[0], self.nodes
        if each is None or tasks is None or nodes is None or each.value * nodes.value != tasks.value:
            return tasks_from
        return each_from

    @property
    def _each_rules(self) -> bool:
        """Whether a count per node holds although the number of nodes is not known."""
        if "ntasks" in self.own or "ntasks-per-gpu" in self.own or self.request.get("ntasks") is not None:
            return False
        if self._changed("SLURM_NTASKS", "SLURM_NPROCS") or self.request.unsure:
            return False
        inherited = self.request.get("ntasks-per-node")
        if inherited is None:
            return self._tasks_set is False
        own = self.own.get("ntasks-per-node")
        return "nodes" not in self.own and (own is None or own.value == inherited.value)

    @property
    def _even(self) -> bool:
        """Whether the job has as many CPUs on each of its nodes, so that tasks are shared out evenly.

        For ``-N2 -n16`` alone Slurm gives 15 CPUs on one node and 1 on the other.
        """
        tasks, each, nodes = self.request.get("ntasks"), self.request.ntasks_per_node, self.request.nodes
        if self.request.exclusive or (tasks is None and self.request.get("gpus") is None):
            return True
        total = self.request.ntasks
        if total is None or each is None or nodes is None:
            return False
        return each.value * nodes.value == total.value

    # --- GPUs ----------------------------------------------------------------------------------

    def _gpus(self) -> Count | None:
        """Count the GPUs on each node of the step."""
        if "gpus-per-node" in self.own:
            return self._read(self.own["gpus-per-node"], gpu_count)
        if "gres" in self.own:
            return self._read(self.own["gres"], gres_gpus)
        if "gpus" in self.own:
            if self.request.get("gpus-per-node") is not None:
                return None  # srun takes that from its environment too, and it counts for more
            total, nodes = self._read(self.own["gpus"], gpu_count), self.nodes
            if total is None or nodes is None or nodes.value not in (1, total.value):
                return None
            return total.with_value(total.value // nodes.value, nodes)
        for name, reader in (("gpus-per-task", task_gpus), ("tres-per-task", tres_gpus)):
            if name in self.own:
                # srun also takes the job's --gpus-per-node or --gpus from its environment: which of the
                # two then counts differs by release.
                doubtful = self._inherits_gpus
                return None if doubtful else self._gpus_of_tasks(self._read(self.own[name], reader))
        return self._gpus_of_job()

    def _gpus_of_job(self) -> Count | None:
        """Count the GPUs on each node where srun's own options do not name them."""
        if "gpus-per-socket" in self.own or self._changed("SLURM_GPUS", "SLURM_GPUS_PER_NODE", "SLURM_GRES"):
            return None
        if self._option("ntasks-per-gpu") and not self._plain:
            return None
        if self.request.gpus_per_task is not None and not self._inherits_gpus:
            return self._gpus_of_tasks(self.request.gpus_per_task)
        return self.request.gpus_per_node

    @property
    def _inherits_gpus(self) -> bool:
        """Whether srun finds a count of GPUs for the nodes or the whole job in its environment."""
        return any(self.request.get(name) is not None for name in ("gpus-per-node", "gpus"))

    def _gpus_of_tasks(self, each: Count | None) -> Count | None:
        tasks = self.tasks_per_node[0]
        return None if each is None or tasks is None else each.with_value(each.value * tasks.value, tasks)

    # --- helpers -------------------------------------------------------------------------------

    @cached_property
    def _tasks_set(self) -> bool | None:
        """Whether srun finds SLURM_NTASKS, or its old name, in its environment."""
        names = ("SLURM_NTASKS", "SLURM_NPROCS")
        if not self._changed(*names):
            return self.request.tasks_are_set
        values = [self.env[name] for name in names if name in self.env]
        found: list[bool | None] = [None if value is None else bool(value) for value in values]
        if len(found) < len(names):
            found.append(self.request.tasks_are_set)
        if True in found:
            return True
        return None if None in found else False

    @property
    def _node_count_overrules(self) -> bool | None:
        """Whether ``--nodes`` on srun's line drops SLURM_NTASKS; None where the release decides."""
        release = parse_release(self.request.release)
        if release is None or release == (23, 2):
            return None
        return release > (23, 2)

    def _changed(self, *names: str) -> bool:
        return any(name in self.env for name in names)

    def _from_env(self, name: str, inherited: Count | None) -> Count | None:
        """Return what the script itself put into *name*, else what the job has there."""
        if name not in self.env:
            return inherited
        text = self.env[name]
        value = None if text is None else positive_integer(text)
        if value is None:
            return None
        return inherited if inherited is not None and inherited.value == value else Count(value)

    @staticmethod
    def _times(each: Count | None, nodes: Count | None) -> Count | None:
        if each is None or nodes is None:
            return None
        return each.with_value(each.value * nodes.value, nodes)

    @staticmethod
    def _read(use: Use, reader: Callable[[str], int | None]) -> Count | None:
        value = reader(use.value or "")
        return None if value is None else Count(value)
