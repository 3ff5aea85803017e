"""Loops: unrolled where their list is known, else gone through once for what every round shares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.branching import branch, otherwise
from sbatchlint.launch.computing import compute
from sbatchlint.launch.conditions import LIKELY, Outcome
from sbatchlint.launch.expansion import expand_list
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.redirections import redirected
from sbatchlint.launch.state import Flow, State, Variable, merge
from sbatchlint.launch.values import OUTPUT, Unknown, Value, slice_value, text_value, unknown

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.shell.syntax import ArithmeticFor, Body, For, While

_MOST_ROUNDS = 128
_MOST_COMMANDS = 800
"""Commands that one loop may run, those of functions and nested code included, before it is cut short."""
_MOST_BREAKS = 8
_MOST_TRIALS = 4
Action = Callable[["Machine"], object]


def run_for(machine: Machine, command: For) -> Outcome:
    """``for name in words``."""
    return redirected(machine, command.redirects, lambda: _for(machine, command))


def _for(machine: Machine, command: For) -> Outcome:
    def any_round(shell: Machine) -> None:
        shell.assign(command.name, unknown(f"${command.name}"), None)
        shell.run(command.body)

    args, dropped = _items(machine, command)
    if dropped:
        otherwise(machine, any_round)
    if args is None or len(args) > _MOST_ROUNDS or any(arg.open for arg in args) or command.select:
        _unknown_rounds(machine, any_round)
        return LIKELY
    loop = _Loop(machine)
    for arg in args:
        if loop.tired:
            _unknown_rounds(machine, any_round)
            break
        loop.certain = not arg.optional
        if not loop.go(_round_with(machine, command, arg), assumed=arg.splits):
            break
    loop.end()
    return LIKELY


def _round_with(machine: Machine, command: For, arg: Arg) -> Callable[[], None]:
    def one() -> None:
        machine.assign(command.name, arg.value, arg.place)
        machine.run(command.body)

    return one


def _items(machine: Machine, command: For) -> tuple[list[Arg] | None, bool]:
    """The words to go through, and whether there are none by assumption only."""
    if command.words is not None:
        return expand_list(machine, command.words)
    arguments = machine.state.arguments
    return (None if arguments is None else [Arg(value) for value in arguments]), False


def run_arithmetic_for(machine: Machine, command: ArithmeticFor) -> Outcome:
    """``for ((init; condition; step))``."""
    return redirected(machine, command.redirects, lambda: _arithmetic_for(machine, command))


def _arithmetic_for(machine: Machine, command: ArithmeticFor) -> Outcome:
    header = machine.value(command.header)
    parts = _split_header(header)

    def one() -> None:
        machine.run(command.body)

    def step() -> None:
        compute(machine, parts[2])

    def body_and_step(shell: Machine) -> None:
        shell.run(command.body)
        if len(parts) == 3:
            compute(shell, parts[2])
            compute(shell, parts[1])

    if len(parts) != 3:
        _unknown_rounds(machine, body_and_step)
        return LIKELY
    compute(machine, parts[0])
    loop = _Loop(machine)
    while not loop.tired:
        again = compute(machine, parts[1]) if (parts[1].text or "").strip() else None
        if again is not None and again.number == 0:
            break
        if again is None or again.number is None:
            if again is not None:
                _unknown_rounds(machine, body_and_step)
                break
            if not loop.go(one, assumed=False, after=step):
                break
            continue
        if not loop.go(one, assumed=again.certainty is Certainty.ASSUMED, after=step):
            break
    else:
        _unknown_rounds(machine, body_and_step)
    loop.end()
    return LIKELY


def _split_header(header: Value) -> list[Value]:
    text = header.text
    if text is None:
        return []
    parts: list[Value] = []
    at = 0
    for piece in text.split(";"):
        parts.append(slice_value(header, at, at + len(piece)) or text_value(" "))
        at += len(piece) + 1
    return parts


def run_while(machine: Machine, command: While) -> Outcome:
    """``while`` and ``until``."""
    return redirected(machine, command.redirects, lambda: _while(machine, command))


def _while(machine: Machine, command: While) -> Outcome:
    loop = _Loop(machine)

    def one() -> None:
        machine.run(command.body)

    def body_and_condition(shell: Machine) -> None:
        shell.run(command.body)
        if shell.state.flow in (Flow.NORMAL, Flow.CONTINUE):
            shell.state.flow = Flow.NORMAL
            shell.tested(lambda: shell.run(command.condition))

    while not loop.tired:
        outcome = machine.tested(lambda: machine.run(command.condition))
        if not machine.going:
            break
        holds = outcome.holds if not command.until or outcome.holds is None else not outcome.holds
        if holds is False:
            if outcome.assumed:
                otherwise(machine, _running(command.body))
            break
        if holds is None:
            _unknown_rounds(machine, body_and_condition)
            break
        if not loop.go(one, assumed=outcome.assumed):
            break
    else:
        _unknown_rounds(machine, body_and_condition)
    loop.end()
    return LIKELY


def _running(body: Body) -> Action:
    return lambda shell: shell.run(body)


# --- rounds that are counted -----------------------------------------------------------------------


class _Loop:
    """One loop whose rounds are gone through one by one."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._left: list[State] = []
        """Memories that have left the loop by ``break``."""
        self._further: list[State] = []
        """Memories on their way out of a loop around this one."""
        self._weak = 0
        self._rounds = 0
        self._skipped = machine.skipped
        self._budget = machine.session.budget
        self.certain = True

    @property
    def tired(self) -> bool:
        """True where going on round by round would not pay: then what is left is gone through once."""
        session = self._machine.session
        spent = self._budget - session.budget
        if self._rounds and session.hurried:
            return True
        return self._rounds >= _MOST_ROUNDS or spent > _MOST_COMMANDS or len(self._left) > _MOST_BREAKS

    def go(
        self, action: Callable[[], object], *, assumed: bool, after: Callable[[], object] | None = None
    ) -> bool:
        """Run one round, assumed from the first assumed one on; False where no further one follows."""
        machine = self._machine
        if assumed and not self._weak:
            self._weak = 1
            machine.weak += 1
        self._rounds += 1
        self._round(action)
        if not machine.going or not machine.session.proceed():
            return False
        if after is not None:
            after()
        return True

    def _round(self, action: Callable[[], object]) -> None:
        machine = self._machine
        machine.loops.append([])
        if self.certain:
            action()
        else:
            branch(machine, [((), action), ((), lambda: None)])
        going: list[State] = []
        for end in (machine.state, *machine.loops.pop()):
            if end.flow in (Flow.BREAK, Flow.CONTINUE) and end.levels > 1:
                end.levels -= 1
                self._further.append(end)
            elif end.flow is Flow.BREAK:
                self._left.append(end)
            else:
                if end.flow is Flow.CONTINUE:
                    end.flow = Flow.NORMAL
                going.append(end)
        machine.skipped = self._skipped + len(self._left) + len(self._further)
        joined = merge(going)
        if joined is not None:
            machine.state = joined
        elif going:
            machine.state = going[0]

    def end(self) -> None:
        """Join the memories that left by ``break`` with the one that came to the loop's end."""
        machine = self._machine
        machine.weak -= self._weak
        machine.skipped = self._skipped + (len(self._further) if machine.loops else 0)
        for state in self._left:
            state.flow = Flow.NORMAL
        leaving = {id(state) for state in (*self._left, *self._further)}
        if self._left and machine.ended:
            machine.session.may_stop = True
        elif self._left and machine.state.flow is Flow.RETURN and machine.returns:
            machine.returns[-1].append(machine.state)
        ends = [*self._left] if id(machine.state) in leaving else [machine.state, *self._left]
        joined = merge(ends)
        if joined is not None:
            machine.state = joined
        elif self._further and (not ends or machine.ended):
            machine.state = self._further.pop()
        if machine.loops:
            machine.loops[-1].extend(self._further)


