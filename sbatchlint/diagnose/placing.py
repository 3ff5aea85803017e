"""Which node, task and rank a line speaks of, put together from all that the logs tell."""

from __future__ import annotations

from dataclasses import replace

from sbatchlint.diagnose.candidates import Candidate, worker_of
from sbatchlint.diagnose.diagnosis import Where
from sbatchlint.diagnose.facts import Facts, TaskEnd, WorkerEnd

TOLD_TO_STOP = 143
"""The exit code that srun tells of a task which SIGTERM ended."""
_KILLED = -9
_BATCH_SHELL = "slurm_script: line "
"""What bash says of the batch script itself, which runs in no task."""


def place(cause: Candidate, facts: Facts) -> Where:
    """Return who failed, for the *cause* of a failure."""
    scope = cause.signature.scope if cause.signature else "rank"
    if scope == "job":
        return Where()
    if cause.seen is not None and _BATCH_SHELL in cause.seen.text:
        return Where()
    label = cause.label
    where = Where(label.node, label.task, label.rank, label.local)
    exit_code = cause.signature.exit if cause.signature else None
    worker = worker_of(cause.seen, facts.workers, exit_code) if cause.seen else None
    if worker is None and scope == "node":
        worker = next((one for one in facts.workers if one.code == _KILLED), None)
    return complete(where if worker is None else with_worker(where, worker, facts), facts)


def complete(where: Where, facts: Facts) -> Where:
    """Add to *where* what srun's lines about the ends of tasks tell, and the rank where a task is one."""
    if where.node is None and where.task is None and where.rank is None:
        ended = first_end(facts)
        if ended is not None:
            where = _with_end(where, ended)
    if where.task is None and where.rank is not None:
        where = replace(where, task=_task_of_rank(where.rank, facts))
    if where.node is None and where.task is not None:
        where = replace(where, node=node_of_task(where.task, facts))
    if where.task is None and where.node is not None:
        ends = {one.tasks for one in facts.ends if one.nodes == (where.node,)}
        if len(ends) == 1 and len(next(iter(ends))) == 1:
            where = replace(where, task=next(iter(ends))[0])
    if where.rank is None and where.task is not None and tasks_are_ranks(facts):
        where = replace(where, rank=where.task)
    return where


def tasks_are_ranks(facts: Facts) -> bool:
    """Tell whether each task is one rank: no launcher was seen, and wherever both are told they agree."""
    return not facts.torchrun and bool(facts.pairs) and all(task == rank for task, rank in facts.pairs)


def first_end(facts: Facts) -> TaskEnd | None:
    """Return the first task that ended badly by itself, or that was told to stop if there is no other."""
    own = [one for one in facts.ends if one.code not in (0, TOLD_TO_STOP)]
    return next(iter(own or facts.ends), None)


def end_of(where: Where, facts: Facts) -> TaskEnd | None:
    """Return what srun says of the end of *where*."""
    for one in facts.ends:
        if where.task is not None and where.task in one.tasks:
            return one
    for one in facts.ends:
        if where.task is None and where.node is not None and where.node in one.nodes:
            return one
    return None


def node_of_task(task: int, facts: Facts) -> str | None:
    """Return the node that *task* ran on."""
    for one in facts.ends:
        if task in one.tasks:
            if len(one.nodes) == 1:
                return one.nodes[0]
            if len(one.nodes) == len(one.tasks):  # srun lists both in the order of the nodes
                return one.nodes[one.tasks.index(task)]
    named = [one for one in facts.workers if one.host and not one.host.startswith("localhost")]
    hosts = {one.host for one in named if one.seen.label.task == task}
    return hosts.pop() if len(hosts) == 1 else None


def _task_of_rank(rank: int, facts: Facts) -> int | None:
    tasks = {task for task, other in facts.pairs if other == rank}
    if len(tasks) == 1:
        return tasks.pop()
    return rank if tasks_are_ranks(facts) else None


def with_worker(where: Where, worker: WorkerEnd, facts: Facts) -> Where:
    """Return *where* with what torchrun's block tells of the process; Slurm's name of a node goes first."""
    task = worker.seen.label.task if where.task is None else where.task
    node = node_of_task(task, facts) if task is not None else None
    host = None if worker.host.startswith("localhost") else worker.host
    return Where(
        where.node or node or worker.seen.label.node or host or None,
        task,
        worker.rank if where.rank is None else where.rank,
        worker.local if where.local_rank is None else where.local_rank,
    )


def _with_end(where: Where, ended: TaskEnd) -> Where:
    node = ended.nodes[0] if len(ended.nodes) == 1 else where.node
    task = ended.tasks[0] if len(ended.tasks) == 1 else where.task
    return replace(where, node=node, task=task)
