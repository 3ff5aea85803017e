"""How large a step is that an srun starts: what its options and the script's variables make of the job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.digits import whole_number
from sbatchlint.launch.nodes import is_node
from sbatchlint.launch.plan import LayerOption
from sbatchlint.launch.slurm_line import SlurmLine
from sbatchlint.launch.values import Text, Value
from sbatchlint.slurm.geometry import Geometry, step_geometry
from sbatchlint.slurm.getopt import Use
from sbatchlint.slurm.option_use import Count

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.slurm.request import JobRequest

_SIZES = frozenset(
    "nodes ntasks ntasks-per-node ntasks-per-gpu ntasks-per-socket ntasks-per-core gpus gpus-per-node "
    "gpus-per-task gres nodelist exclude distribution relative".split()
)
_COUNTS = ("nodes", "tasks", "tasks_per_node", "gpus_per_node")
_SHARING = frozenset(
    ("ntasks-per-gpu", "ntasks-per-tres", "exclude", "nodefile", "multi-prog", "distribution")
)
"""Options with which one task may not be all that decides on the nodes."""
_MOST_WAYS = 8
_INHERITED = ("SLURM_NTASKS", "SLURM_NPROCS", "SLURM_JOB_NUM_NODES", "SLURM_NNODES", "SLURM_NTASKS_PER_NODE")
"""What an srun inside a step reads of that step's size."""
_NOT_OF_SIZE = frozenset(
    "SLURM_UNBUFFEREDIO SLURM_KILL_BAD_EXIT SLURM_LABELIO SLURM_WAIT SLURM_MPI_TYPE SLURM_EXPORT_ENV "
    "SLURM_CPU_BIND SLURM_MEM_BIND SLURM_DEBUG SLURM_SRUN_REDUCE_TASK_EXIT_MSG SRUN_EXPORT_ENV".split()
)
"""What srun reads for other ends (srun(1), INPUT ENVIRONMENT VARIABLES)."""


def step_size(machine: Machine, line: SlurmLine, group: int | None) -> Geometry:
    """The step's size; unknown where an option that decides it may or may not be there."""
    if not line.complete:
        return Geometry()
    sizing = [option for option in line.options if option.name in _SIZES]
    if any(option.arg.optional for option in sizing):
        return Geometry()
    environment = _environment(machine)
    uses = [use for use, option in zip(line.uses, line.options, strict=True) if not _names_own_job(option)]
    requests = _components(machine.session.request, uses, group)
    if (
        any(request is not machine.session.request for request in requests)
        and environment.keys() - _NOT_OF_SIZE
    ):
        return Geometry()  # what the script has set is said of another component
    geometries: list[Geometry] = []
    for request in requests:
        sizes = [step_geometry(request, ways, environment) for ways in _each_way(line, uses)]
        geometries.append(_of_one_task(line, sizes[0] if len(sizes) == 1 else _agreed(sizes)))
    geometry = geometries[0] if len(geometries) == 1 else _together(geometries)
    leaves = [leaf for option in sizing if option.value is not None for leaf in option.value.leaves()]
    assumed = any(isinstance(leaf, Text) and leaf.certainty is Certainty.ASSUMED for leaf in leaves)
    return _weakened(geometry) if assumed else geometry


def _each_way(line: SlurmLine, uses: Sequence[Use]) -> list[list[Use]]:
    """The options as each way through the script has them, where a value is one of several."""
    held = {use.name_word: option.value for use, option in zip(line.uses, line.options, strict=True)}
    ways: list[list[Use]] = [[]]
    for use in uses:
        if use.spec.long == "het-group":
            continue
        value = held[use.name_word]
        texts = [] if value is None or use.spec.long not in _SIZES else _texts(value)
        if len(texts) * len(ways) > _MOST_WAYS:
            texts = []
        each = [replace(use, value=text) for text in texts]
        if each:
            ways = [[*way, one] for way in ways for one in each]
            continue
        for way in ways:
            way.append(use)
    return ways


