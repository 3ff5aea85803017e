"""What a grammar is, and how it says no."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from sbatchlint.records import dataclass
from sbatchlint.slurm.options import Release


class Stage(Enum):
    """Who refuses a request, in the order in which it meets them."""

    CLIENT = "sbatch"
    """sbatch itself, while it reads options: nothing is sent."""
    CONTROLLER = "slurmctld"
    """The controller, on every cluster: "Batch job submission failed: ..."."""
    NODES = "nodes"
    """No node can ever run it, whatever the cluster: ``sbatch --test-only`` says so."""


class Refused(ValueError):
    """Slurm refuses a value.

    ``said`` is Slurm's own message without the ``sbatch: error:`` in front; ``detail`` is our short
    explanation, lower case, no full stop, empty where ``said`` explains itself.
    """

    def __init__(self, said: str, detail: str = "", *, stage: Stage = Stage.CLIENT) -> None:
        super().__init__(said)
        self.said = said
        self.detail = detail
        self.stage = stage


@dataclass(frozen=True, slots=True)
class Context:
    """For which option a value is read, and by which Slurm."""

    option: str
    """Long name without dashes: the same grammar speaks of ``--mem`` and of ``--mem-per-cpu``."""
    release: Release
    command: str = "sbatch"
    """Who reads it: srun takes a word or two that sbatch refuses."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """The grammar of one kind of value (the column ``value`` of the option table)."""

    name: str
    summary: str
    """One line: what the value means, with its unit."""
    forms: tuple[tuple[str, str], ...]
    """Each way of writing it, with its meaning: ``("D-HH:MM:SS", "days, hours, minutes, seconds")``."""
    good: tuple[str, ...]
    """Texts that every release takes; a test reads them."""
    bad: tuple[str, ...]
    """Texts that every release refuses; a test reads them."""
    read: Callable[[str, Context], object]
    """Gives the typed value, or raises Refused.  Never any other exception, whatever the text."""
    notes: tuple[str, ...] = ()
    """Traps and differences between releases, one sentence each, for ``sbatchlint option``."""
