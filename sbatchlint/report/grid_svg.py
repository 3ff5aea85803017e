"""Rank grids as a picture (SVG 1.1): a box for each GPU, a row for each node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from colorsys import hls_to_rgb
from xml.sax.saxutils import escape

from sbatchlint.report.cells import shown
from sbatchlint.report.grid_model import DrawnRun, grid_notes, sizes_line
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.rank_grid import RankGrid

_ROW, _GAP, _LEFT, _LINE, _MARGIN = 40, 4, 84, 18, 16
_LETTER = 6.5
"""Pixels for a letter of the font below, on the safe side."""
_STYLE = (
    "text { font: 11px sans-serif; fill: #222 } .h { font: bold 13px sans-serif } "
    ".r { font: bold 11px sans-serif } .n { fill: #666 } .g { fill: none; stroke: #333 }"
)


def grid_svg(title: str, drawn: Sequence[DrawnRun]) -> str:
    """Return one picture of all grids, below each other; runs without a grid are told in words.

    Boxes of one colour are one stage of the pipeline; a frame goes around each TP group.
    """
    parts: list[str] = []
    top, width = _MARGIN, 480
    for one in drawn:
        block = _Block(one, top)
        parts += block.elements()
        top, width = block.bottom + 2 * _LINE, max(width, block.right)
    size = f'width="{width + _MARGIN}" height="{top}" viewBox="0 0 {width + _MARGIN} {top}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<title>{escape(shown(title))}</title>\n'
    body = "\n".join(parts)
    return f'{head}<style>{_STYLE}</style>\n<rect width="100%" height="100%" fill="#fff"/>\n{body}\n</svg>\n'


class _Block:
    """One run: its heading, the grid, and the notes."""

    def __init__(self, drawn: DrawnRun, top: int) -> None:
        self._drawn = drawn
        self._top = top
        self._rows = drawn.grid.nodes if isinstance(drawn.grid, RankGrid) else 0
        self._cell = _width(drawn.grid) if isinstance(drawn.grid, RankGrid) else 0
        self._notes = list(grid_notes(drawn.grid)) if isinstance(drawn.grid, RankGrid) else []

    @property
    def _first_row(self) -> int:
        return self._top + 3 * _LINE

    @property
    def bottom(self) -> int:
        return self._first_row + self._rows * (_ROW + _GAP) + len(self._notes) * _LINE

    @property
    def right(self) -> int:
        grid = self._drawn.grid
        return _LEFT + (grid.per_node * (self._cell + _GAP) if isinstance(grid, RankGrid) else 0)

    def elements(self) -> list[str]:
        grid = self._drawn.grid
        found = [_text(_MARGIN, self._top + _LINE, self._drawn.title, "h")]
        if isinstance(grid, str):
            return [*found, _text(_MARGIN, self._top + 2 * _LINE, f"no grid: {grid}", "n")]
        found.append(_text(_MARGIN, self._top + 2 * _LINE, sizes_line(grid)))
        for node in range(grid.nodes):
            found += self._node(grid, node)
        found += self._frames(grid)
        below = self._first_row + self._rows * (_ROW + _GAP) + _LINE
        return found + [
            _text(_MARGIN, below + number * _LINE, note, "n") for number, note in enumerate(self._notes)
        ]

    def _node(self, grid: RankGrid, node: int) -> Iterator[str]:
        top = self._first_row + node * (_ROW + _GAP)
        yield _text(_MARGIN, top + _ROW // 2 + 4, f"node {node}", "n")
        for column, rank in enumerate(grid.on_node(node)):
            left, place = _LEFT + column * (self._cell + _GAP), grid.place(rank)
            fill = _colour(place[Quantity.PP], grid.sizes[Quantity.PP])
            yield f'<rect x="{left}" y="{top}" width="{self._cell}" height="{_ROW}" rx="3" fill="{fill}"/>'
            yield _text(left + 5, top + 15, str(rank), "r")
            yield _text(left + 5, top + 31, _coordinates(grid, place))

    def _frames(self, grid: RankGrid) -> Iterator[str]:
        """Draw a frame around each run of neighbours that are in one TP group."""
        if grid.sizes[Quantity.TP] == 1:
            return
        group_of = {rank: number for number, group in enumerate(grid.groups(Quantity.TP)) for rank in group}
        for node in range(grid.nodes):
            ranks = grid.on_node(node)
            start = 0
            for column in range(1, len(ranks) + 1):
                if column == len(ranks) or group_of[ranks[column]] != group_of[ranks[start]]:
                    yield self._frame(node, start, column)
                    start = column

    def _frame(self, node: int, start: int, end: int) -> str:
        left, top = _LEFT + start * (self._cell + _GAP) - 1, self._first_row + node * (_ROW + _GAP) - 1
        width = (end - start) * (self._cell + _GAP) - _GAP + 2
        return f'<rect x="{left}" y="{top}" width="{width}" height="{_ROW + 2}" rx="4" class="g"/>'


def _coordinates(grid: RankGrid, place: dict[Quantity, int]) -> str:
    return " ".join(f"{axis.symbol.lower()}{place[axis]}" for axis in grid.axes)


def _colour(stage: int, stages: int) -> str:
    """A light colour; SVG 1.1 knows no other way to write one than by red, green and blue."""
    parts = hls_to_rgb(stage / stages, 0.82, 0.65)
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)


def _width(grid: RankGrid) -> int:
    """How wide the widest box has to be."""
    widest = _coordinates(grid, {axis: size - 1 for axis, size in grid.sizes.items()})
    return round(_LETTER * max(len(widest), len(str(grid.ranks)))) + 12


def _text(left: int, top: int, text: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{left}" y="{top}"{named}>{escape(shown(text))}</text>'
