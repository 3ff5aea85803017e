"""The shell's own commands, as far as they change what is known (bash(1), SHELL BUILTIN COMMANDS)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.launch.assignments import assign_from
from sbatchlint.launch.computing import compute_text
from sbatchlint.launch.conditions import FAILURE, LIKELY, OPEN, SUCCESS, Operand, Outcome, Test
from sbatchlint.launch.expansion import expand_value, expand_words
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.state import Flow, Variable
from sbatchlint.launch.values import EMPTY, Unknown, Value, text_value, unknown
from sbatchlint.shell.syntax import Parameter, Simple
from sbatchlint.shell.words import read_assignment

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span

Builtin = Callable[["Machine", "list[Arg]", "Span"], Outcome]
DECLARATIONS = frozenset(("export", "declare", "typeset", "local", "readonly"))
_SET_LETTERS = {"e": "errexit", "u": "nounset", "x": "xtrace", "a": "allexport", "f": "noglob", "n": "noexec"}


# --- declarations --------------------------------------------------------------------------------


def declare(machine: Machine, command: Simple) -> Outcome:
    """``export``, ``declare``, ``local``, ``readonly``: their arguments are assignments."""
    name = command.words[0].literal or ""
    letters, off = "", ""
    for word in command.words[1:]:
        text = word.literal
        if text is not None and re.fullmatch(r"[-+][A-Za-z]+|--", text):
            if text[0] == "-":
                letters += text[1:]
            else:
                off += text[1:]
            continue
        assignment = read_assignment(machine.code.text, word.span)
        if assignment is not None:
            _prepare(machine, name, letters, assignment.name)
            assign_from(machine, assignment)
            _finish(machine, name, letters, off, assignment.name)
            continue
        for arg in expand_words(machine, (word,)):
            _declare_expanded(machine, name, letters, off, arg)
    return SUCCESS


def _declare_expanded(machine: Machine, name: str, letters: str, off: str, arg: Arg) -> None:
    """A name, or ``NAME=value`` that an expansion gave (``export "$k=$v"``)."""
    text = arg.text
    if text is None:
        return
    variable, equals, _ = text.partition("=")
    if not variable.isidentifier():
        return
    _prepare(machine, name, letters, variable)
    if equals:
        from sbatchlint.launch.values import slice_value

        machine.assign(variable, slice_value(arg.value, len(variable) + 1, len(text)), arg.span)
    _finish(machine, name, letters, off, variable)


def _prepare(machine: Machine, command: str, letters: str, name: str) -> None:
    inside = machine.locals and (
        command == "local" or (command in ("declare", "typeset") and "g" not in letters)
    )
    if inside and name not in machine.locals[-1]:
        machine.locals[-1][name] = machine.state.variables.get(name)
        machine.state.variables[name] = Variable(None)
    if "A" in letters:
        machine.state.variables[name] = Variable(items=(), associative=True)
    elif "a" in letters and not (name in machine.state.variables and machine.state.variables[name].items):
        machine.state.variables[name] = Variable(items=())


def _finish(machine: Machine, command: str, letters: str, off: str, name: str) -> None:
    before = machine.state.variables.get(name)
    exports = (command == "export" and "n" not in letters) or "x" in letters
    hides = (command == "export" and "n" in letters) or "x" in off
    if exports or hides:
        if before is None:
            value, _ = machine.lookup(name, None)
            before = Variable(value, maybe_unset=True)
        machine.state.variables[name] = replace(before, exported=exports)


def _unset(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    for arg in args[1:]:
        text = arg.text
        if text and text.isidentifier():
            machine.state.variables[text] = Variable(None)
            machine.state.functions.pop(text, None)
    return SUCCESS


# --- options and arguments -------------------------------------------------------------------------


def _set(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    rest = args[1:]
    options = set(machine.state.options)
    index = 0
    while index < len(rest):
        text = rest[index].text
        if text is None:
            break
        if text == "--":
            _set_arguments(machine, rest[index + 1 :])
            break
        if text[:1] not in ("-", "+") or len(text) < 2:
            _set_arguments(machine, rest[index:])
            break
        names = [_SET_LETTERS[letter] for letter in text[1:] if letter in _SET_LETTERS]
        if text[1:].endswith("o") and index + 1 < len(rest):
            index += 1
            names.append(rest[index].text or "")
        options = options | set(names) if text[0] == "-" else options - set(names)
        index += 1
    machine.state.options = frozenset(options)
    return SUCCESS


def _set_arguments(machine: Machine, args: Sequence[Arg]) -> None:
    known = not any(arg.open or arg.optional for arg in args)
    machine.state.arguments = tuple(arg.value for arg in args) if known else None


def _shift(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    arguments = machine.state.arguments
    if arguments is None:
        return LIKELY
    count = int(args[1].text or "1") if len(args) > 1 and (args[1].text or "").isdigit() else 1
    if count > len(arguments):
        return FAILURE
    machine.state.arguments = arguments[count:]
    return SUCCESS


# --- flow ------------------------------------------------------------------------------------------


def _exit(machine: Machine, _: list[Arg], __: Span) -> Outcome:
    machine.state.flow = Flow.EXIT
    return SUCCESS


def _return(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    machine.state.flow = Flow.RETURN if machine.returns else Flow.EXIT
    status = args[1].text if len(args) > 1 else "0"
    return SUCCESS if status == "0" else OPEN if status is None else FAILURE


def _break(machine: Machine, _: list[Arg], __: Span) -> Outcome:
    if machine.loops:
        machine.state.flow = Flow.BREAK
    return SUCCESS


def _continue(machine: Machine, _: list[Arg], __: Span) -> Outcome:
    if machine.loops:
        machine.state.flow = Flow.CONTINUE
    return SUCCESS


def _eval(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    from sbatchlint.launch.code import Code

    code = EMPTY
    for index, arg in enumerate(args[1:]):
        code = code + text_value(" ") + arg.value if index else arg.value
    before = machine.code
    machine.code = Code(code, in_task=machine.place.in_task, note=machine.place.note_early)
    machine.session.depth += 1
    outcome = (
        machine.run(machine.code.script.body) if machine.session.depth < machine.session.deepest else OPEN
    )
    machine.session.depth -= 1
    machine.code = before
    return outcome


# --- input and output ------------------------------------------------------------------------------


def _echo(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    rest = args[1:]
    newline = True
    while rest and rest[0].text is not None and re.fullmatch(r"-[neE]+", rest[0].text):
        newline = newline and "n" not in rest[0].text
        rest = rest[1:]
    machine.print(_joined(rest) + (text_value("\n") if newline else EMPTY))
    return SUCCESS


def _joined(args: Sequence[Arg]) -> Value:
    result = EMPTY
    for index, arg in enumerate(args):
        result = result + text_value(" ") + arg.value if index else arg.value
    return result


_DIRECTIVE = re.compile(r"%(?:%|-?[0-9]*(?:\.[0-9]+)?[sdiqb])")
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\\\": "\\"}


def _printf(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    rest = args[1:]
    if len(rest) > 1 and rest[0].text == "-v":
        name = rest[1].text
        if name and name.isidentifier():
            machine.assign(name, _formatted(rest[2:]), rest[1].span)
        return SUCCESS
    if rest and rest[0].text == "--":
        rest = rest[1:]
    machine.print(_formatted(rest))
    return SUCCESS


def _formatted(args: Sequence[Arg]) -> Value:
    """Apply a format of ``%s``, ``%d`` and plain text; anything else is unknown."""
    template = args[0].text if args else None
    if template is None or any(arg.open or arg.optional for arg in args):
        return unknown("$(printf ...)")
    template = re.sub(r"\\[nt\\]", lambda match: _ESCAPES[match.group()], template)
    if "\\" in template:
        return unknown("$(printf ...)")
    queue = [arg.value for arg in args[1:]]
    result = EMPTY
    while True:
        taken = False
        at = 0
        for match in _DIRECTIVE.finditer(template):
            result += text_value(template[at : match.start()])
            at = match.end()
            if match.group() == "%%":
                result += text_value("%")
                continue
            if match.group() not in ("%s", "%d"):
                return unknown("$(printf ...)")
            result += queue.pop(0) if queue else EMPTY
            taken = True
        if "%" in template[at:]:
            return unknown("$(printf ...)")
        result += text_value(template[at:])
        if not queue or not taken:
            return result


def _read(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """What is read is not known; the names are set."""
    valued = False
    for arg in args[1:]:
        text = arg.text
        if text is None or valued:
            valued = False
        elif text.startswith("-") and len(text) > 1:
            valued = text[-1] in "adinNptu" and text[-1] != "a"
        elif text.isidentifier():
            machine.assign(text, Value((Unknown(f"${text}", span),)), span)
    return OPEN


def _mapfile(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    names = [arg.text for arg in args[1:] if arg.text and arg.text.isidentifier()]
    name = names[-1] if names else "MAPFILE"
    machine.state.variables.pop(name, None)
    return SUCCESS


def _getopts(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    if len(args) > 2 and args[2].text:
        machine.assign(args[2].text, unknown(f"${args[2].text}"), span)
    machine.assign("OPTARG", unknown("$OPTARG"), span)
    return OPEN


# --- the rest --------------------------------------------------------------------------------------


def _test(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    """A test whose name came out of an expansion; the usual one is decided by the machine itself."""
    rest = args[1:-1] if args[0].text == "[" else args[1:]
    if any(arg.optional for arg in rest):
        return OPEN
    return Test(machine, [Operand(arg.value) for arg in rest], double=False).decide()


def _let(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    number: int | None = None
    for arg in args[1:]:
        number = compute_text(machine, arg.text) if arg.text is not None else None
    return OPEN if number is None else Outcome(number != 0)


def _nothing(_: Machine, __: list[Arg], ___: Span) -> Outcome:
    return SUCCESS


def _likely(_: Machine, __: list[Arg], ___: Span) -> Outcome:
    return LIKELY


def _source(_: Machine, __: list[Arg], ___: Span) -> Outcome:
    """A file that is not read: it may set anything, and scripts count on its success."""
    return LIKELY


BUILTINS: dict[str, Builtin] = {
    ":": _nothing,
    "true": _nothing,
    "false": lambda *_: FAILURE,
    "[": _test,
    "test": _test,
    "set": _set,
    "shift": _shift,
    "unset": _unset,
    "exit": _exit,
    "return": _return,
    "break": _break,
    "continue": _continue,
    "eval": _eval,
    "echo": _echo,
    "printf": _printf,
    "read": _read,
    "mapfile": _mapfile,
    "readarray": _mapfile,
    "getopts": _getopts,
    "let": _let,
    "source": _source,
    ".": _source,
    "cd": _likely,
    "pushd": _likely,
    "popd": _likely,
    "wait": _likely,
    "kill": _likely,
    "ulimit": _likely,
    "umask": _likely,
    "trap": _nothing,
    "shopt": _likely,
    "alias": _nothing,
    "unalias": _nothing,
    "hash": _likely,
    "type": lambda *_: OPEN,
    "jobs": _likely,
    "disown": _likely,
    "enable": _likely,
    "bind": _likely,
    "complete": _likely,
    "history": _likely,
    "module": _likely,
    "ml": _likely,
    "dirs": _likely,
    "times": _likely,
}

__all__ = ["BUILTINS", "DECLARATIONS", "Parameter", "declare", "expand_value"]
