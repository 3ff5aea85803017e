"""Beside itself: what a script costs that is ten times as long."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from benchmarks.against import Setting
from benchmarks.measure import Measure, interleaved
from benchmarks.shapes import SHAPES
from benchmarks.table import Row, Target, peak_memory, seconds

SIZES = {
    "lines": (60, 600, 6_000, 60_000),
    "nesting": (10, 100, 1_000),
    "variables": (30, 300, 3_000, 30_000),
    "steps": (10, 100, 1_000),
}
"""The shapes that are measured by default, and how large."""

WHAT = {"lines": "lines", "nesting": "levels of nesting", "variables": "variables", "steps": "srun steps"}

LINEAR = Target(1.15, at_most=True)
"""The exponent of a cost that grows with the size and no faster, with room for what a clock is off."""

_SHORT = 2.0
"""Seconds of a run that is short enough to be repeated."""


def growth(setting: Setting, shape: str) -> list[Row]:
    """Return what each size of *shape* costs, and how the last ones grow."""
    empty = _measured(setting, "#!/bin/bash\n#SBATCH --nodes=1\nsrun python train.py\n")
    costs: list[Measure] = []
    sizes = SIZES[shape]
    for size in sizes:
        costs.append(_measured(setting, SHAPES[shape](size)))
        if not costs[-1].ended:
            break
    rows = [Row(f"{size:,} {WHAT[shape]}", seconds(cost)) for size, cost in zip(sizes, costs, strict=False)]
    for at, exponent in enumerate(exponents(sizes, [cost.cpu - empty.cpu for cost in costs]), 1):
        last = at == len(sizes) - 1
        ended = costs[at].ended
        rows[at] = Row(
            rows[at].name,
            rows[at].ours,
            "",
            exponent if ended else None,
            None,
            LINEAR if last or not ended else None,
        )
    largest = costs[-1]
    return [*rows, peak_memory(f"{sizes[len(costs) - 1]:,} {WHAT[shape]}: memory", largest)]


def exponents(sizes: Sequence[int], costs: Sequence[float]) -> Iterator[float]:
    """Yield the exponent by which the cost grows from each size to the next: 1 is linear, 2 quadratic.

    *costs* are without what a script of no size costs; there may be fewer than *sizes*.
    """
    for (small, cheap), (large, dear) in itertools.pairwise(zip(sizes, costs, strict=False)):
        yield math.log(max(dear, 1e-3) / max(cheap, 1e-3)) / math.log(large / small)


def _measured(setting: Setting, text: str) -> Measure:
    (setting.work / "grown.sbatch").write_text(text, "utf-8")
    command = setting.command(*setting.programs.check("--no-cache", "--time-limit", "0", "grown.sbatch"))
    first = interleaved({"": command}, 1, limit=setting.limit, core=setting.core)[""]
    if first.wall > _SHORT:
        return first
    return interleaved({"": command}, setting.rounds, limit=setting.limit, core=setting.core)[""]
