"""srun: the step it starts, its size, its container and what runs in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from sbatchlint.launch.branching import branch
from sbatchlint.launch.containers import container_of
from sbatchlint.launch.exports import export
from sbatchlint.launch.layering import cut_at_colons
from sbatchlint.launch.multiprog import command_lines
from sbatchlint.launch.nodes import printed_by_step
from sbatchlint.launch.outcomes import LIKELY, Outcome
from sbatchlint.launch.plan import Arg, EarlyExpansion, Program, Step
from sbatchlint.launch.session import Place
from sbatchlint.launch.slurm_line import SlurmLine, read_line
from sbatchlint.launch.srun_defaults import environment_options
from sbatchlint.launch.state import State, exported_copy
from sbatchlint.launch.step_size import step_size
from sbatchlint.launch.values import OUTPUT, Choice, Early, Value, unknown
from sbatchlint.launch.ways import across, split
from sbatchlint.slurm.environment import JobVariable
from sbatchlint.slurm.geometry import Geometry
from sbatchlint.slurm.step_environment import step_variables

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span


def start_step(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """Note the step and follow what it starts; several of them for ``srun A : B``."""
    if machine.place.in_task:
        args = [replace(arg, value=arg.value.alike()) for arg in args]
    parts = cut_at_colons(args, 1)
    for number, part in enumerate(parts):
        _start(machine, part, span, None if len(parts) == 1 else number, last=part is parts[-1])
    if machine.sink is not None:
        machine.print(_printed(machine, args, parts, span))
    return LIKELY


def _printed(machine: Machine, args: list[Arg], parts: Sequence[list[Arg]], span: Span) -> Value:
    """What the step prints: unknown, but for a node that tells its own name."""
    words, line = read_line(args, "srun", machine.session.request.release)
    found = printed_by_step(line, words[line.rest :], span) if len(parts) == 1 else None
    return found or unknown(OUTPUT)


def _start(machine: Machine, args: list[Arg], span: Span, group: int | None, *, last: bool) -> None:
    """Note one step; *group* is its place on a line of several."""
    session = machine.session
    args, line = read_line(args, "srun", session.request.release)
    choice = across(args, line.rest)
    if choice is not None:
        ways = split(args, choice)
        branch(machine, [((), partial(_start, machine, way, span, group, last=last)) for way in ways])
        return
    geometry = step_size(machine, line, group)
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
    before, uses_before = len(session.steps), len(session.file_uses)
    if command:
        session.depth += 1
        _follow(child, line, command, span)
        session.depth -= 1
    if session.muted:
        return
    uses = tuple(session.file_uses[uses_before:])
    del session.file_uses[uses_before:]
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
        folder=machine.state.folders[-1],
        file_uses=uses,
    )
    session.steps.insert(before, step)
    if machine.place.programs is not None:
        machine.place.programs.extend(programs)


def _follow(child: Machine, line: SlurmLine, command: list[Arg], span: Span) -> None:
    """Follow the step's command, or what a file says for each group of tasks."""
    if not any(option.name == "multi-prog" for option in line.options):
        child.launch(command, span)
        return
    child.conditional += 1
    for words, place in command_lines(child, command[0]):
        child.launch(words, place or span)


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
