"""Scripts of Megatron-Bridge that plain srun starts, where srun starts too few of them."""

from __future__ import annotations

from sbatchlint.certainty import Certainty
from sbatchlint.launch.plan import LayerKind, Step
from sbatchlint.records import dataclass
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.runs import TrainingRun

_RANK_VARIABLES = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "CUDA_VISIBLE_DEVICES")
_COUNTS = ("nodes", "ntasks", "ntasks-per-node")
_TRAINS = "bridge-override"
"""The option table that all training scripts of Bridge read, and no conversion or inference script."""


@dataclass(frozen=True, slots=True)
class IdleGpus:
    """A step that starts one rank on each node and leaves the other GPUs there idle."""

    step: Step
    nodes: int
    gpus: int
    """GPUs on each node."""
    needed: int
    """The least number of ranks that the known parallelism needs."""
    certainty: Certainty


def idle_gpus(run: TrainingRun) -> IdleGpus | None:
    """Return how *run* leaves GPUs idle; None if it does not, or may be meant to run so.

    One rank on one node is a fair way to convert or to try something, unless the layout needs more or
    a training script got it from the job's directives.
    """
    step = run.step
    if step is None or not run.framework.is_native_bridge or run.program.launchers or _told_otherwise(run):
        return None
    geometry = step.geometry
    nodes, tasks, gpus = geometry.nodes, geometry.tasks_per_node, geometry.gpus_per_node
    if nodes is None or tasks is None or gpus is None or tasks.value != 1 or gpus.value < 2:
        return None
    certainty = max(nodes.certainty, tasks.certainty, gpus.certainty)
    needed = run.layout.least_world or 1
    if nodes.value == 1:
        if needed > 1:
            certainty = max([certainty, *(reading.certainty for reading in run.quantities.given())])
        elif _is_single_on_purpose(run, step):
            return None
        else:
            certainty = max(certainty, Certainty.ASSUMED)
    if run.program.doubtful or step.assumed:
        certainty = max(certainty, Certainty.ASSUMED)
    return IdleGpus(step, nodes.value, gpus.value, needed, certainty)


def _told_otherwise(run: TrainingRun) -> bool:
    """Tell whether ranks or devices come from elsewhere, or not every task comes to the program."""
    assert run.step is not None
    if any(name in run.program.environment for name in _RANK_VARIABLES):
        return True
    if any(layer.kind is LayerKind.CONTAINER for layer in run.program.layers):
        return True
    return run.program.conditional and not run.step.conditional


def _is_single_on_purpose(run: TrainingRun, step: Step) -> bool:
    own = any(step.get(name) is not None for name in _COUNTS)
    layout = [run.quantities[quantity] for quantity in (Quantity.TP, Quantity.PP, Quantity.CP)]
    return own or _TRAINS not in run.framework.dialects or all(reading.value == 1 for reading in layout)
