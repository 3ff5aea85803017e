"""Follows a command line inwards: wrappers, shells, containers, launchers, down to the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from sbatchlint.launch import outputs
from sbatchlint.launch.branching import branch
from sbatchlint.launch.command_table import CommandTable
from sbatchlint.launch.conditions import LIKELY, OPEN, Outcome
from sbatchlint.launch.defaults import by_environment
from sbatchlint.launch.fields import DEFAULT_SEPARATORS, Fields
from sbatchlint.launch.filing import file_changes
from sbatchlint.launch.modes import first_line_modes
from sbatchlint.launch.noting import note, note_leaf
from sbatchlint.launch.options import Read, Start, arg_text, command_start, read_options, tail
from sbatchlint.launch.plan import Arg, Layer, LayerKind, LayerOption
from sbatchlint.launch.repeating import repeat
from sbatchlint.launch.shells import may_follow, run_code, run_shell, written_script
from sbatchlint.launch.state import UNSET, Flow
from sbatchlint.launch.tables import MODULE_LAUNCHERS, SHELLS, TABLES, table_for
from sbatchlint.launch.values import OUTPUT, Unknown, Value, last_part, text_value
from sbatchlint.launch.ways import lines, table_of

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span

_UNDECIDED = frozenset(("grep", "diff", "cmp", "pgrep", "squeue", "scontrol", "which", "ping", "nc"))


def launch(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """Start a command line that is neither a function nor a builtin."""
    found = lines(args)
    if len(found) > 1:
        return _each(machine, found, span)
    args = _without_leading_optional(found[0])
    if not args:
        return LIKELY
    name = last_part(args[0].value)
    if name == "srun":
        from sbatchlint.launch.steps import start_step

        return start_step(machine, args, span)
    if name in ("sbatch", "salloc"):
        from sbatchlint.launch.submitting import submit

        return submit(machine, args, span)
    if name in SHELLS:
        return run_shell(machine, name or "", args, span)
    if name == "command" and len(args) > 1 and args[1].text in ("-v", "-V"):
        machine.print_unknown()
        return OPEN
    written = written_script(machine, args[0].value)
    if written is not None and may_follow(machine, written, args[1:]):
        layer = Layer("bash", LayerKind.SHELL, args[0].place, (), True)
        given = first_line_modes(written.text or "")
        return run_code(machine, written, layer, args, span, file=args[0].value, given=given)
    table = table_for(name) if name is not None else table_of(args[0])
    if table is not None:
        return _by_table(machine, table, args, span)
    file_changes(machine, name or "", args)
    printed = outputs.printed_by(machine, name or "", args)
    machine.print(printed if printed is not None else Value((Unknown(OUTPUT),)))
    note(machine, args, args[0].value, args[0], False, args[1:], span)
    return OPEN if name in _UNDECIDED else LIKELY


def _each(machine: Machine, found: Sequence[list[Arg]], span: Span) -> Outcome:
    """Start each of several command lines, of which one is the real one."""
    from sbatchlint.launch.simple import start

    def one(line: list[Arg]) -> Callable[[], object]:
        return lambda: start(machine, line, span)

    branch(machine, [((), one(line)) for line in found])
    return OPEN


def _without_leading_optional(args: list[Arg]) -> list[Arg]:
    """Pass over words at the front that may be missing: what is sure to come is what is started."""
    index = 0
    while index + 1 < len(args) and args[index].optional and args[index].value.text is None:
        index += 1
    return args[index:]


# --- by table --------------------------------------------------------------------------------------


def _by_table(machine: Machine, table: CommandTable, args: list[Arg], span: Span) -> Outcome:
    start = command_start(table, args)
    if start is None:
        return note_leaf(machine, args, span)
    read = start.read
    for option in read.options:
        if option.value is not None and option.name in _bare(table.shell_code):
            return run_code(machine, option.value, _layer(table, args, read), [args[0]], span)
        if table.assignments and option.name in ("S", "split-string") and option.value is not None:
            return _by_table(machine, table, _with_split(args, start, option), span)
    if table.kind is LayerKind.INTERPRETER:
        return _interpreter(machine, table, args, read, span)
    if table.kind is LayerKind.LAUNCHER:
        return _launcher(machine, table, args, read, span)
    rest = args[start.command :]
    layer = _layer(table, args, read)
    if table.assignments:
        child = _with_assignments(machine, read, args[read.rest : start.command])
        return _inside(child, layer, rest, span)
    if table.kind is LayerKind.CONTAINER:
        return _container(machine, table, layer, start, args, span)
    if not rest:
        return note_leaf(machine, args, span) if table.name != "exec" else LIKELY
    if table.repeats:
        machine.print_unknown()
        return repeat(machine, table, layer, read, rest, partial(_go_inside, machine, layer, span), span)
    if table.scripts and (python := _of_script(table, read, rest)):
        return _script(machine, layer, python, rest, span)
    outcome = _inside(machine, layer, rest, span)
    if table.name == "exec":
        machine.status = outcome
        machine.state.at_exit = (None,)
        machine.state.flow = Flow.EXIT
    return outcome


def _with_split(args: list[Arg], start: Start, option: LayerOption) -> list[Arg]:
    """Return the line of ``env -S "A=1 python x" y`` as ``env`` reads it."""
    fields = Fields(option.arg.span, DEFAULT_SEPARATORS, globs=False)
    fields.split(option.value or Value())
    return [args[0], *fields.finish(), *args[start.read.rest :]]


def _of_script(table: CommandTable, read: Read, rest: Sequence[Arg]) -> str:
    """Tell what the first operand of ``uv run`` is to Python: a ``script``, a ``module``, or nothing."""
    names = {option.name for option in read.options}
    if names & _bare(table.module_flags):
        return "module"
    text = arg_text(rest[0])
    return "script" if names & _bare(table.script_flags) or text.endswith(".py") or text == "-" else ""


def _bare(names: frozenset[str]) -> frozenset[str]:
    return frozenset(name.lstrip("-") for name in names)


def _script(machine: Machine, layer: Layer, kind: str, rest: list[Arg], span: Span) -> Outcome:
    """Note a Python program whose interpreter is not written (``uv run train.py``, ``uv run -m package``)."""
    launcher = TABLES.get(MODULE_LAUNCHERS.get(rest[0].text or "", "")) if kind == "module" else None
    outer = machine.place
    machine.place = outer.within(layer)
    if launcher is not None:
        outcome = _module_launcher(machine, launcher, rest, 1, span)
    else:
        machine.place = machine.place.within(Layer("python", LayerKind.INTERPRETER, rest[0].place))
        note(machine, rest, rest[0].value, rest[0], kind == "module", rest[1:], span)
        machine.print_unknown()
        outcome = LIKELY
    machine.place = outer
    return outcome


# --- containers --------------------------------------------------------------------------------------


def _container(
    machine: Machine, table: CommandTable, layer: Layer, start: Start, args: list[Arg], span: Span
) -> Outcome:
    """Go on inside a container; what its image starts by itself is not known."""
    rest = args[start.command :]
    if start.image is not None:
        image = LayerOption("image", start.image.value, start.image, start.image)
        layer = replace(layer, options=(*layer.options, image))
    entry = next((o for o in start.read.options if f"--{o.name}" in table.entry_options), None)
    if entry is not None and entry.value is not None and entry.value.segments:
        rest = [replace(entry.value_arg or entry.arg, value=entry.value), *rest]
    elif start.subcommand in table.runscripts and not (rest and _names_command(rest[0])):
        return _runscript(machine, layer, start, args, span)
    elif not rest:
        return note_leaf(machine, args, span)
    return _inside(machine, layer, rest, span)


def _names_command(arg: Arg) -> bool:
    """Tell whether an image's run script is likely to be given a command: most start what they are given."""
    name = arg_text(arg).rsplit("/", 1)[-1]
    return name in SHELLS or table_for(name) is not None


