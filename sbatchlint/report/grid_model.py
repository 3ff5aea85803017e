"""The rank grids of a file's training runs, before any format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sbatchlint.digits import whole_number
from sbatchlint.records import dataclass
from sbatchlint.report.cells import shown
from sbatchlint.report.plan_model import PlannedFile
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.rank_grid import DENSE_AXES, EXPERT_AXES, RankGrid, rank_grid
from sbatchlint.training.runs import TrainingRun


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
            dealt = _dealt(file, run)
            grid = "how the tasks are dealt to the nodes is not known" if dealt is None else None
            yield DrawnRun(_title(file, run), grid or rank_grid(run.layout, dealt=dealt or 0))


def _title(file: PlannedFile, run: TrainingRun) -> str:
    line = f":{file.source.position(run.span.start).line}" if run.span is not None else ""
    program = run.program.target.show().rsplit("/", 1)[-1]
    return f"{shown(file.source.path)}{line} {shown(file.mask.text(program))}"


def _dealt(file: PlannedFile, run: TrainingRun) -> int | None:
    """How many tasks a node gets before the next one's turn; 0 for all of its tasks, None for not known.

    The ranks of a launcher are its own, wherever its task is.
    """
    text = _distribution(file, run)
    if text is None:
        return None
    if run.program.launchers or not text:
        return 0
    if text.startswith("plane"):
        size = whole_number(text.partition("=")[2])
        return size or None
    nodes = text.partition(",")[0].partition(":")[0]
    if nodes in ("", "*", "pack", "nopack") or "block".startswith(nodes):
        return 0
    return 1 if "cyclic".startswith(nodes) else None


def _distribution(file: PlannedFile, run: TrainingRun) -> str | None:
    """``--distribution`` of srun, else of what it reads from the environment, else of the job."""
    option = run.step.effective("distribution") if run.step is not None else None
    if option is not None:
        text = option.value.text if option.value is not None and option.certain else None
        return text.lower() if text is not None else None
    use = file.request.get("distribution")
    return (use.value or "").lower() if use is not None else ""


def sizes_line(grid: RankGrid) -> str:
    """``TP 4 x CP 1 x DP 2 x PP 2 = 16 ranks; experts: ETP 1 x EP 8 x EDP 1 x PP 2``."""
    text = f"{_product(grid, DENSE_AXES)} = {grid.ranks} ranks"
    return f"{text}; experts: {_product(grid, EXPERT_AXES)}" if Quantity.ETP in grid.sizes else text


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
