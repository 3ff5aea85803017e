"""The rank grids of a file's training runs, before any format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sbatchlint.launch.plan import Step
from sbatchlint.report.cells import shown
from sbatchlint.report.plan_model import PlannedFile
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.rank_grid import RankGrid, rank_grid
from sbatchlint.training.runs import TrainingRun

_LISTED = (Quantity.TP, Quantity.CP, Quantity.DP, Quantity.PP)
_EXPERTS = (Quantity.ETP, Quantity.EP, Quantity.EDP, Quantity.PP)


@dataclass(frozen=True, slots=True)
class DrawnRun:
    """One training run, and its grid or why there is none."""

    title: str
    """Where it is started, and what the ranks run."""
    grid: RankGrid | str


def drawn_runs(file: PlannedFile) -> Iterator[DrawnRun]:
    """Yield the runs of *file*; a program that nothing of a layout is told to is left out."""
    for run in file.runs:
        if run.framework.by_script or run.quantities.given():
            yield DrawnRun(_title(file, run), rank_grid(run.layout, cyclic=_is_cyclic(run.step)))


def _title(file: PlannedFile, run: TrainingRun) -> str:
    span = run.step.span if run.step is not None else run.program.span
    line = f":{file.source.position(span.start).line}" if span is not None else ""
    program = run.program.target.show().rsplit("/", 1)[-1]
    return f"{shown(file.source.path)}{line} {shown(file.mask.text(program))}"


def _is_cyclic(step: Step | None) -> bool:
    option = step.get("distribution") if step is not None else None
    text = option.value.text if option is not None and option.value is not None else None
    return (text or "").partition(":")[0] == "cyclic"


def sizes_line(grid: RankGrid) -> str:
    """``TP 4 x CP 1 x DP 2 x PP 2 = 16 ranks; experts: ETP 1 x EP 8 x EDP 1 x PP 2``."""
    text = f"{_product(grid, _LISTED)} = {grid.ranks} ranks"
    return f"{text}; experts: {_product(grid, _EXPERTS)}" if Quantity.ETP in grid.sizes else text


def _product(grid: RankGrid, axes: Sequence[Quantity]) -> str:
    return " x ".join(f"{axis.symbol} {grid.sizes[axis]}" for axis in axes)


def grid_notes(grid: RankGrid) -> Iterator[str]:
    """Yield what a reader should know of where the groups lie."""
    for axis, why in (
        (Quantity.TP, "each layer waits for the network several times"),
        (Quantity.ETP, "each expert waits for the network"),
        (Quantity.EP, "tokens go to their experts over the network"),
    ):
        if grid.sizes.get(axis, 1) > 1:
            count, split = len(grid.groups(axis)), grid.split(axis)
            if split:
                groups = f"the {axis.symbol} group leaves its node" if count == 1 else None
                told = groups or f"{split} of {count} {axis.symbol} groups leave their node"
                yield f"{told}: {why}"
