"""The answer to a question of size, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sbatchlint.report.cells import shown
from sbatchlint.report.style import Style
from sbatchlint.training.constraints.base import Numbers
from sbatchlint.training.constraints.batches import data_parallel, expert_data_parallel
from sbatchlint.training.constraints.grids import DENSE, EXPERT
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.size.architecture import Architecture
from sbatchlint.training.size.fitting import USABLE, Fit
from sbatchlint.training.size.memory import GB, Memory
from sbatchlint.training.size.sizing import Answer
from sbatchlint.training.worlds.world import amount

_MOST_FITS = 10
_UNEVEN = "the stages differ: write them with --pipeline-model-parallel-layout"
_COLUMNS = (Quantity.TP, Quantity.PP, Quantity.CP, Quantity.EP, Quantity.ETP)


def size_text(answer: Answer, style: Style) -> str:
    """Return it as text, with its line ends."""
    return "".join(f"{line.rstrip()}\n" for line in _lines(answer, style))


def _lines(answer: Answer, style: Style) -> Iterator[str]:
    question = answer.question
    yield style.strong(shown(question.name)) + f": {_shape(question.shape)}"
    yield from (f"  {style.faint(f'({note})')}" for note in question.uncertain)
    if answer.numbers is not None:
        yield ""
        yield from _layout(answer, answer.numbers, style)
    if answer.remedies:
        yield ""
        yield style.strong("one change that makes it fit")
        for quantity, fit in answer.remedies:
            name = "GPUs" if quantity is Quantity.WORLD_SIZE else quantity.symbol
            told = f"{name} {fit.numbers[quantity]}"
            yield f"  {told}: {_gb(fit.memory.total)} on {amount(fit.numbers[Quantity.WORLD_SIZE], 'GPU')}"
    yield ""
    yield from _fits(answer, style)


def _shape(shape: Architecture) -> str:
    text = f"{_billions(shape.total)} parameters"
    if shape.num_experts:
        text += f" ({_billions(shape.active)} active)"
        experts = f"{shape.num_experts} experts, {shape.experts_per_token} for a token"
        return f"{text}, {amount(shape.num_layers, 'layer')}, {experts}"
    return f"{text}, {amount(shape.num_layers, 'layer')}"


def _layout(answer: Answer, numbers: Numbers, style: Style) -> Iterator[str]:
    question = answer.question
    yield style.strong("layout") + f"  {_layout_line(numbers)}"
    yield from (f"  {style.bad(f'does not start: {text}')}" for text in answer.broken)
    yield from (f"  {style.faint(f'({text})')}" for text in answer.wasteful)
    if answer.uneven and not answer.broken:
        yield f"  {style.faint(f'({_UNEVEN})')}"
    if answer.memory is None:
        return
    load = question.load
    work = f"sequence {load.seq_length}, {amount(load.micro_batch, 'sequence')} at a time"
    yield ""
    yield style.strong("the fullest GPU") + f"  {load.mode.value}, {work}"
    yield from _items(answer.memory, style)
    machine = question.machine
    verdict = "fits" if answer.holds else "does not fit"
    paint = style.good if answer.holds else style.bad
    usable = f"{machine.memory} GB of {machine.gpu}, of which {USABLE:.0%} count"
    yield f"  {'total':<17}{_gb(answer.memory.total):>10}  {paint(verdict)} into {usable}"


def _layout_line(numbers: Numbers) -> str:
    """Say the layout as a product, with the copies that come of it."""
    text = _grid(numbers, DENSE, "DP", data_parallel(numbers))
    if numbers.get(Quantity.EXPERTS):
        text += f"; experts: {_grid(numbers, EXPERT, 'EDP', expert_data_parallel(numbers))}"
    if Quantity.VPP in numbers:
        text += f"; VPP {numbers[Quantity.VPP]}"
    return f"{amount(numbers[Quantity.WORLD_SIZE], 'GPU')}: {text}"


def _grid(numbers: Numbers, factors: Sequence[Quantity], name: str, copies: int | None) -> str:
    told = [f"{quantity.symbol} {numbers[quantity]}" for quantity in factors]
    return " x ".join(told if copies is None else [*told, f"{name} {copies}"])


def _items(memory: Memory, style: Style) -> Iterator[str]:
    for item in memory.items:
        yield f"  {item.name:<17}{_gb(item.size):>10}  {style.faint(item.formula)}"
    if memory.experts:
        held = amount(memory.experts, "expert")
        yield f"  {style.faint(f'({held} of each layer)')}"


def _fits(answer: Answer, style: Style) -> Iterator[str]:
    machine, load = answer.question.machine, answer.question.load
    title = f"legal layouts that fit for {load.mode.value} on {machine.gpu} ({machine.memory} GB)"
    if not answer.fits:
        yield style.strong("no layout was found that fits") + f" for {load.mode.value} on {machine.gpu}"
        return
    yield style.strong(title)
    rows = [_row(fit) for fit in answer.fits[:_MOST_FITS]]
    head = ["nodes", "GPUs", *(quantity.symbol for quantity in _COLUMNS), "experts a GPU", "GB"]
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    for number, row in enumerate((head, *rows)):
        line = "  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True))
        yield f"  {line if number else style.faint(line)}"
    if any(fit.uneven for fit in answer.fits[:_MOST_FITS]):
        yield f"  {style.faint(f'(* {_UNEVEN})')}"
    if len(answer.fits) > _MOST_FITS:
        yield f"  {style.faint(f'({len(answer.fits) - _MOST_FITS} more)')}"


def _row(fit: Fit) -> list[str]:
    numbers = fit.numbers
    sizes = [str(numbers[quantity]) for quantity in _COLUMNS]
    sizes[1] += "*" if fit.uneven else ""
    experts = str(fit.memory.experts) if fit.memory.experts else "-"
    ranks = numbers[Quantity.WORLD_SIZE]
    return [str(fit.nodes), str(ranks), *sizes, experts, f"{fit.memory.total / GB:.1f}"]


def _gb(size: float) -> str:
    return f"{size / GB:.1f} GB"


def _billions(count: int) -> str:
    return f"{count / GB:.1f}B" if count >= GB else f"{count / 1_000_000:.0f}M"
