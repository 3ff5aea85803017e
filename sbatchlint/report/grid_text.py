"""A rank grid on a terminal: for each node its GPUs, and where each rank stands on every axis."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sbatchlint.report.grid_model import DrawnRun, drawn_runs, grid_notes, sizes_line
from sbatchlint.report.plan_model import PlannedFile
from sbatchlint.report.style import Style
from sbatchlint.training.rank_grid import RankGrid

_MOST_NODES = 16
_SHOWN = (8, 2)
"""Of more nodes than that so many of the first and last ones."""
_LABELS = 16


def grid_text(file: PlannedFile, style: Style, *, width: int) -> str:
    """Return the grids of one file, with their line ends."""
    return "".join(f"{line.rstrip()}\n" for line in _file_lines(list(drawn_runs(file)), style, width))


def _file_lines(drawn: Sequence[DrawnRun], style: Style, width: int) -> Iterator[str]:
    if not drawn:
        yield ""
        yield f"  {style.strong('ranks')}  no training run whose layout the script tells"
    for one in drawn:
        yield ""
        yield f"  {style.strong('ranks')}  {one.title}"
        if isinstance(one.grid, str):
            yield f"    {style.unknown(f'no grid: {one.grid}')}"
            continue
        yield f"    {style.strong(sizes_line(one.grid))}"
        yield from _grid_lines(one.grid, style, width)
        yield from (f"    {style.faint(f'({note})')}" for note in grid_notes(one.grid))


def _grid_lines(grid: RankGrid, style: Style, width: int) -> Iterator[str]:
    first, last = _SHOWN
    hidden = range(first, grid.nodes - last) if grid.nodes > _MOST_NODES else range(0)
    for node in range(grid.nodes):
        if node in hidden:
            if node == hidden.start:
                yield ""
                yield f"    ... {len(hidden)} more nodes (--grid=FILE.svg draws them all)"
            continue
        yield ""
        yield from _node_lines(grid, node, style, width)


def _node_lines(grid: RankGrid, node: int, style: Style, width: int) -> Iterator[str]:
    """Write one node: a row of ranks and a row for each axis, in as many parts as the width asks for."""
    ranks = grid.on_node(node)
    cell = len(str(grid.ranks)) + 2
    fitting = max((width - _LABELS) // cell, 1)
    places = {rank: grid.place(rank) for rank in ranks}
    label = f"node {node}"
    for start in range(0, len(ranks), fitting):
        part = ranks[start : start + fitting]
        yield _row(label, "rank", [str(rank) for rank in part], cell, [style.strong] * len(part))
        for axis in grid.axes:
            values = [places[rank][axis] for rank in part]
            yield _row(
                "", axis.symbol, [str(value) for value in values], cell, list(map(style.group, values))
            )
        label = ""


def _row(label: str, name: str, texts: list[str], cell: int, paints: list[Callable[[str], str]]) -> str:
    cells = "".join(paint(text.rjust(cell)) for text, paint in zip(texts, paints, strict=True))
    return f"    {label:<{_LABELS - 8}}{name:<4}{cells}"
