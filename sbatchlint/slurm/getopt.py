"""Splitting an argument list into options and operands as glibc's ``getopt_long`` does for Slurm.

Slurm's option strings begin with ``+``: the first operand ends the options.  Unlike Slurm, which
gives up at the first mistake, :func:`parse` notes it and reads on, so that one wrong option does not
hide the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from enum import Enum
from functools import lru_cache

from sbatchlint.records import dataclass
from sbatchlint.slurm.options import (
    COMMANDS,
    Argument,
    Match,
    OptionSpec,
    Release,
    option_table,
    parse_release,
)


class ProblemKind(Enum):
    """What is wrong with an option."""

    UNKNOWN = "unknown option"
    """No Slurm command that is known has it."""
    AMBIGUOUS = "ambiguous option"
    MISSING_ARGUMENT = "missing argument"
    ARGUMENT_NOT_ALLOWED = "argument not allowed"
    WRONG_COMMAND = "option of another command"
    """Another of sbatch, srun and salloc has it."""
    WRONG_RELEASE = "option of another release"
    """The command has it in another release than the one asked for."""
    STRAY_WORD = "stray word"
    """A word that is no option where only options may stand: never from :func:`parse`, for which it
    is an operand, but from the reader of directives."""


@dataclass(frozen=True, slots=True)
class Use:
    """One option as used.  All indexes count words from 0."""

    spec: OptionSpec
    name_word: int
    value: str | None = None
    value_word: int | None = None
    """The word that holds the value: ``name_word`` itself where it is glued."""
    value_start: int = 0
    """Offset of the value's first character inside ``value_word``."""
    name_start: int = 0
    """Offset of the name inside ``name_word``: 0, or that of the letter inside a bundle (``-HN2``)."""
    name_end: int = 0
    """Offset after the name inside ``name_word``."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake.  ``spec`` is the option that was meant, where that is clear."""

    kind: ProblemKind
    word: int
    text: str
    """The whole word."""
    name: str
    """The guilty name with its dashes and without a value: ``--mpi``, ``-Z``."""
    spec: OptionSpec | None = None
    possibilities: tuple[str, ...] = ()
    """For an ambiguous name: what it could mean, without dashes."""
    value_word: int | None = None
    """The word that holds the option's value, where one was taken."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """The options of an argument list, where its operands begin, and what is wrong."""

    uses: tuple[Use, ...]
    rest: int
    """Index of the first operand; the number of words where there is none."""
    problems: tuple[Problem, ...]


def parse(words: Sequence[str], command: str, release: str | None = None) -> Parsed:
    """Read *words*, which follow the command's name, as *command* (sbatch, srun, salloc) would.

    Private-use characters (U+E000 to U+F8FF) stand for unknown text: a word that begins with one
    ends the options, an option whose name holds one is passed over without a word.
    """
    reader = _Reader(words, command, parse_release(release))
    rest = reader.read()
    return Parsed(tuple(reader.uses), rest, tuple(reader.problems))


@lru_cache(maxsize=4096)
def _find(name: str, command: str, release: Release | None) -> Match:
    """Look up a name with its dashes: scripts use few, and each release is asked for them."""
    table = option_table()
    if name.startswith("--"):
        return table.find_long(name[2:], command, release)
    return Match(table.find_short(name[1], command, release))


def holds_unknown(text: str) -> bool:
    """Tell whether *text* holds a placeholder for text that the script does not tell."""
    return any("\ue000" <= character <= "\uf8ff" for character in text)


@dataclass
class _Reader:
    words: Sequence[str]
    command: str
    release: Release | None
    uses: list[Use] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    index: int = 0

    def read(self) -> int:
        """Read all options; return the index of the first operand."""
        while self.index < len(self.words):
            word = self.words[self.index]
            if word == "--":
                return self.index + 1
            if len(word) < 2 or word[0] != "-":
                return self.index
            if word.startswith("--"):
                self._long(word)
            else:
                self._bundle(word)
            self.index += 1
        return len(self.words)

    def _long(self, word: str) -> None:
        name, equals, _ = word.partition("=")
        if holds_unknown(name):
            return
        glued = len(name) + 1 if equals else None
        match = self._find(name, self.command, self.release)
        if match.spec is not None:
            self._take(match.spec, name, glued, 0, len(name))
        elif match.possibilities:
            self._blame(ProblemKind.AMBIGUOUS, name, possibilities=match.possibilities)
        else:
            self._foreign(name, glued)

    def _bundle(self, word: str) -> None:
        """Read ``-HN2``: flags, then at most one option with a value, which ends the word."""
        for position in range(1, len(word)):
            name = "-" + word[position]
            if holds_unknown(name):
                return
            glued = position + 1 if position + 1 < len(word) else None
            spec = self._find(name, self.command, self.release).spec
            if spec is None:
                self._foreign(name, glued)
                return
            if spec.argument(self.command, self.release) is not Argument.NONE:
                self._take(spec, name, glued, 0 if position == 1 else position, position + 1)
                return
            start = 0 if len(word) == 2 else position
            self.uses.append(Use(spec, self.index, name_start=start, name_end=position + 1))

    @staticmethod
    def _find(name: str, command: str, release: Release | None) -> Match:
        return _find(name, command, release)

    def _take(self, spec: OptionSpec, name: str, glued: int | None, start: int, end: int) -> None:
        """Note a use of *spec*; its value begins at *glued* of this word, or is the next word."""
        kind = spec.argument(self.command, self.release)
        here = self.index
        if glued is not None:
            if kind is Argument.NONE:
                self._blame(ProblemKind.ARGUMENT_NOT_ALLOWED, name, spec)
            else:
                self.uses.append(Use(spec, here, self.words[here][glued:], here, glued, start, end))
        elif kind is not Argument.REQUIRED:
            self.uses.append(Use(spec, here, name_start=start, name_end=end))
        elif here + 1 == len(self.words):
            self._blame(ProblemKind.MISSING_ARGUMENT, name, spec)
        else:
            self.index += 1
            self.uses.append(Use(spec, here, self.words[self.index], self.index, 0, start, end))

    def _foreign(self, name: str, glued: int | None) -> None:
        """Blame a name that the command lacks; pass over its value where the arity is known."""
        here = self.index
        newer = self._find(name, self.command, None).spec
        if newer is not None:
            self._pass_over(ProblemKind.WRONG_RELEASE, name, newer, self.command, glued)
            return
        for other in COMMANDS:
            spec = self._find(name, other, None).spec if other != self.command else None
            if spec is not None:
                self._pass_over(ProblemKind.WRONG_COMMAND, name, spec, other, glued)
                return
        self.problems.append(Problem(ProblemKind.UNKNOWN, here, self.words[here], name))

    def _pass_over(
        self, kind: ProblemKind, name: str, spec: OptionSpec, command: str, glued: int | None
    ) -> None:
        here = self.index
        value_word = here if glued is not None else None
        separate = glued is None and spec.argument(command, self.release) is Argument.REQUIRED
        if separate and here + 1 < len(self.words):
            self.index = value_word = here + 1
        self.problems.append(Problem(kind, here, self.words[here], name, spec, value_word=value_word))

    def _blame(
        self,
        kind: ProblemKind,
        name: str,
        spec: OptionSpec | None = None,
        possibilities: tuple[str, ...] = (),
    ) -> None:
        word = self.words[self.index]
        self.problems.append(Problem(kind, self.index, word, name, spec, possibilities))
