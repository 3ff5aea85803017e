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
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.printing import echo, printf
from sbatchlint.launch.reading import getopts, mapfile, read
from sbatchlint.launch.redirections import file_name
from sbatchlint.launch.state import Flow
from sbatchlint.launch.values import Text, Value, joined_by

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span

Builtin = Callable[["Machine", "list[Arg]", "Span"], Outcome]
_SET_LETTERS = {"e": "errexit", "u": "nounset", "x": "xtrace", "a": "allexport", "f": "noglob", "n": "noexec"}


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
            _set_arguments(machine, rest[index + 1 :], rest[index])
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


def _status(args: Sequence[Arg]) -> Outcome:
    """The status that ``exit`` or ``return`` is given; without one it is that of the command before."""
    if len(args) < 2:
        return LIKELY
    text = args[1].text
    return OPEN if text is None or not text.isdigit() else SUCCESS if int(text) % 256 == 0 else FAILURE


def _exit(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    machine.status = _status(args)
    machine.state.flow = Flow.EXIT
    return machine.status


def _return(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    machine.status = _status(args)
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
        machine.state.at_exit = None if action.text in ("-", "") else action.value
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
    return Outcome(last.number != 0, assumed=last.certainty is Certainty.ASSUMED)


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
            return weakly(machine, True, lambda: _run_here(machine, Value((Text(text, span),))))
    if written is None:
        machine.print_unknown()
        return LIKELY
    return _run_here(machine, written)


def _run_here(machine: Machine, text: Value) -> Outcome:
    from sbatchlint.launch.simple import restore

    before, machine.code = machine.code, machine.place.code(text)
    machine.session.depth += 1
    machine.returns.append([])  # `return` ends the file alone
    outcome = machine.run(machine.code.script.body)
    outcome = restore(machine, outcome, machine.returns.pop(), {})
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
    "type": _doubtful,
    "hash": _doubtful,
    **dict.fromkeys("alias unalias bind complete enable history shopt umask".split(), _quiet),
    **dict.fromkeys("cd popd wait kill disown".split(), _quiet),
    **dict.fromkeys("dirs jobs ml module pushd pwd times ulimit".split(), _likely),
}
