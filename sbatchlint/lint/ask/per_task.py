"""Variables that differ by task, and whether they do in a step."""

from __future__ import annotations

from sbatchlint.certainty import Certainty
from sbatchlint.launch.plan import Step
from sbatchlint.lint.ask.tasks import most_tasks_on_a_node
from sbatchlint.slurm.option_use import Count

PER_TASK_RANKS = ("SLURM_PROCID", "SLURM_LOCALID", "SLURM_NODEID")


def differing_values(step: Step, variable: str) -> Count | None:
    """How many values *variable* has among the tasks of *step*: 0 for a number that is not known.

    None where all tasks have the same, and for variables that are no ranks: SLURMD_NODENAME and the like
    are often meant to be the batch host's.
    """
    if variable not in PER_TASK_RANKS:
        return None
    count = _count(step, variable)
    if count is None:
        return Count(0, Certainty.UNKNOWN)
    return count if count.value > 1 else None


def _count(step: Step, variable: str) -> Count | None:
    geometry = step.geometry
    if variable == "SLURM_NODEID":
        return geometry.nodes
    if variable == "SLURM_LOCALID":
        crowd = most_tasks_on_a_node(geometry)
        return None if crowd is None else Count(crowd.number, crowd.certainty)
    return geometry.tasks
