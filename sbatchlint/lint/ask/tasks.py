"""How many tasks of a step share a node."""

from __future__ import annotations

from sbatchlint.certainty import Certainty
from sbatchlint.lint.ask.code_text import found_in_code
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.geometry import Geometry
from sbatchlint.slurm.getopt import Use
from sbatchlint.slurm.request import OptionUse
from sbatchlint.source import Span

TASK_COUNTS = regex(r"\bSLURM_(?:STEP_)?(?:NTASKS|NPROCS|N?TASKS_PER_NODE|NUM_TASKS)\b")
"""Variables in which Slurm tells a script how many tasks there are."""
_BY_SLOTS = frozenset(("mpirun", "mpiexec", "mpiexec.hydra", "orterun", "prun", "horovodrun"))


@dataclass(frozen=True, slots=True)
class Crowd:
    """At least ``number`` tasks run on some node; ``even`` where every node has just so many."""

    number: int
    certainty: Certainty
    spans: tuple[Span, ...]
    """The directives that it rests on."""
    even: bool
    decided_by: Use | OptionUse | None


def most_tasks_on_a_node(geometry: Geometry) -> Crowd | None:
    """The number of tasks that the fullest node of a step has at least; None where not known.

    Without ``--ntasks-per-node`` Slurm may share tasks unevenly, yet 4 tasks on 2 nodes put 2 on one.
    """
    each = geometry.tasks_per_node
    if each is not None:
        return Crowd(each.value, each.certainty, each.spans, True, geometry.tasks_per_node_from)
    tasks, nodes = geometry.tasks, geometry.nodes
    if tasks is None or nodes is None or not nodes.value:
        return None
    least = -(-tasks.value // nodes.value)
    certainty = max(tasks.certainty, nodes.certainty)
    spans = tuple(dict.fromkeys((*tasks.spans, *nodes.spans)))
    return Crowd(least, certainty, spans, False, geometry.tasks_from)


def starts_by_slots(job: Job) -> bool:
    """Whether the batch shell starts MPI programs itself: on as many slots as the job has tasks."""
    programs = job.plan.host_programs
    return any(program.name in _BY_SLOTS or program.has_layer(*_BY_SLOTS) for program in programs)


def reads_task_count(job: Job, *counted: Span) -> bool:
    """Tell whether the script reads the number of tasks anywhere but at the places in *counted*."""
    read = found_in_code(job, TASK_COUNTS)
    return any(not any(place in known for known in counted) for place in read)