def _texts(value: Value) -> list[str]:
    """What an option's value is one of; nothing where it is one text, or not known."""
    texts = [option.text for option in value.alternatives(_MOST_WAYS) or ()]
    known = [text for text in texts if text is not None]
    return known if len(known) == len(texts) > 1 else []


def _agreed(sizes: Sequence[Geometry]) -> Geometry:
    """What all the sizes agree in."""
    first = sizes[0]
    differing = {name: None for name in _COUNTS if len({_number(getattr(size, name)) for size in sizes}) > 1}
    return replace(first, **differing)


def _number(count: Count | None) -> int | None:
    return None if count is None else count.value


def _components(request: JobRequest, uses: Sequence[Use], group: int | None) -> list[JobRequest]:
    """The components of the job that a step runs in (``--het-group=0,2-3``); none where not known."""
    named = [use.value or "" for use in uses if use.spec.long == "het-group"]
    found: list[JobRequest] = []
    for piece in (named[-1] if named else str(group or 0)).split(","):
        written, _, end = piece.partition("-")
        first, last = whole_number(written), whole_number(end or written)
        if first is None or last is None or not first <= last < len(request.components):
            return []
        found += request.components[first : last + 1]
    return found


def _together(parts: Sequence[Geometry]) -> Geometry:
    """The size of a step that runs in several components: each gets the step's options for itself."""
    if not parts:
        return Geometry()
    agreed = _agreed(parts)
    return Geometry(
        _sum([part.nodes for part in parts]),
        _sum([part.tasks for part in parts]),
        agreed.tasks_per_node,
        agreed.gpus_per_node,
    )


def _sum(counts: Sequence[Count | None]) -> Count | None:
    known = [count for count in counts if count is not None]
    if len(known) < len(counts):
        return None
    return known[0].with_value(sum(count.value for count in known), *known[1:])


def _of_one_task(line: SlurmLine, geometry: Geometry) -> Geometry:
    """The size with one node, where the line asks for one task: srun cuts the nodes to the tasks."""
    values = {option.name: option.value for option in line.options}
    tasks, where = geometry.tasks, values.get("nodelist")
    asks = tasks is not None and tasks.value == 1 and "ntasks" in values
    if not asks or "nodes" in values or _SHARING & values.keys():
        return geometry
    if geometry.nodes is not None and geometry.nodes.value != 1:
        return geometry
    if where is not None and not is_node(where):
        return geometry
    return replace(geometry, nodes=tasks, tasks_per_node=tasks, tasks_per_node_from=geometry.tasks_from)


def _of_slurm(name: str) -> bool:
    return name.startswith(("SLURM_", "SRUN_"))


def _environment(machine: Machine) -> dict[str, str | None]:
    """Slurm's variables as srun finds them where that is not as sbatch has set them; empty for unset."""
    found: dict[str, str | None] = {}
    if machine.place.in_task:
        for name in _INHERITED:
            value, is_set = machine.lookup(name, None)
            found[name] = "" if is_set is False else None if value is None else value.text
    variables = machine.state.variables
    for name in variables.names_where(_of_slurm):
        held = variables[name]
        if held.value is None and held.items is None:
            found[name] = ""
        elif held.exported:
            found[name] = None if held.maybe_unset or held.value is None else held.value.text
    return found


def _names_own_job(option: LayerOption) -> bool:
    """Tell whether it is ``--jobid=$SLURM_JOB_ID``, which says nothing new."""
    return (
        option.name == "jobid"
        and option.value is not None
        and option.value.show() in ("$SLURM_JOB_ID", "$SLURM_JOBID")
    )


def _weakened(geometry: Geometry) -> Geometry:
    counts = {
        name: replace(count, certainty=max(count.certainty, Certainty.ASSUMED))
        for name in _COUNTS
        if (count := getattr(geometry, name)) is not None
    }
    return replace(geometry, **counts)
