"""srun: the step it starts, its size, its container and what runs in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.branching import branch
from sbatchlint.launch.conditions import LIKELY, Outcome
from sbatchlint.launch.containers import container_of
from sbatchlint.launch.exports import export
from sbatchlint.launch.launching import launch
from sbatchlint.launch.multiprog import command_lines
from sbatchlint.launch.plan import Arg, EarlyExpansion, LayerOption, Program, Step
from sbatchlint.launch.session import Place
from sbatchlint.launch.slurm_line import SlurmLine, read_line
from sbatchlint.launch.srun_defaults import environment_options
from sbatchlint.launch.state import State, exported_copy
from sbatchlint.launch.values import OUTPUT, Choice, Early, Unknown, Value
from sbatchlint.launch.ways import across, split
from sbatchlint.slurm.environment import JobVariable
from sbatchlint.slurm.geometry import Geometry, step_geometry
from sbatchlint.slurm.getopt import Use
from sbatchlint.slurm.step_environment import step_variables

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.slurm.request import JobRequest
    from sbatchlint.source import Span

_SIZES = frozenset(
    "nodes ntasks ntasks-per-node ntasks-per-gpu ntasks-per-socket ntasks-per-core gpus gpus-per-node "
    "gpus-per-task gres nodelist exclude distribution relative".split()
)


_INHERITED = ("SLURM_NTASKS", "SLURM_NPROCS", "SLURM_JOB_NUM_NODES", "SLURM_NNODES", "SLURM_NTASKS_PER_NODE")
"""What an srun inside a step reads of that step's size."""
_NOT_OF_SIZE = frozenset(
    "SLURM_UNBUFFEREDIO SLURM_KILL_BAD_EXIT SLURM_LABELIO SLURM_WAIT SLURM_MPI_TYPE SLURM_EXPORT_ENV "
    "SLURM_CPU_BIND SLURM_MEM_BIND SLURM_DEBUG SLURM_SRUN_REDUCE_TASK_EXIT_MSG SRUN_EXPORT_ENV".split()
)
"""What srun reads for other ends (srun(1), INPUT ENVIRONMENT VARIABLES)."""


