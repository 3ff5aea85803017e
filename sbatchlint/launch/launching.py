"""Follows a command line inwards: wrappers, shells, containers, launchers, down to the program."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.launch import outputs
from sbatchlint.launch.branching import branch
from sbatchlint.launch.conditions import LIKELY, OPEN, Outcome
from sbatchlint.launch.fields import settled
from sbatchlint.launch.options import Read, arg_text, read_options, tail
from sbatchlint.launch.plan import Arg, Layer, LayerKind, LayerOption, Program
from sbatchlint.launch.redirections import file_name
from sbatchlint.launch.state import UNSET, Flow
from sbatchlint.launch.tables import MODULE_LAUNCHERS, SHELLS, TABLES, CommandTable, table_for
from sbatchlint.launch.values import EMPTY, OUTPUT, Choice, Text, Unknown, Value, text_value

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span

_UNDECIDED = frozenset(("grep", "diff", "cmp", "pgrep", "squeue", "scontrol", "which", "ping", "nc"))
_SHELL_LINE = re.compile(r"#!\s*\S*(?:/|\benv\s+)(?:ba|z|da|k)?sh\b")
_SYNTAX = frozenset("|&;<>()$`\"'\n\\")


def launch(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """Start a command line that is neither a function nor a builtin."""
    args = _without_leading_optional(args)
    if not args:
        return LIKELY
    text = args[0].value.text
    name = text.rsplit("/", 1)[-1] if text is not None else None
    if name == "srun":
        from sbatchlint.launch.steps import start_step

        return start_step(machine, args, span)
    if name in SHELLS:
        return _shell(machine, name or "", args, span)
    if name == "command" and len(args) > 1 and args[1].text in ("-v", "-V"):
        machine.print_unknown()
        return OPEN
    written = _written_script(machine, args[0].value)
    if written is not None:
        layer = Layer("bash", LayerKind.SHELL, args[0].place, (), True)
        return run_code(machine, written, layer, args, span)
    table = table_for(name) if name is not None else None
    if table is not None:
        return _by_table(machine, table, args, span)
    printed = outputs.printed_by(machine, name or "", args)
    machine.print(printed if printed is not None else Value((Unknown(OUTPUT),)))
    _note(machine, args, args[0].value, args[0], False, args[1:], span)
    return OPEN if name in _UNDECIDED else LIKELY


def _written_script(machine: Machine, command: Value) -> Value | None:
    """The text of a shell script that the script has written and now starts by its path."""
    text = command.text
    if text is not None and "/" not in text:
        return None
    written = machine.state.files.get(file_name(command))
    if written is None or not written.segments or not isinstance(written.segments[0], Text):
        return None
    line = written.segments[0].text.partition("\n")[0]
    return written if not line.startswith("#!") or _SHELL_LINE.match(line) else None


def _without_leading_optional(args: list[Arg]) -> list[Arg]:
    """Pass over words at the front that may be missing: what is sure to come is what is started."""
    index = 0
    while index + 1 < len(args) and args[index].optional and args[index].value.text is None:
        index += 1
    return args[index:]


# --- by table --------------------------------------------------------------------------------------


def _by_table(machine: Machine, table: CommandTable, args: list[Arg], span: Span) -> Outcome:
    start = 1
    global_options: tuple[LayerOption, ...] = ()
    if table.subcommands:
        before = read_options(args, 1, table)
        start = before.rest
        global_options = before.options
        if start >= len(args) or args[start].value.text not in table.subcommands:
            return _leaf(machine, args, span)
        start += 1
    read = read_options(args, start, table)
    read = replace(read, options=global_options + read.options)
    if table.kind is LayerKind.INTERPRETER:
        return _interpreter(machine, table, args, read, span)
    if table.kind is LayerKind.LAUNCHER:
        return _launcher(machine, table, args, read, span)
    layer = _layer(table, args, read)
    rest = read.rest
    if table.assignments:
        child, rest = _with_assignments(machine, args, read)
        return _inside(child, layer, args[rest:], span)
    if table.image_operand and rest < len(args):
        image = LayerOption("image", args[rest].value, args[rest], args[rest])
        layer = replace(layer, options=(*layer.options, image))
        rest += 1
    if _takes_operand(table, read):
        rest += table.operands
    if rest >= len(args):
        return _leaf(machine, args, span) if table.name != "exec" else LIKELY
    outcome = _inside(machine, layer, args[rest:], span)
    if table.name == "exec":
        machine.status = outcome
        machine.state.flow = Flow.EXIT
    return outcome


def _takes_operand(table: CommandTable, read: Read) -> bool:
    """``taskset -c LIST CMD`` has its operand as an option's value."""
    return not (table.name == "taskset" and any(o.name in ("c", "cpu-list") for o in read.options))


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