# --- rounds that are not ---------------------------------------------------------------------------


def _unknown_rounds(machine: Machine, action: Action) -> None:
    """Go through a loop once for any number of rounds.

    What a trial round changes is unknown when the round that counts begins, and after the loop.
    """
    before = machine.state.copy()
    _forget_changed(machine, action)
    start = machine.state.copy()
    sink, stdin = machine.sink, machine.stdin
    machine.sink = None if sink is None else []
    machine.stdin = None if stdin is None else unknown(OUTPUT)
    loop = _Loop(machine)
    machine.conditional += 1
    loop.go(lambda: action(machine), assumed=False)
    machine.conditional -= 1
    if machine.sink:
        assert sink is not None
        sink.append(unknown(OUTPUT))
    machine.sink = sink
    if machine.ended:
        machine.session.may_stop = True
    if machine.going:
        machine.state = merge([before, machine.state]) or before
        loop.end()
        return
    round_end, machine.state = machine.state, merge([before, start]) or before
    loop.end()
    if round_end.flow is Flow.RETURN and machine.returns:
        machine.returns[-1].append(round_end)


def _forget_changed(machine: Machine, action: Action) -> None:
    """Forget what rounds change: try one out, forget what it changes, and try again until nothing is new."""
    session = machine.session
    for _ in range(_MOST_TRIALS):
        if session.muted >= session.most_muted:
            break
        trial = machine.subshell()
        trial.sink = None
        trial.returns, trial.loops = [[] for _ in machine.returns], [[] for _ in machine.loops]
        trial.locals = [dict(held) for held in machine.locals]
        may_stop = session.may_stop
        session.muted += 1
        loop = _Loop(trial)
        loop.go(lambda shell=trial: action(shell), assumed=False)  # type: ignore[misc]
        loop.end()
        session.muted -= 1
        session.may_stop = may_stop
        ends = [trial.state, *(state for held in (*trial.returns, *trial.loops) for state in held)]
        if not _forget(machine, ends):
            return
    else:
        _forget_all(machine)
        return
    if session.muted >= session.most_muted:
        _forget_all(machine)


