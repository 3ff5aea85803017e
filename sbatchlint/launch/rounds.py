"""The rounds of a loop that are gone through one by one, and the ways out of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sbatchlint.launch.branching import branch, doubt, weaken_since
from sbatchlint.launch.state import Flow, State, merge

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine

MOST_ROUNDS = 128
_MOST_COMMANDS = 800
"""Commands that one loop may run, those of functions and nested code included, before it is cut short."""
_MOST_BREAKS = 8


class Rounds:
    """One loop whose rounds are gone through one by one."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._left: list[State] = []
        """Memories that have left the loop by ``break``."""
        self._further: list[State] = []
        """Memories on their way out of a loop around this one."""
        self._unlikely: list[State] = []
        """Memories that an assumed decision keeps from leaving the loop."""
        self._before: State | None = None
        """The memory before the first round that is assumed."""
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
        return self._rounds >= MOST_ROUNDS or spent > _MOST_COMMANDS or len(self._left) > _MOST_BREAKS

    def go(
        self, action: Callable[[], object], *, assumed: bool, after: Callable[[], object] | None = None
    ) -> bool:
        """Run one round, assumed from the first assumed one on; False where no further one follows."""
        machine = self._machine
        if assumed and self._before is None:
            self._before = machine.state.copy()
            machine.weak += 1
        self._rounds += 1
        self._round(action)
        if not machine.going:
            return False
        machine.session.proceed()
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
        unlikely: list[State] = []
        for end in (machine.state, *machine.loops.pop()):
            if end.flow in (Flow.BREAK, Flow.CONTINUE) and end.levels > 1:
                end.levels -= 1
                (machine.loops[-1] if end.unlikely else self._further).append(end)
            elif end.unlikely:
                (self._unlikely if end.flow is Flow.BREAK else unlikely).append(end)
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
        for end in unlikely:
            doubt(machine, end)

    def end(self) -> None:
        """Join the memories that left by ``break`` with the one that came to the loop's end."""
        machine = self._machine
        machine.weak -= self._before is not None
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
        if self._before is not None:
            weaken_since(machine.state, self._before)
        for state in self._unlikely:
            doubt(machine, state)
        if machine.loops:
            machine.loops[-1].extend(self._further)
