"""``eval`` and ``source``: code that a shell reads besides its script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.branching import weakly
from sbatchlint.launch.combining import joined_by
from sbatchlint.launch.fields import settled
from sbatchlint.launch.folders import beside, file_name
from sbatchlint.launch.functions import restore
from sbatchlint.launch.noting import note_modes, note_use
from sbatchlint.launch.outcomes import LIKELY, OPEN, Outcome
from sbatchlint.launch.plan import Arg, FileUseKind
from sbatchlint.launch.session import TOO_DEEP
from sbatchlint.launch.values import Text, Value

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span


def eval_(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    """``eval``: its words are read as code here."""
    return run_as_code(machine, joined_by(" ", (arg.value for arg in args[1:])))


def run_as_code(machine: Machine, code: Value) -> Outcome:
    """Read *code* in this shell and run it."""
    session = machine.session
    session.proceed(3)
    if session.depth >= session.deepest:
        session.cut(TOO_DEEP, again=session.is_active(code))
        return OPEN
    session.active.append(code)
    before = machine.code
    machine.code = machine.place.code(code)
    doubtful = bool(code.segments) and not isinstance(code.segments[0], Text)
    session.depth += 1
    machine.conditional += doubtful  # what begins with unknown text may start nothing at all
    outcome = machine.run_code()
    machine.conditional -= doubtful
    session.active.pop()
    session.depth -= 1
    machine.code = before
    return OPEN if doubtful else outcome.unexcused()


def source(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """A file: run here if the script has written it or it stands beside it.

    What the latter sets is assumed: the job may be submitted from another folder.  Any other file may
    set anything and is counted on.
    """
    written = machine.state.files.get(file_name(machine.state, args[1].value)) if len(args) > 1 else None
    number = len(machine.session.file_uses)
    if len(args) > 1 and not args[1].optional:
        note_use(machine, FileUseKind.SOURCED, args[1].value, span)
    if machine.session.depth >= machine.session.deepest:
        if written is not None:
            machine.session.cut(TOO_DEEP, again=machine.session.is_active(written))
        written = None
    elif written is None and not machine.place.in_task:
        text = beside(machine, args[1].value) if len(args) > 1 and args[1].text else None
        if text is not None:
            return _follow(machine, Value((Text(text, span),)), args, number, assumed=True)
    if written is None:
        machine.print_unknown()
        return LIKELY
    assumed = args[1].value.certainty is Certainty.ASSUMED  # ``source ${MODE:-train}.sh``
    machine.session.by_default |= assumed
    return _follow(machine, written, args, number, assumed=assumed)


def _follow(machine: Machine, text: Value, args: Sequence[Arg], number: int, *, assumed: bool) -> Outcome:
    outcome = weakly(machine, assumed, lambda: _run_here(machine, text, args))
    note_modes(machine, number)
    return outcome


def _run_here(machine: Machine, text: Value, args: Sequence[Arg]) -> Outcome:
    """Run a sourced file; words behind its name are its arguments."""
    state = machine.state
    before_arguments, before_given = state.arguments, state.given
    if len(args) > 2:
        state.arguments, state.given = settled(args[2:], args[1]), True
    before, machine.code = machine.code, machine.place.code(text)
    machine.session.depth += 1
    machine.session.active.append(text)
    machine.returns.append([])  # `return` ends the file alone
    outcome = machine.run_code()
    outcome = restore(machine, outcome, machine.returns.pop())
    if len(args) > 2:  # what ``set --`` in the file gives stays in some releases
        machine.state.arguments, machine.state.given = before_arguments, before_given
    machine.session.active.pop()
    machine.session.depth -= 1
    machine.code = before
    return outcome
