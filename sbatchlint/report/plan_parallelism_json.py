"""How the ranks of a program are laid out, for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sbatchlint.report.plan_parallelism import microbatches_of
from sbatchlint.source import Span
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.parallelism import Parallelism
from sbatchlint.training.quantities import Reading
from sbatchlint.training.runs import TrainingRun

_DERIVED = (Quantity.WORLD_SIZE, Quantity.DP, Quantity.EDP)


def layout_object(run: TrainingRun | None, place: Callable[[Span | None], object]) -> dict[str, Any] | None:
    """Return what is told of a run's layout, place by place as *place* writes them; None without a run."""
    if run is None:
        return None
    found = microbatches_of(run.layout)
    return {
        "framework": run.framework.name.value,
        "quantities": [_quantity(one, place) for one in _readings(run.layout)],
        "microbatches": {
            "value": None if found is None else found.count,
            "certainty": "unknown" if found is None else found.certainty.name.lower(),
        },
    }


def _readings(layout: Parallelism) -> Iterator[Reading]:
    """Yield all that anything is known of; in any case the ranks and the copies that come of them."""
    derived = {Quantity.DP: layout.dp, Quantity.EDP: layout.edp}
    for quantity in Quantity:
        reading = derived.get(quantity) or layout[quantity]
        if reading.known or reading.given or quantity in _DERIVED:
            yield reading


def _quantity(reading: Reading, place: Callable[[Span | None], object]) -> dict[str, Any]:
    return {
        "name": reading.quantity.value,
        "values": list(reading.values),
        "certainty": reading.certainty.name.lower(),
        "option": reading.spelling or None,
        "recipe": reading.recipe or None,
        "place": place(reading.span),
        "value_place": place(reading.value_span),
    }