def start_step(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """Note the step and follow what it starts; several of them for ``srun A : B``."""
    if machine.place.in_task:
        args = [replace(arg, value=arg.value.alike()) for arg in args]
    parts = _components(args)
    for number, part in enumerate(parts):
        _start(machine, part, span, None if len(parts) == 1 else number, last=part is parts[-1])
    if machine.sink is not None:
        machine.print(Value((Unknown(OUTPUT),)))
    return LIKELY


def _components(args: list[Arg]) -> list[list[Arg]]:
    """Cut the line where another component of a heterogeneous job begins."""
    parts = [[args[0]]]
    for arg in args[1:]:
        if arg.text == ":":
            parts.append([args[0]])
        else:
            parts[-1].append(arg)
    return parts


def _start(machine: Machine, args: list[Arg], span: Span, group: int | None, *, last: bool) -> None:
    """Note one step; *group* is its place on a line of several."""
    session = machine.session
    args, line = read_line(args, "srun", session.request.release)
    choice = across(args, line.rest)
    if choice is not None:
        ways = split(args, choice)
        branch(machine, [((), partial(_start, machine, way, span, group, last=last)) for way in ways])
        return
    geometry = _geometry(machine, line, group)
    container = container_of(machine, line.options)
    programs: list[Program] = []
    place = Place(
        session, geometry, _variables(machine, line, geometry if group is None else Geometry()), programs
    )
    child = machine.subshell()
    child.state = _handed_on(machine, line, place)
    child.place = place
    child.sink = None
    command = args[line.rest :]
    before = len(session.steps)
    if command:
        session.depth += 1
        _follow(child, line, command, span)
        session.depth -= 1
    if session.muted:
        return
    step = Step(
        words=tuple(args),
        span=args[0].place or span,
        line_span=span,
        options=line.options,
        options_complete=line.complete,
        geometry=geometry,
        container=container,
        programs=tuple(programs),
        early=_early(place, command, programs),
        background=machine.background or not last,
        conditional=machine.may_be_passed_over,
        assumed=machine.weak > 0,
        nested=machine.place.in_task,
        component=group,
        environment_options=environment_options(machine, line),
    )
    session.steps.insert(before, step)
    if machine.place.programs is not None:
        machine.place.programs.extend(programs)


def _follow(child: Machine, line: SlurmLine, command: list[Arg], span: Span) -> None:
    """Follow the step's command, or what a file says for each group of tasks."""
    if not any(option.name == "multi-prog" for option in line.options):
        launch(child, command, span)
        return
    child.conditional += 1
    for words, place in command_lines(child, command[0]):
        launch(child, words, place or span)


def _handed_on(machine: Machine, line: SlurmLine, place: Place) -> State:
    """The memory of the step's first process: what srun exports, under what Slurm sets anew."""
    state = exported_copy(machine.state)
    export(machine, state, line.options)
    for name in place.variables:
        state.variables.pop(name, None)
    if machine.place.in_task:
        for name, held in state.variables.items():
            if held.value is not None:
                state.variables[name] = replace(held, value=held.value.alike())
    return state


def _variables(machine: Machine, line: SlurmLine, geometry: Geometry) -> dict[str, JobVariable]:
    """What Slurm sets for the tasks, over what it has set for those of an outer step."""
    asked = machine.state.variables.get("SRUN_CPUS_PER_TASK")
    value = None if asked is None else asked.value
    found = step_variables(
        machine.session.request,
        machine.session.variables,
        geometry,
        line.uses,
        complete=line.complete and not any(option.arg.optional for option in line.options),
        cpus_per_task="" if value is None else value.text,
    )
    return {**machine.place.variables, **found}


def _geometry(machine: Machine, line: SlurmLine, group: int | None) -> Geometry:
    """The step's size; unknown where an option that decides it may or may not be there."""
    if not line.complete:
        return Geometry()
    sizing = [option for option in line.options if option.name in _SIZES]
    if any(option.arg.optional for option in sizing):
        return Geometry()
    environment = _environment(machine)
    uses = [use for use, option in zip(line.uses, line.options, strict=True) if not _names_own_job(option)]
    request = _component(machine.session.request, uses, group)
    if request is None:
        return Geometry()
    if request is not machine.session.request and environment.keys() - _NOT_OF_SIZE:
        return Geometry()  # what the script has set is said of another component
    uses = [use for use in uses if use.spec.long != "het-group"]
    geometry = step_geometry(request, uses, environment)
    worst = max(
        (option.value.certainty for option in sizing if option.value is not None), default=Certainty.KNOWN
    )
    return _weakened(geometry) if worst is Certainty.ASSUMED else geometry


def _component(request: JobRequest, uses: Sequence[Use], group: int | None) -> JobRequest | None:
    """The one component of the job that a step runs in; None where it is not one, or not known."""
    named = [use.value or "" for use in uses if use.spec.long == "het-group"]
    text = named[-1] if named else str(group or 0)
    if not text.isdecimal() or int(text) >= len(request.components):
        return None
    return request.components[int(text)]


def _environment(machine: Machine) -> dict[str, str | None]:
    """Slurm's variables as srun finds them where that is not as sbatch has set them; empty for unset."""
    found: dict[str, str | None] = {}
    if machine.place.in_task:
        for name in _INHERITED:
            value, is_set = machine.lookup(name, None)
            found[name] = "" if is_set is False else None if value is None else value.text
    for name, held in machine.state.variables.items():
        if not name.startswith(("SLURM_", "SRUN_")):
            continue
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
        for name in ("nodes", "tasks", "tasks_per_node", "gpus_per_node")
        if (count := getattr(geometry, name)) is not None
    }
    return replace(geometry, **counts)


def _is_early_alone(value: Value) -> bool:
    """Tell whether the word is ``0`` or ``--rank=0`` with the number made of a per-task variable."""
    *before, last = value.segments or (None,)
    if last is None or isinstance(last, Choice) or last.early is None:
        return False
    head = Value(tuple(before)).text
    return head == "" or (head is not None and head.endswith("="))


def _early(place: Place, command: Sequence[Arg], programs: Sequence[Program]) -> tuple[EarlyExpansion, ...]:
    """The per-task variables that the batch shell expanded into the step's command or into its code.

    A value that comes to a program through an exported variable (``export R=$SLURM_NODEID``) is among
    them where it stands alone, as a rank does; in the name of a folder it may well be meant.
    """
    words = [*command, *(Arg(code) for code in place.codes)]
    words += [word for program in programs for word in program.words if _is_early_alone(word.value)]
    found: dict[Span, EarlyExpansion] = {}
    for word in words:
        for leaf in word.value.leaves():
            if leaf.early is None or leaf.span is None or leaf.span in found:
                continue
            notes = place.early.get(leaf.span, set())
            once = Early(leaf.early.variable, rereads=1)
            found[leaf.span] = EarlyExpansion(leaf.early.variable, leaf.span, word, notes == {once})
    return tuple(found.values())