def _with_assignments(machine: Machine, args: Sequence[Arg], read: Read) -> tuple[Machine, int]:
    """Apply the options and the ``NAME=value`` operands of ``env`` in a copy of the shell."""
    child = machine.subshell()
    for option in read.options:
        if option.name in ("i", "ignore-environment"):
            gone = dict.fromkeys((*machine.session.variables, *child.state.variables), UNSET)
            child.state.variables.update(gone)
        elif option.name in ("u", "unset") and option.value is not None:
            child.state.variables[option.value.text or ""] = UNSET
    index = read.rest
    while index < len(args):
        text = arg_text(args[index])
        name, equals, _ = text.partition("=")
        if not equals or not name.isidentifier():
            break
        child.assign(name, tail(args[index].value, len(name) + 1), args[index].place, export=True)
        index += 1
    return child, index


# --- launchers and interpreters ----------------------------------------------------------------------


def _launcher(machine: Machine, table: CommandTable, args: list[Arg], read: Read, span: Span) -> Outcome:
    layer = _layer(table, args, read)
    rest = args[read.rest :]
    names = {option.name for option in read.options}
    if not rest:
        return _leaf(machine, args, span)
    outer = machine.place
    machine.place = outer.within(layer)
    python = table.underscores and not names & {flag.lstrip("-") for flag in table.program_flags}
    if python:
        is_module = bool(names & {flag.lstrip("-") for flag in table.module_flags})
        _note(machine, args, rest[0].value, rest[0], is_module, rest[1:], span)
        outcome = LIKELY
    else:
        outcome = launch(machine, rest, span)
    machine.place = outer
    _print_output(machine)
    return outcome


def _interpreter(machine: Machine, table: CommandTable, args: list[Arg], read: Read, span: Span) -> Outcome:
    last = read.options[-1] if read.options else None
    rest = args[read.rest :]
    bare = {option.lstrip("-") for option in table.module_options}
    if last is not None and last.name in bare and last.value is not None:
        module = last.value.text
        launcher = TABLES.get(MODULE_LAUNCHERS.get(module or "", ""))
        if launcher is not None:
            return _module_launcher(machine, launcher, args, read, span)
        target = last.value_arg or last.arg
        _note_inside(machine, table, args, read, (last.value, target, True), rest, span)
    elif last is not None and last.name in {option.lstrip("-") for option in table.code_options}:
        _note_inside(machine, table, args, read, (text_value("-c"), last.arg, False), rest, span)
    elif rest:
        _note_inside(machine, table, args, read, (rest[0].value, rest[0], False), rest[1:], span)
    else:
        return _leaf(machine, args, span)
    _print_output(machine)
    return LIKELY


def _module_launcher(
    machine: Machine, launcher: CommandTable, args: list[Arg], read: Read, span: Span
) -> Outcome:
    start = read.rest
    if launcher.subcommands and start < len(args) and args[start].value.text in launcher.subcommands:
        start += 1
    inner = read_options(args, start, launcher)
    return _launcher(machine, launcher, args, inner, span)


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
    _note(machine, args, value, arg, is_module, rest, span)
    machine.place = outer


