"""The ranks that form one process group, and the sum that gives them."""

from __future__ import annotations

from sbatchlint.certainty import Certainty
from sbatchlint.records import dataclass
from sbatchlint.source import Span


@dataclass(frozen=True, slots=True)
class Term:
    """A factor of the world size, and where it is written."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class World:
    """The ranks that form one process group."""

    ranks: int
    certainty: Certainty
    sum: str
    """How it comes about: ``2 nodes x 8 tasks per node = 16 ranks``."""
    terms: tuple[Term, ...] = ()
    """Where its factors are written."""
    per_node: int | None = None
    """Ranks on each node, where it is the same on all."""
    alone: bool = False
    """True where each launcher forms a world of its own on its node."""


def amount(number: int, what: str) -> str:
    """Say *number* of *what*: ``1 node``, ``2 nodes``."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