def _runscript(machine: Machine, layer: Layer, start: Start, args: list[Arg], span: Span) -> Outcome:
    """Note the program that an image starts by itself, with the words that it is given."""
    image = start.image
    if image is None:
        return note_leaf(machine, args, span)
    outer = machine.place
    machine.place = outer.within(layer)
    target = Value((Unknown(f"run script of {image.value.show()}", image.place),))
    note(machine, args, target, image, False, args[start.command :], span)
    machine.place = outer
    machine.print_unknown()
    return LIKELY


def _layer(table: CommandTable, args: Sequence[Arg], read: Read, name: str = "") -> Layer:
    return Layer(name or table.name, table.kind, args[0].place, read.options, read.complete)


def _inside(machine: Machine, layer: Layer, args: list[Arg], span: Span) -> Outcome:
    """Go on with what *layer* starts."""
    if not args:
        return LIKELY
    outer = machine.place
    machine.place = outer.within(layer)
    outcome = launch(machine, args, span)
    machine.place = outer
    return outcome


def _go_inside(machine: Machine, layer: Layer, span: Span, args: list[Arg]) -> Outcome:
    return _inside(machine, layer, args, span)


def _with_assignments(machine: Machine, read: Read, assignments: Sequence[Arg]) -> Machine:
    """Apply the options and the ``NAME=value`` operands of ``env`` in a copy of the shell."""
    child = machine.subshell()
    for option in read.options:
        if option.name in ("i", "ignore-environment"):
            gone = dict.fromkeys((*machine.session.variables, *child.state.variables), UNSET)
            child.state.variables.update(gone)
        elif option.name in ("u", "unset") and option.value is not None:
            child.state.variables[option.value.text or ""] = UNSET
    for word in assignments:
        name, _, _ = arg_text(word).partition("=")
        child.assign(name, tail(word.value, len(name) + 1), word.place, export=True)
    return child


