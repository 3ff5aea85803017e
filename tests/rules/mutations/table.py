"""The scripts, the ways to break them, and what happens when each is broken in each way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.job import LintOptions
from sbatchlint.source import Source
from tests.rules.checking import all_rules
from tests.rules.mutations import containers, counts, directives, environment, ranks, steps, text, values
from tests.rules.mutations.mutation import Mutation

SCRIPTS = {path.name: path.read_text() for path in sorted((Path(__file__).parent / "scripts").iterdir())}
"""Correct, well-kept scripts: no rule finds anything in them."""
FAMILIES = (directives, values, counts, ranks, steps, text, containers, environment)
MUTATIONS: tuple[Mutation, ...] = tuple(one for family in FAMILIES for one in family.MUTATIONS)


@dataclass(frozen=True)
class Trial:
    """One script, broken in one way at one of the places where it can be."""

    mutation: Mutation
    script: str
    place: int
    """Number of the place in the script, from 0."""
    told: tuple[str, ...]
    """What the rules say, each as ``CODE severity confidence``."""
    found: bool
    """Whether one of the expected rules says something, at the expected level."""

    def __str__(self) -> str:
        """Name the trial and what the rules say of it."""
        said = ", ".join(self.told) or "nothing"
        return f"{self.mutation.name!r} in {self.script}, place {self.place}: {said}"


def trials(mutation: Mutation, *, everywhere: bool) -> Iterator[Trial]:
    """Break each script by *mutation*: at all places, or at one, which is another one in each script."""
    for number, (name, script) in enumerate(SCRIPTS.items()):
        mutants = list(mutation.mutants(script))
        places = range(len(mutants)) if everywhere else [number % len(mutants)] if mutants else []
        for place in places:
            yield _try(mutation, name, place, mutants[place])


def _try(mutation: Mutation, name: str, place: int, mutant: str) -> Trial:
    result = lint_source(Source.from_text(mutant, name), all_rules(), LintOptions(release=mutation.release))
    assert not result.internal_errors, result.internal_errors
    told = tuple(f"{one.code} {one.severity.value} {one.confidence.value}" for one in result.findings)
    shown = {one.code for one in result.findings if mutation.pedantic or one.prominent}
    return Trial(mutation, name, place, told, not shown.isdisjoint(mutation.codes.split()))


def as_table(done: list[Trial]) -> str:
    """One line for each mutation: its rules, how often it was tried and how often found."""
    lines = [f"{'mutation':58} {'rules':28} {'tried':>5} {'found':>5}"]
    for mutation in MUTATIONS:
        own = [trial for trial in done if trial.mutation is mutation]
        codes = mutation.codes + (" (pedantic)" if mutation.pedantic else "")
        lines.append(f"{mutation.name:58} {codes:28} {len(own):5} {sum(trial.found for trial in own):5}")
    found = sum(trial.found for trial in done)
    lines.append(f"{len(MUTATIONS)} mutations, {len(SCRIPTS)} scripts: {found} of {len(done)} found")
    return "\n".join(lines)