def _leaf(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """A command of the tables that starts nothing: ``uv sync``, ``ray start``, ``python`` alone."""
    _print_output(machine)
    _note(machine, args, args[0].value, args[0], False, args[1:], span)
    return LIKELY


def _print_output(machine: Machine) -> None:
    if machine.sink is not None:
        machine.print(Value((Unknown(OUTPUT),)))


# --- shells ------------------------------------------------------------------------------------------


def _shell(machine: Machine, name: str, args: list[Arg], span: Span) -> Outcome:
    """``bash -c CODE``, ``bash FILE`` and ``bash < CODE``."""
    index = 1
    wants_code = from_stdin = False
    options: list[LayerOption] = []
    while index < len(args):
        text = arg_text(args[index])
        if text[:1] not in ("-", "+") or text == "-":
            break
        options.append(LayerOption(text.lstrip("-+"), None, args[index]))
        letters = "" if text.startswith("--") else text[1:]
        wants_code = wants_code or (text[0] == "-" and "c" in letters)
        from_stdin = from_stdin or (text[0] == "-" and "s" in letters)
        index += 2 if letters.endswith(("o", "O")) or text in ("--rcfile", "--init-file") else 1
        if text == "--":
            break
    layer = Layer(name, LayerKind.SHELL, args[0].place, tuple(options), True)
    if wants_code and index < len(args):
        if args[index].optional or args[index].open:
            code = (
                args[index].value if not args[index].optional else Value((Unknown(args[index].value.show()),))
            )
        else:
            code = args[index].value
        return run_code(machine, code, layer, args[index + 1 :], span)
    if not wants_code and index < len(args) and not from_stdin:
        written = machine.state.files.get(file_name(args[index].value))
        if written is not None:
            return run_code(machine, written, layer, args[index:], span)
        machine_place = machine.place
        machine.place = machine_place.within(layer)
        _note(machine, args, args[index].value, args[index], False, args[index + 1 :], span)
        machine.place = machine_place
        _print_output(machine)
        return LIKELY
    if machine.stdin is not None and not wants_code:
        code, machine.stdin = machine.stdin, EMPTY
        return run_code(machine, code, layer, [args[0], *args[index:]], span)
    return _leaf(machine, args, span)


def run_code(machine: Machine, code: Value, layer: Layer, args: Sequence[Arg], span: Span) -> Outcome:
    """Read *code* as the script of a new shell; what may be one of several scripts is run as each."""
    session = machine.session
    machine.place.codes.append(code)
    if session.depth >= session.deepest:
        return OPEN
    options = code.alternatives(4) if _choice_of_syntax(code) else [code]
    if options is None:
        options = [code]
    session.depth += 1
    arguments = settled(args[1:])
    outcome = LIKELY

    def run(text: Value) -> Callable[[], None]:
        def script() -> None:
            nonlocal outcome
            outcome = _run_script(machine, text, layer, arguments)

        return script

    if len(options) == 1:
        run(options[0])()
    else:
        branch(machine, [((), run(option)) for option in options])
        outcome = LIKELY
    session.depth -= 1
    return outcome


def _run_script(machine: Machine, code: Value, layer: Layer, arguments: tuple[Value, ...] | None) -> Outcome:
    child = machine.nested(code, machine.place.within(layer), arguments)
    outcome = child.run(child.code.script.body)
    machine.adopt_files(child)
    outcome = child.status if child.ended else outcome.unexcused()
    return outcome if outcome.holds is not None else LIKELY


def _choice_of_syntax(code: Value) -> bool:
    """Tell whether a choice in *code* holds more than plain words, so that it can't stand as one."""
    return any(
        isinstance(segment, Choice)
        and any(
            isinstance(leaf, Text) and set(leaf.text) & _SYNTAX
            for o in segment.options
            for leaf in o.leaves()
        )
        for segment in code.segments
    )


# --- noting ------------------------------------------------------------------------------------------


def _note(
    machine: Machine,
    words: Sequence[Arg],
    target: Value,
    target_arg: Arg,
    is_module: bool,
    arguments: Sequence[Arg],
    span: Span,
) -> None:
    """Add a program to the plan."""
    session = machine.session
    if session.muted:
        return
    exported = machine.state.exported()
    first = words[0] if words else None
    program = Program(
        words=tuple(words),
        target=target,
        target_span=target_arg.place,
        is_module=is_module,
        arguments=tuple(arguments),
        layers=machine.place.layers,
        environment={name: held.value for name, held in exported.items() if held.value is not None},
        environment_spans={name: v.written for name, v in exported.items() if v.written is not None},
        span=(first.place if first is not None else None) or span,
        conditional=machine.may_be_passed_over,
        assumed=machine.weak > 0,
        code_incomplete=any(arg.open for arg in words),
    )
    place = machine.place.programs
    (place if place is not None else session.host_programs).append(program)


__all__ = ["launch", "run_code"]