# --- launchers and interpreters ----------------------------------------------------------------------


def _launcher(machine: Machine, table: CommandTable, args: list[Arg], read: Read, span: Span) -> Outcome:
    """Note what a launcher starts; of ``mpirun A : B`` each."""
    own, more = _contexts(table, args, read.rest)
    rest = own[read.rest :]
    if not rest:
        return note_leaf(machine, args, span)
    layer = _layer(table, args, read)
    layer = replace(layer, options=(*layer.options, *by_environment(machine, table, layer)))
    names = {option.name for option in layer.options}
    outer = machine.place
    machine.place = outer.within(layer)
    if table.python and not names & _bare(table.program_flags):
        note(machine, own, rest[0].value, rest[0], bool(names & _bare(table.module_flags)), rest[1:], span)
        outcome = LIKELY
    else:
        outcome = launch(machine, rest, span)
    machine.place = outer
    for line in more:
        _launcher(machine, table, line, read_options(line, 1, table), span)
    machine.print_unknown()
    return outcome


def _contexts(table: CommandTable, args: list[Arg], start: int) -> tuple[list[Arg], list[list[Arg]]]:
    """Cut the line where another program of the same start begins; give it, and lines for the others."""
    parts: list[list[Arg]] = [args[:start]]
    for arg in args[start:]:
        if table.contexts and arg.text == ":":
            parts.append([args[0]])
        else:
            parts[-1].append(arg)
    return parts[0], parts[1:]


def _interpreter(machine: Machine, table: CommandTable, args: list[Arg], read: Read, span: Span) -> Outcome:
    last = read.options[-1] if read.options else None
    rest = args[read.rest :]
    if last is not None and last.name in _bare(table.module_options) and last.value is not None:
        module = last.value.text
        launcher = TABLES.get(MODULE_LAUNCHERS.get(module or "", ""))
        if launcher is not None:
            return _module_launcher(machine, launcher, args, read.rest, span)
        target = last.value_arg or last.arg
        _note_inside(machine, table, args, read, (last.value, target, True), rest, span)
    elif last is not None and last.name in _bare(table.code_options):
        _note_inside(machine, table, args, read, (text_value("-c"), last.arg, False), rest, span)
    elif rest:
        _note_inside(machine, table, args, read, (rest[0].value, rest[0], False), rest[1:], span)
    else:
        return note_leaf(machine, args, span)
    machine.print_unknown()
    return LIKELY


def _module_launcher(
    machine: Machine, launcher: CommandTable, args: list[Arg], start: int, span: Span
) -> Outcome:
    if launcher.subcommands and start < len(args) and args[start].value.text in launcher.subcommands:
        start += 1
    return _launcher(machine, launcher, args, read_options(args, start, launcher), span)


def _note_inside(
    machine: Machine,
    table: CommandTable,
    args: Sequence[Arg],
    read: Read,
    target: tuple[Value, Arg, bool],
    rest: Sequence[Arg],
    span: Span,
) -> None:
    outer = machine.place
    machine.place = outer.within(_layer(table, args, read))
    value, arg, is_module = target
    note(machine, args, value, arg, is_module, rest, span)
    machine.place = outer
