"""The programs of a plan with their command lines read, each place as often as is worth it."""

from __future__ import annotations

from collections import Counter

from sbatchlint.launch.plan import Container, LaunchPlan, Program, Step
from sbatchlint.needs.locating import container_around
from sbatchlint.needs.words import Given, given_words
from sbatchlint.records import dataclass
from sbatchlint.source import Span

_MOST_OF_ONE_PLACE = 4
"""What a loop starts more often at one place needs nothing else, mostly."""


@dataclass(frozen=True, slots=True)
class Started:
    """One program."""

    program: Program
    step: Step | None
    """None for the batch host."""
    words: tuple[Given, ...]
    container: Container | None
    """The innermost one around it."""

    @property
    def folder(self) -> str:
        """The folder on the host that it, or its container, is started in."""
        return self.program.folder if self.step is None else self.step.folder


def started(plan: LaunchPlan) -> list[Started]:
    """Return the programs of *plan* in its order."""
    seen: Counter[Span | None] = Counter()
    found = []
    for step, program in plan.programs():
        seen[program.span] += 1
        if seen[program.span] <= _MOST_OF_ONE_PLACE:
            words = tuple(given_words(program.arguments))
            container = container_around(step, program.layers, program)
            found.append(Started(program, step, words, container))
    return found
