"""Whether the program's layout comes out with the ranks that the script starts."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.certainty import Certainty
from sbatchlint.convert.refusal import Note, Refused
from sbatchlint.lint.job import Job
from sbatchlint.training.constraints import grids
from sbatchlint.training.recipe_readings import recipe_gpus
from sbatchlint.training.runs import TrainingRun
from sbatchlint.training.violations import Violation, legal_nodes, violation

_GRIDS = (grids.DENSE_GRID, grids.EXPERT_GRID)


def misfits(job: Job) -> tuple[Note, ...]:
    """Return what is doubtful in the number of nodes of *job*, a script that was made.

    Raises Refused where the number of ranks can't be laid out whatever is not known, with the numbers of
    nodes that can.
    """
    return tuple(note for run in job.runs for note in _of_run(job, run))


def _of_run(job: Job, run: TrainingRun) -> Iterator[Note]:
    world, nodes = run.world, job.request.nodes
    if world is None or nodes is None:
        return
    option = f"--nodes={nodes.value}"
    for grid in _GRIDS:
        found = violation(run.layout, grid)
        if found is not None:
            text = f"{found.text}; {_advice(run, found)}"
            if found.certainty is Certainty.KNOWN:
                raise Refused(option, text)
            yield Note(option, f"{text} (a number rests on a recipe or a default)")
            return
    recipe = recipe_gpus(run.program, run.framework)
    if recipe is not None and world.ranks % recipe.gpus:
        each = world.per_node or 0
        fitting = recipe.gpus // each if each and recipe.gpus % each == 0 else None
        advice = f"; --nodes={fitting} gives it as many" if fitting else ""
        yield Note(option, f"the recipe is made for {recipe.gpus} GPUs and gets {world.ranks}{advice}")


def _advice(run: TrainingRun, found: Violation) -> str:
    each = run.world.per_node if run.world is not None else None
    counts = legal_nodes(run.layout, found, each) if each else []
    if not counts or not each:
        return "take another number of GPUs per node, or another layout"
    return "take --nodes=" + " or ".join(f"{count} ({count * each} ranks)" for count in counts)
