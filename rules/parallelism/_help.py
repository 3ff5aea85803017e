"""What to do about a layout that does not come out."""

from __future__ import annotations

from sbatchlint.api import Quantity, TrainingRun, Violation, World, legal_nodes, legal_values


def is_grid(found: Violation) -> bool:
    """Tell whether the number of ranks does not fit a grid, and so may be changed."""
    return found.constraint.mends[0] is Quantity.WORLD_SIZE


def help_of(run: TrainingRun, found: Violation) -> str:
    """Return which number to change, and to what: values that mend *found* and break nothing else."""
    if is_grid(found) and run.world is not None:
        return _with_ranks(run, run.world, found)
    given = [reading for one in found.constraint.mends if (reading := run.layout[one]).given]
    for reading in given:
        values = legal_values(run.layout, found, reading.quantity)
        if values:
            return f"set {reading.spelling} to {' or '.join(map(str, values))}"
    names = [reading.spelling for reading in given] or [one.symbol for one in found.constraint.mends]
    return f"change {' or '.join(names)}"


def _with_ranks(run: TrainingRun, world: World, found: Violation) -> str:
    symbols = " x ".join(factor.quantity.symbol for factor in found.factors)
    if run.step is None and not run.program.launchers:
        return "start one process for each rank, with srun or torchrun"
    nodes = run.step.geometry.nodes if run.step is not None else None
    if world.alone and nodes is not None and nodes.value > 1:
        return "pass --nnodes and the address of the first node, so that the nodes form one world"
    divisor = f"make {symbols} a divisor of {world.ranks}{_legal_factor(run, found)}"
    each = world.per_node
    counts = legal_nodes(run.layout, found, each) if each else []
    if not each or not counts:
        return f"change the number of ranks, or {divisor}"
    shown = " or ".join(f"{count} ({count * each} ranks)" for count in counts)
    return f"set the number of nodes to {shown}, or {divisor}"


def _legal_factor(run: TrainingRun, found: Violation) -> str:
    """The next values of one of the factors with which it comes out: ``: PP 2 or 4``."""
    if found.unknown:
        return ""
    given = [one for one in found.factors if one.given and one is not found.culprit and max(one.values) > 1]
    for factor in (found.culprit, *given):
        values = legal_values(run.layout, found, factor.quantity)
        if values:
            return f": {factor.quantity.symbol} {' or '.join(map(str, values))}"
    return ""