def _forget(machine: Machine, ends: Iterable[State]) -> bool:
    """Forget every variable, argument and file that any of *ends* has otherwise; tell if there was one."""
    found = False
    for end in ends:
        for name, held in end.variables.items():
            before = machine.state.variables.get(name)
            widened = _widened(name, before, held)
            if widened != before:
                machine.state.variables[name] = widened
                found = True
        if end.arguments != machine.state.arguments and machine.state.arguments is not None:
            machine.state.arguments, machine.state.given = None, True
            found = True
        for path, text in end.files.items():
            if machine.state.files.get(path) != text:
                machine.state.files[path] = unknown(path)
                found = True
    return found


def _widened(name: str, before: Variable | None, after: Variable) -> Variable:
    """What a variable may be after any number of rounds, given what it was and what one round made of it.

    What rounds add at the end of a text or of an array leaves what stands before it known.
    """
    if before is after or before == after:
        return after if before is None else before
    if before is None:
        opaque = after.opaque or after.items is not None
        return Variable(unknown(f"${name}"), opaque=opaque, maybe_unset=True, associative=after.associative)
    if before.opaque:
        return before
    maybe_unset = before.maybe_unset or after.maybe_unset or before.first is None or after.first is None
    forgotten = replace(before, value=unknown(f"${name}"), maybe_unset=maybe_unset, exported=False)
    same = replace(after, value=before.value, items=before.items, more=before.more, written=before.written)
    if _only_grows(before, after) and same == before:
        return before if before.more is not None else replace(before, more=unknown(f"${{{name}[@]}}"))
    if before.items is not None or after.items is not None or after.opaque:
        return replace(forgotten, items=None, more=None, opaque=True)
    if before.value is not None and after.value is not None and same == before:
        return _grown(name, before, after.value)
    return replace(forgotten, exported=before.exported and after.exported)


def _only_grows(before: Variable, after: Variable) -> bool:
    """Tell whether *after* is the array *before* with elements added at its end."""
    if before.items is None or after.items is None or before.associative:
        return False
    return after.items[: len(before.items)] == before.items


def _grown(name: str, before: Variable, after: Value) -> Variable:
    """A plain variable whose text rounds change: what they leave alone at its front stays known."""
    held = before.value or Value()
    tail = Unknown(f"${name}")
    kept = held.segments[:-1] if held.segments[-1:] == (tail,) else held.segments
    if kept and after.segments[: len(kept)] == kept:
        value = Value((*kept, tail))
        return before if value == held else replace(before, value=value)
    value = Value((tail,))
    return before if value == held else replace(before, value=value)


def _forget_all(machine: Machine) -> None:
    for name in list(machine.state.variables):
        machine.forget(name, opaque=True)
    machine.state.arguments, machine.state.given = None, True
    for path in machine.state.files:
        machine.state.files[path] = unknown(path)
