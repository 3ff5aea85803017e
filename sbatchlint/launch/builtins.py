"""The shell's own commands, as far as they change what is known (bash(1), SHELL BUILTIN COMMANDS)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.branching import weakly
from sbatchlint.launch.computing import compute
from sbatchlint.launch.conditions import FAILURE, LIKELY, OPEN, SUCCESS, Operand, Outcome, Test
from sbatchlint.launch.declarations import unset
from sbatchlint.launch.fields import settled
from sbatchlint.launch.launching import launch
from sbatchlint.launch.modes import MODES
from sbatchlint.launch.outputs import path_of
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.printing import echo, printf
from sbatchlint.launch.reading import getopts, mapfile, read
from sbatchlint.launch.redirections import file_name
from sbatchlint.launch.state import Flow
from sbatchlint.launch.values import OUTPUT, Text, Value, joined_by, unknown

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span

Builtin = Callable[["Machine", "list[Arg]", "Span"], Outcome]
_KEYWORDS = frozenset(
    "if then elif else fi for while until do done case esac select function time in coproc { } ! [[".split()
)


# --- options and arguments -------------------------------------------------------------------------


def _set(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    rest = args[1:]
    options = set(machine.state.options)
    index = 0
    while index < len(rest):
        text = rest[index].text
        if text is None:
            break
        if text == "--" or (text in ("-", "+") and index + 1 < len(rest)):
            _set_arguments(machine, rest[index + 1 :], rest[index])
            break
        if text in ("-", "+"):
            break
        if text[:1] not in ("-", "+") or len(text) < 2:
            _set_arguments(machine, rest[index:])
            break
        names = [MODES[letter] for letter in text[1:] if letter in MODES]
        if "o" in text[1:] and index + 1 < len(rest):
            index += 1
            names.append(rest[index].text or "")
        options = options | set(names) if text[0] == "-" else options - set(names)
        index += 1
    machine.state.options = frozenset(options)
    return SUCCESS


def _shopt(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    """``shopt -s name``: kept among the options of ``set``, whose names are others."""
    letters = "".join((arg.text or "")[1:] for arg in args[1:] if (arg.text or "").startswith("-"))
    names = {arg.text for arg in args[1:] if arg.text and not arg.text.startswith("-")}
    if "s" in letters:
        machine.state.options |= names
    elif "u" in letters:
        machine.state.options -= names
    else:
        machine.print_unknown()
    return LIKELY


def _set_arguments(machine: Machine, args: Sequence[Arg], before: Arg | None = None) -> None:
    machine.state.arguments, machine.state.given = settled(args, before), True


def _shift(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    arguments = machine.state.arguments
    text = args[1].text if len(args) > 1 else "1"
    if arguments is None or text is None or not text.isdigit():
        machine.state.arguments, machine.state.given = None, True
        return LIKELY
    if len(args) > 1 and args[1].value.certainty is Certainty.ASSUMED:
        arguments = tuple(value.assumed() for value in arguments)
    if int(text) > len(arguments):
        return FAILURE
    machine.state.arguments = arguments[int(text) :]
    return SUCCESS


# --- flow ------------------------------------------------------------------------------------------


def _status(machine: Machine, args: Sequence[Arg]) -> Outcome:
    """The status that ``exit`` or ``return`` is given; without one it is that of the command before."""
    if len(args) < 2:
        return machine.state.last.unexcused()
    text = args[1].text
    if text is None or not text.isdigit():
        return OPEN
    code = int(text) % 256
    return Outcome(code == 0, assumed=args[1].value.certainty is Certainty.ASSUMED, code=code or None)


def _exit(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    machine.status = _status(machine, args)
    machine.state.flow = Flow.EXIT
    return machine.status


def _return(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    machine.status = _status(machine, args)
    machine.state.flow = Flow.RETURN if machine.returns else Flow.EXIT
    return machine.status


def _leave_loop(flow: Flow) -> Builtin:
    def leave(machine: Machine, args: list[Arg], _: Span) -> Outcome:
        if machine.loops:
            text = args[1].text if len(args) > 1 else "1"
            machine.state.flow = flow
            machine.state.levels = min(int(text), len(machine.loops)) if text and text.isdigit() else 1
        return SUCCESS

    return leave


def _eval(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    if machine.session.depth >= machine.session.deepest or not machine.session.proceed(3):
        return OPEN
    code = joined_by(" ", (arg.value for arg in args[1:]))
    before = machine.code
    machine.code = machine.place.code(code)
    doubtful = bool(code.segments) and not isinstance(code.segments[0], Text)
    machine.session.depth += 1
    machine.conditional += doubtful  # what begins with unknown text may start nothing at all
    outcome = machine.run(machine.code.script.body)
    machine.conditional -= doubtful
    machine.session.depth -= 1
    machine.code = before
    return OPEN if doubtful else outcome.unexcused()


def _trap(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    if len(args) > 2 and any(arg.text in ("EXIT", "0") for arg in args[2:]):
        action = args[1]
        code = None if action.text in ("-", "") else machine.weakened(action.value)
        machine.state.at_exit = (code,)
    return SUCCESS


# --- the rest --------------------------------------------------------------------------------------


def _test(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    """A test whose name came out of an expansion; the usual one is decided by the machine itself."""
    rest = args[1:-1] if args[0].text == "[" else args[1:]
    if any(arg.optional for arg in rest):
        return OPEN
    return Test(machine, [Operand(arg.value) for arg in rest], double=False).decide()


def _let(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    if len(args) < 2:
        return FAILURE
    results = [compute(machine, arg.value) for arg in args[1:]]
    last = results[-1]
    if last.number is None:
        return OPEN
    return Outcome(last.number != 0, assumed=last.certainty is Certainty.ASSUMED, code=1)


def _nothing(_: Machine, __: list[Arg], ___: Span) -> Outcome:
    return SUCCESS


def _likely(machine: Machine, __: list[Arg], ___: Span) -> Outcome:
    """A command that scripts count on, and whose output nobody knows."""
    machine.print_unknown()
    return LIKELY


def _quiet(_: Machine, __: list[Arg], ___: Span) -> Outcome:
    return LIKELY


def _doubtful(machine: Machine, __: list[Arg], ___: Span) -> Outcome:
    machine.print_unknown()
    return OPEN


def _command(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """``command -v name`` tells where a program is; else a program is run, whatever functions there are."""
    if len(args) < 2 or args[1].text not in ("-v", "-V"):
        return launch(machine, args, span)
    name = args[2].text if len(args) == 3 and args[1].text == "-v" else None
    if name is None or name in machine.state.functions or name in BUILTINS or name in _KEYWORDS:
        machine.print_unknown()
    else:
        machine.print(path_of(args) or unknown(OUTPUT))
    return OPEN


def _type(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    """``type -P name`` tells where a program is."""
    found = path_of(args) if len(args) == 3 and args[1].text == "-P" else None
    machine.print(found or unknown(OUTPUT))
    return OPEN


def _source(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """A file: run here if the script has written it or it stands beside it.

    What the latter sets is assumed: the job may be submitted from another folder.  Any other file may
    set anything and is counted on.
    """
    written = machine.state.files.get(file_name(args[1].value)) if len(args) > 1 else None
    if machine.session.depth >= machine.session.deepest:
        written = None
    elif written is None and not machine.place.in_task:
        text = machine.session.beside(args[1].text or "") if len(args) > 1 else None
        if text is not None:
            return weakly(machine, True, lambda: _run_here(machine, Value((Text(text, span),)), args))
    if written is None:
        machine.print_unknown()
        return LIKELY
    return _run_here(machine, written, args)


def _run_here(machine: Machine, text: Value, args: Sequence[Arg]) -> Outcome:
    """Run a sourced file; words behind its name are its arguments."""
    from sbatchlint.launch.simple import restore

    state = machine.state
    before_arguments, before_given = state.arguments, state.given
    if len(args) > 2:
        state.arguments, state.given = settled(args[2:], args[1]), True
    before, machine.code = machine.code, machine.place.code(text)
    machine.session.depth += 1
    machine.returns.append([])  # `return` ends the file alone
    outcome = machine.run(machine.code.script.body)
    outcome = restore(machine, outcome, machine.returns.pop(), {})
    if len(args) > 2:  # what ``set --`` in the file gives stays in some releases
        machine.state.arguments, machine.state.given = before_arguments, before_given
    machine.session.depth -= 1
    machine.code = before
    return outcome


BUILTINS: dict[str, Builtin] = {
    ":": _nothing,
    "true": _nothing,
    "false": lambda *_: FAILURE,
    "[": _test,
    "test": _test,
    "set": _set,
    "shift": _shift,
    "unset": unset,
    "exit": _exit,
    "return": _return,
    "break": _leave_loop(Flow.BREAK),
    "continue": _leave_loop(Flow.CONTINUE),
    "eval": _eval,
    "echo": echo,
    "printf": printf,
    "read": read,
    "mapfile": mapfile,
    "readarray": mapfile,
    "getopts": getopts,
    "let": _let,
    "source": _source,
    ".": _source,
    "trap": _trap,
    "type": _type,
    "command": _command,
    "hash": _doubtful,
    "shopt": _shopt,
    **dict.fromkeys("alias unalias bind complete enable history umask".split(), _quiet),
    **dict.fromkeys("cd popd wait kill disown".split(), _quiet),
    **dict.fromkeys("dirs jobs ml module pushd pwd times ulimit".split(), _likely),
}
