"""The training runs of a plan: each program with what it is, how many ranks it becomes, and its layout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sbatchlint.launch.plan import LaunchPlan, Program, Step
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.frameworks import Framework, recognise
from sbatchlint.training.parallelism import Parallelism
from sbatchlint.training.quantities import Quantities, read_quantities
from sbatchlint.training.ranks import World, world_size
from sbatchlint.training.recipe_readings import named_recipe, with_recipe


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """One program that forms a process group, or a script of a framework."""

    step: Step | None
    """None where the batch host starts it."""
    program: Program
    framework: Framework
    quantities: Quantities
    world: World | None

    @property
    def layout(self) -> Parallelism:
        """How it is laid out over its ranks."""
        return Parallelism(self.world, self.quantities, self.framework)


def training_runs(plan: LaunchPlan) -> Iterator[TrainingRun]:
    """Yield every program of *plan* that a training framework is recognised in, or a layout is given to.

    The program of an srun inside another step belongs to the inner one alone.
    """
    inner = {id(program) for step in plan.steps if step.nested for program in step.programs}
    for step, program in plan.programs():
        if id(program) in inner and step is not None and not step.nested:
            continue
        framework = recognise(program)
        if not framework.dialects:
            continue
        quantities = with_recipe(read_quantities(program, framework), named_recipe(program, framework))
        world = world_size(step, program, framework)
        if world is not None and not _agrees(world, quantities):
            world = None  # the framework refuses to start: another mistake
        yield TrainingRun(step, program, framework, quantities, world)


def _agrees(world: World, quantities: Quantities) -> bool:
    """Tell whether *world* is what the program's own numbers of nodes and GPUs make, where it has them.

    Lightning, and so NeMo, multiplies ``trainer.num_nodes`` and ``trainer.devices``.
    """
    nodes, gpus = quantities[Quantity.NODES], quantities[Quantity.GPUS_PER_NODE]
    if not nodes.given and not gpus.given:
        return True
    if nodes.value is None or gpus.value is None:
        return gpus.value is not None and world.per_node == gpus.value
    return nodes.value * gpus.value == world.ranks
