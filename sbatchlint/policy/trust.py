"""Values of a script for an expression, as far as they are to be trusted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sbatchlint.certainty import Certainty
from sbatchlint.launch.values import Value
from sbatchlint.policy.values import UNKNOWN, Items, cel
from sbatchlint.records import dataclass
from sbatchlint.slurm.option_use import Count


@dataclass(frozen=True, slots=True)
class Trust:
    """How sure a value must be to count: only what the script fixes, or what it assumes too."""

    worst: Certainty

    def count(self, count: Count | None) -> Any:
        """Return a number; unknown where it is not sure enough."""
        return UNKNOWN if count is None or count.certainty > self.worst else cel(count.value)

    def text(self, value: Value | None) -> Any:
        """Return a text; unknown where it is not sure enough, empty where there is none."""
        if value is None:
            return cel("")
        text = value.text
        return UNKNOWN if text is None or value.certainty > self.worst else cel(text)

    def doubtful(self, *, conditional: bool, assumed: bool) -> bool:
        """Tell whether something may be missing in truth."""
        return conditional or (assumed and self.worst < Certainty.ASSUMED)


def listed(values: Iterable[tuple[Any, bool]], *, more: bool) -> Items:
    """Return a list of values, each with whether it may be missing."""
    pairs = list(values)
    return Items([value for value, _ in pairs], [doubt for _, doubt in pairs], more=more)
