"""The shell's own commands, as far as they change what is known (bash(1), SHELL BUILTIN COMMANDS)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.aliases import alias, unalias
from sbatchlint.launch.code_here import eval_, source
from sbatchlint.launch.computing import compute
from sbatchlint.launch.conditions import Operand, Test
from sbatchlint.launch.declarations import unset
from sbatchlint.launch.folders import cd, popd
from sbatchlint.launch.leaving import Builtin, exit_, leave_loop, return_, trap
from sbatchlint.launch.outcomes import FAILURE, LIKELY, OPEN, SUCCESS, Outcome
from sbatchlint.launch.outputs import path_of
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.printing import echo, printf
from sbatchlint.launch.reading import getopts, mapfile, read
from sbatchlint.launch.shell_options import set_, shift, shopt
from sbatchlint.launch.state import Flow
from sbatchlint.launch.values import OUTPUT, unknown

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span

_KEYWORDS = frozenset(
    "if then elif else fi for while until do done case esac select function time in coproc { } ! [[".split()
)


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
    if last.fails:
        return Outcome(False, assumed=last.certainty is Certainty.ASSUMED, code=1)
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
        return machine.launch(args, span)
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


BUILTINS: dict[str, Builtin] = {
    ":": _nothing,
    "true": _nothing,
    "false": lambda *_: FAILURE,
    "[": _test,
    "test": _test,
    "set": set_,
    "shift": shift,
    "unset": unset,
    "exit": exit_,
    "return": return_,
    "break": leave_loop(Flow.BREAK),
    "continue": leave_loop(Flow.CONTINUE),
    "eval": eval_,
    "echo": echo,
    "printf": printf,
    "read": read,
    "mapfile": mapfile,
    "readarray": mapfile,
    "getopts": getopts,
    "let": _let,
    "source": source,
    ".": source,
    "trap": trap,
    "type": _type,
    "command": _command,
    "hash": _doubtful,
    "shopt": shopt,
    **dict.fromkeys("bind complete enable history umask".split(), _quiet),
    "alias": alias,
    "unalias": unalias,
    "cd": cd,
    "pushd": cd,
    "popd": popd,
    **dict.fromkeys("wait kill disown".split(), _quiet),
    **dict.fromkeys("dirs jobs ml module pwd times ulimit".split(), _likely),
}
