"""The training runs of a plan: each program with what it is, how many ranks it becomes, and its layout."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.launch.plan import LaunchPlan, Program, Step
from sbatchlint.records import dataclass
from sbatchlint.source import Span
from sbatchlint.training.frameworks import Framework, FrameworkName, recognise
from sbatchlint.training.parallelism import Parallelism
from sbatchlint.training.quantities import Quantities, read_quantities
from sbatchlint.training.recipe_readings import named_recipe, with_recipe
from sbatchlint.training.worlds.trainers import trainer_agrees, world_of_trainer
from sbatchlint.training.worlds.world import World
from sbatchlint.training.worlds.world_size import world_size


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
    def span(self) -> Span | None:
        """Where it is started: the step's command word, without a step the program's."""
        return self.step.span if self.step is not None else self.program.span

    @property
    def doubtful(self) -> bool:
        """Whether a condition or a default decides if it is started."""
        return self.program.doubtful or (self.step is not None and self.step.doubtful)

    @property
    def layout(self) -> Parallelism:
        """How it is laid out over its ranks."""
        return Parallelism(self.world, self.quantities, self.framework)


def training_runs(plan: LaunchPlan) -> Iterator[TrainingRun]:
    """Yield every program of *plan* that a training framework is recognised in, or a layout is given to.

    The program of an srun inside another step belongs to the inner one alone.
    """
    inner = inner_programs(plan)
    for step, program in plan.programs():
        outer = step is not None and not step.nested and id(program) in inner
        run = None if outer else training_run(step, program)
        if run is not None:
            yield run


def inner_programs(plan: LaunchPlan) -> frozenset[int]:
    """Return the ids of the programs that an srun inside another step starts: the outer one says no size."""
    return frozenset(id(program) for step in plan.steps if step.nested for program in step.programs)


def training_run(step: Step | None, program: Program) -> TrainingRun | None:
    """Return what *program* trains in *step* (None: on the batch host); None where nothing is recognised."""
    framework = recognise(program)
    if not framework.dialects:
        return None
    quantities = with_recipe(read_quantities(program, framework), named_recipe(program, framework))
    world = world_size(step, program, framework)
    if world is not None and not trainer_agrees(world, quantities):
        world = None  # the framework refuses to start: another mistake
    elif world is None and framework.name is FrameworkName.NEMO:
        world = world_of_trainer(step, program, quantities)
    return TrainingRun(step, program, framework, quantities, world)
