"""How many ranks a program becomes: the world size, and the sum that gives it."""

from __future__ import annotations

from dataclasses import replace

from sbatchlint.certainty import Certainty
from sbatchlint.launch.plan import LayerKind, LayerOption, Program, Step
from sbatchlint.slurm.geometry import Geometry
from sbatchlint.source import Span
from sbatchlint.training.entrypoints import LaunchClass
from sbatchlint.training.frameworks import Framework, FrameworkName
from sbatchlint.training.worlds.launchers import integer, world_of_launcher
from sbatchlint.training.worlds.world import Term, World, amount

_DOCKER = ("docker", "podman", "podman-hpc")


def world_size(step: Step | None, program: Program, framework: Framework) -> World | None:
    """Return the world that *program* forms in *step* (None: started on the batch host).

    None where it cannot be told, and for programs that form no process group.
    """
    world = _world(step, program, framework)
    if world is None:
        return None
    doubtful = program.doubtful or (step is not None and step.assumed)
    doubtful = doubtful or framework.name is FrameworkName.UNKNOWN
    return replace(world, certainty=max(world.certainty, Certainty.ASSUMED)) if doubtful else world


def _world(step: Step | None, program: Program, framework: Framework) -> World | None:
    if framework.launch in (LaunchClass.SINGLE_PROCESS, LaunchClass.LOGIN_NODE):
        return None
    if program.conditional and step is not None and not step.conditional:
        return None  # not every task may come here
    launchers = program.launchers
    if len(launchers) > 1:
        return None
    if launchers:
        return world_of_launcher(step, program, launchers[0])
    if "WORLD_SIZE" in program.environment:
        return _of_variable(step, program)
    if any(layer.kind is LayerKind.CONTAINER and layer.name in _DOCKER for layer in program.layers):
        return None  # the tasks' variables stay outside
    return _of_tasks(step.geometry, framework, step) if step is not None else _alone(framework)


# --- without a launcher ----------------------------------------------------------------------------


def _of_tasks(geometry: Geometry, framework: Framework, step: Step) -> World | None:
    each = geometry.tasks_per_node
    if framework.name is FrameworkName.UNKNOWN:
        return None
    if not framework.by_script and (each is None or each.value == 1):
        return None  # a program that is not known by name may start its own ranks
    return _all_tasks(geometry, step)


def _all_tasks(geometry: Geometry, step: Step) -> World | None:
    """Return the world in which each task is a rank."""
    nodes, tasks, each = geometry.nodes, geometry.tasks, geometry.tasks_per_node
    if tasks is None:
        return None
    terms = _task_terms(geometry, step)
    if nodes is None or each is None:
        return World(tasks.value, tasks.certainty, amount(tasks.value, "task"), terms)
    factors = f"{amount(nodes.value, 'node')} x {amount(each.value, 'task')} per node"
    text = f"{factors} = {amount(tasks.value, 'rank')}"
    return World(tasks.value, tasks.certainty, text, terms, each.value)


def _task_terms(geometry: Geometry, step: Step) -> tuple[Term, ...]:
    """Where the numbers of nodes and tasks are written: srun's own options before the directives."""
    terms: dict[Span, str] = {}
    nodes, tasks, each = geometry.nodes, geometry.tasks, geometry.tasks_per_node
    for name in ("nodes", "ntasks", "ntasks-per-node"):
        option = step.get(name)
        if option is not None and option.arg.place is not None:
            terms[option.arg.place] = _option_text(name, option)
    for span in nodes.spans if nodes is not None else ():
        if step.get("nodes") is None and nodes is not None:
            terms.setdefault(span, amount(nodes.value, "node"))
    for span in each.spans if each is not None else ():
        if each is not None:
            terms.setdefault(span, f"{amount(each.value, 'task')} per node")
    if tasks is not None and (len(tasks.spans) == 1 or nodes is None or each is None):
        # Where its factors are told, the places of a product are not those of its number.
        terms = {**dict.fromkeys(tasks.spans, amount(tasks.value, "task")), **terms}
    return tuple(Term(span, message) for span, message in terms.items())


def _option_text(name: str, option: LayerOption) -> str:
    shown = option.value.show() if option.value is not None else ""
    return {
        "nodes": f"{shown} nodes",
        "ntasks": f"{shown} tasks",
        "ntasks-per-node": f"{shown} tasks per node",
    }[name]


def _of_variable(step: Step | None, program: Program) -> World | None:
    value = program.environment["WORLD_SIZE"]
    number = integer(value)
    if number is None:
        return None
    tasks = _all_tasks(step.geometry, step) if step is not None else None
    if tasks is not None and tasks.ranks == number:
        return replace(tasks, certainty=max(tasks.certainty, value.certainty))  # WORLD_SIZE=$SLURM_NTASKS
    span = program.environment_spans.get("WORLD_SIZE")
    terms = () if span is None else (Term(span, f"WORLD_SIZE is {number} here"),)
    return World(number, value.certainty, f"WORLD_SIZE {number}", terms)


def _alone(framework: Framework) -> World | None:
    """On the batch host: Megatron-LM takes itself for the only rank, Bridge reads the job's task count."""
    if framework.name is not FrameworkName.MEGATRON_LM or not framework.by_script:
        return None
    return World(1, Certainty.KNOWN, "started once, without srun or a launcher: 1 rank", (), 1)
