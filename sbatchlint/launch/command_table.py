"""How the command line of a command that starts another one is read: the shape of a table's row.

Options are written as their manual pages write them, dashes included.
"""

from __future__ import annotations

from functools import cache

from sbatchlint.launch.plan import LayerKind
from sbatchlint.records import dataclass


@dataclass(frozen=True, slots=True)
class CommandTable:
    """How one command's line is read."""

    name: str
    kind: LayerKind
    valued: frozenset[str] = frozenset()
    """Options that take the next word as their value, if it is not glued."""
    double: frozenset[str] = frozenset()
    """Options that take two words (``-mca KEY VALUE``)."""
    switches: frozenset[str] = frozenset()
    """Options that take the next word where it is a yes or a no (``-f true``)."""
    flags: frozenset[str] = frozenset()
    """Options without a value that begin a valued one's name."""
    operands: int = 0
    """How many operands stand before the command that is started (``timeout 10 CMD``)."""
    operand_words: frozenset[str] = frozenset()
    """If not empty: the operand is there only where it is one of these."""
    late: bool = False
    """True where options may stand behind the operand, too (``flock FILE -c CODE``)."""
    instead: frozenset[str] = frozenset()
    """Options whose value stands for such an operand (``taskset -c LIST CMD``)."""
    subcommands: frozenset[str] = frozenset()
    """If not empty: one of these comes first (``run``, ``tool run``), or the command starts nothing."""
    assignments: bool = False
    """True for ``env``: ``NAME=value`` operands come first."""
    bundles: bool = False
    """True where letters may share a dash, the last of them with a value (``-itv /a:/b``)."""
    underscores: bool = False
    """True where ``_`` and ``-`` are alike in names, and a name may be cut short: Python's launchers."""
    contexts: bool = False
    """True where ``:`` begins another command line of the same start (``mpirun -n 1 a : -n 2 b``)."""
    python: bool = False
    """True for a launcher that starts Python on its first operand."""
    scripts: bool = False
    """True where an operand that ends in ``.py`` is run by Python."""
    repeats: bool = False
    """True where the command is started for each of many inputs (``xargs``)."""
    joins: bool = False
    """True where its words are joined and run by a shell (``parallel``)."""
    module_options: frozenset[str] = frozenset()
    """Options after which the target is a module's name (``-m``)."""
    module_flags: frozenset[str] = frozenset()
    """Options that make the first operand a module's name."""
    program_flags: frozenset[str] = frozenset()
    """Options that make the first operand a program of its own (``--no-python``)."""
    script_flags: frozenset[str] = frozenset()
    """Options that make the first operand a Python script, whatever its name."""
    image_operand: bool = False
    """True where the first operand is a container image."""
    runscripts: frozenset[str] = frozenset()
    """Subcommands with which the image itself says what is started, and gets the words behind its name."""
    entry_options: frozenset[str] = frozenset()
    """Options that name the program to start, whose arguments stand behind the image."""
    code_options: frozenset[str] = frozenset()
    """Options whose value is a program text: there is no other target (``python -c``)."""
    shell_code: frozenset[str] = frozenset()
    """Options whose value is shell code that is run (``script -c CODE``)."""
    argument_mark: str = ""
    """The option behind which the command begins, and without which there is none (``gdb --args CMD``)."""
    processes: frozenset[str] = frozenset()
    """Options that count the processes on each node."""
    world: frozenset[str] = frozenset()
    """Options that count the processes in all."""
    machines: frozenset[str] = frozenset()
    """Options that count the nodes."""
    environment: str = ""
    """Each option's default is the variable of its name behind this prefix (``PET_NNODES``)."""
    unread: frozenset[str] = frozenset()
    """Options that have no such variable."""

    @property
    def takes(self) -> frozenset[str]:
        """Every option that has the next word as its value."""
        return self.valued | self.module_options | self.code_options | self.shell_code | self.entry_options


def words(text: str) -> frozenset[str]:
    """Return the words of *text*."""
    return frozenset(text.split())


@cache
def bare(names: frozenset[str]) -> frozenset[str]:
    """Names of options without their dashes."""
    return frozenset(name.lstrip("-") for name in names)


__all__ = ["CommandTable", "bare", "words"]
