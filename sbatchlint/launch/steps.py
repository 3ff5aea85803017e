"""srun: the step it starts, its size, its container and what runs in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.code import is_placeholder
from sbatchlint.launch.conditions import LIKELY, Outcome
from sbatchlint.launch.containers import container_of
from sbatchlint.launch.launching import launch
from sbatchlint.launch.options import arg_text, tail, unknown_is_options
from sbatchlint.launch.plan import Arg, EarlyExpansion, LayerOption, Program, Step
from sbatchlint.launch.session import Place
from sbatchlint.launch.state import exported_copy
from sbatchlint.launch.values import Early, Value
from sbatchlint.slurm.geometry import Geometry, step_geometry
from sbatchlint.slurm.getopt import Use, parse

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span

_SIZES = frozenset(
    "nodes ntasks ntasks-per-node ntasks-per-gpu ntasks-per-socket ntasks-per-core gpus gpus-per-node "
    "gpus-per-task gres nodelist exclude distribution relative".split()
)


@dataclass(frozen=True, slots=True)
class _Line:
    """An srun command line, read."""

    uses: tuple[Use, ...]
    options: tuple[LayerOption, ...]
    rest: int
    complete: bool


def start_step(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """Note the step and follow what it starts."""
    line = _read(args, machine.session.request.release)
    geometry = _geometry(machine, line)
    container = container_of(machine, line.options)
    programs: list[Program] = []
    place = Place(machine.session, geometry, programs)
    child = machine.subshell()
    child.state = exported_copy(machine.state)
    child.place = place
    child.sink = None
    command = args[line.rest :]
    session = machine.session
    if command:
        session.depth += 1
        launch(child, command, span)
        session.depth -= 1
    if machine.sink is not None:
        from sbatchlint.launch.values import OUTPUT, Unknown

        machine.print(Value((Unknown(OUTPUT),)))
    if session.muted:
        return LIKELY
    step = Step(
        words=tuple(args),
        span=args[0].place or span,
        line_span=span,
        options=line.options,
        options_complete=line.complete,
        geometry=geometry,
        container=container,
        programs=tuple(programs),
        early=_early(place, command),
        background=machine.background,
        conditional=machine.may_be_passed_over,
        assumed=machine.weak > 0,
        nested=machine.place.in_task,
    )
    session.steps.append(step)
    if machine.place.programs is not None:
        machine.place.programs.extend(programs)
    return LIKELY


def _read(args: Sequence[Arg], release: str | None) -> _Line:
    """Read srun's options; an unknown word among them may hold more."""
    texts = [arg_text(arg) for arg in args]
    uses: list[Use] = []
    index = 1
    complete = True
    while True:
        parsed = parse(texts[index:], "srun", release)
        uses.extend(_shifted(use, index) for use in parsed.uses)
        index += parsed.rest
        if index >= len(args) or not texts[index] or not is_placeholder(texts[index][0]):
            break
        if not unknown_is_options(args, index):
            break
        complete = False
        index += 1
    return _Line(tuple(uses), tuple(_option(args, use) for use in uses), index, complete)


def _shifted(use: Use, by: int) -> Use:
    value_word = None if use.value_word is None else use.value_word + by
    return replace(use, name_word=use.name_word + by, value_word=value_word)


def _option(args: Sequence[Arg], use: Use) -> LayerOption:
    arg = args[use.name_word]
    if use.value_word is None:
        return LayerOption(use.spec.long, None, arg)
    holder = args[use.value_word]
    return LayerOption(use.spec.long, tail(holder.value, use.value_start), arg, holder)


def _geometry(machine: Machine, line: _Line) -> Geometry:
    """The step's size; unknown where an option that decides it may or may not be there."""
    if not line.complete:
        return Geometry()
    sizing = [option for option in line.options if option.name in _SIZES]
    if any(option.arg.optional for option in sizing):
        return Geometry()
    environment = {
        name: (variable.value.text if variable.value is not None else "")
        for name, variable in machine.state.exported().items()
        if name.startswith(("SLURM_", "SRUN_"))
    }
    uses = [use for use, option in zip(line.uses, line.options, strict=True) if not _names_own_job(option)]
    geometry = step_geometry(machine.session.request, uses, environment)
    worst = max(
        (option.value.certainty for option in sizing if option.value is not None), default=Certainty.KNOWN
    )
    return _weakened(geometry) if worst is Certainty.ASSUMED else geometry


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


def _early(place: Place, command: Sequence[Arg]) -> tuple[EarlyExpansion, ...]:
    """The per-task variables that the batch shell expanded into the step's command or into its code."""
    words = [*command, *(Arg(code) for code in place.codes)]
    found: dict[Span, EarlyExpansion] = {}
    for word in words:
        for leaf in word.value.leaves():
            if leaf.early is None or leaf.span is None or leaf.span in found:
                continue
            notes = place.early.get(leaf.span, set())
            once = Early(leaf.early.variable, rereads=1)
            found[leaf.span] = EarlyExpansion(leaf.early.variable, leaf.span, word, notes == {once})
    return tuple(found.values())
