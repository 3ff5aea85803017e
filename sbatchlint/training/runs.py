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
    for step, program in plan.programs():
        run = None if is_of_inner_step(plan, step, program) else training_run(step, program)
        if run is not None:
            yield run


def is_of_inner_step(plan: LaunchPlan, step: Step | None, program: Program) -> bool:
    """Tell whether an srun inside *step* starts *program*, so that *step* says nothing of its size."""
    if step is None or step.nested:
        return False
    return any(program is one for inner in plan.steps if inner.nested for one in inner.programs)


def training_run(step: Step | None, program: Program) -> TrainingRun | None:
    """Return what *program* trains in *step* (None: on the batch host); None where nothing is recognised."""
    framework = recognise(program)
    if not framework.dialects:
        return None
    quantities = with_recipe(read_quantities(program, framework), named_recipe(program, framework))
    world = world_size(step, program, framework)
    if world is not None and not _agrees(world, quantities):
        world = None  # the framework refuses to start: another mistake
    return TrainingRun(step, program, framework, quantities, world)


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
