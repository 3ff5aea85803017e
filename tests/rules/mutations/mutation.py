"""A way to break a script, and what makes such ways."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Breaker = Callable[[str], Iterator[str]]
"""Takes a correct script and gives broken ones: one for each place where it applies, none if nowhere."""


@dataclass(frozen=True)
class Mutation:
    """One mistake that people make, put into a correct script."""

    name: str
    """What is done to the script."""
    codes: str
    """The rules that may tell of it, with blanks between them: one of them has to."""
    mutants: Breaker
    pedantic: bool = False
    """True where the rule is about clarity, or can't be sure: then ``--pedantic`` shows the finding."""
    release: str | None = None
    """The release of Slurm that is told, where the mistake is one in some releases only."""


def each(pattern: str, replacement: str, *, when: str = "", unless: str = "") -> Breaker:
    """Replace each match of *pattern* alone, in scripts that hold *when* and do not hold *unless*.

    All three are regular expressions in which ``^`` and ``$`` are the ends of a line.  A blank line that
    the replacement leaves goes as well.
    """

    def mutants(text: str) -> Iterator[str]:
        if not _applies(text, when, unless):
            return
        for match in re.finditer(pattern, text, re.MULTILINE):
            changed = text[: match.start()] + match.expand(replacement) + text[match.end() :]
            if changed != text:
                yield changed

    return mutants


def everywhere(pattern: str, replacement: str, *, when: str = "", unless: str = "") -> Breaker:
    """Replace all matches of *pattern* together; see :func:`each`."""

    def mutants(text: str) -> Iterator[str]:
        changed = re.sub(pattern, replacement, text, flags=re.MULTILINE)
        if changed != text and _applies(text, when, unless):
            yield changed

    return mutants


def directive(line: str, *, when: str = "", unless: str = "") -> Breaker:
    """Add the directive *line* behind the last one of the first component of the job."""
    return each(
        r"\A((?:#.*\n)*?#SBATCH.*\n(?:#SBATCH (?!hetjob).*\n)*)", rf"\1{line}\n", when=when, unless=unless
    )


def command(line: str, *, when: str = "", unless: str = "") -> Breaker:
    """Add *line* as the first command of the script."""
    return each(r"\A((?:#.*\n|\n)*)", rf"\1{line}\n", when=when, unless=unless)


def both(first: Breaker, second: Breaker) -> Breaker:
    """Do *second* to what *first* gives."""

    def mutants(text: str) -> Iterator[str]:
        for broken in first(text):
            yield from second(broken)

    return mutants


def _applies(text: str, when: str, unless: str) -> bool:
    return re.search(when, text, re.MULTILINE) is not None and not (
        unless and re.search(unless, text, re.MULTILINE)
    )
