"""Beginning with sbatchlint in a repository that has findings already."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sbatchlint.cli.console import Console

if TYPE_CHECKING:
    from sbatchlint.cli.checking import Checked
    from sbatchlint.lint.finding import Finding
    from sbatchlint.lint.job import Job


@dataclass(frozen=True, slots=True)
class Adoption:
    """What the command line says of findings that are known already."""

    sieve: Callable[[Job, Sequence[Finding]], Sequence[Finding]] | None = None


def add_adoption(group: argparse._ArgumentGroup) -> None:
    """Add the options to *group*."""


def read_adoption(read: argparse.Namespace, console: Console) -> Adoption:
    """Return what was read; a complaint to *console* where it makes no sense or a file can't be used."""
    return Adoption()


def adopt(adoption: Adoption, checked: Sequence[Checked], console: Console) -> Sequence[Checked]:
    """Write what the command line asks for, such as a baseline; return what is still to be shown."""
    return checked
