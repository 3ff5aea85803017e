"""What the batch shell starts itself, on the first node of the job, for people."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from sbatchlint.launch.plan import Layer, Program
from sbatchlint.lint.ask.launchers import PER_NODE_LAUNCHERS
from sbatchlint.report.plan_model import is_telling, is_telling_itself
from sbatchlint.report.plan_parallelism import layout_rows
from sbatchlint.report.plan_program import ProgramWriter
from sbatchlint.report.plan_size import size_line, size_of
from sbatchlint.report.plan_step import FEWEST_TOGETHER, counted, together, without_repetition

_MOST_PROGRAMS = 20


def host_block(writer: ProgramWriter) -> Iterator[str]:
    """Write the programs of the batch host: those worth a look in full, the others as a count."""
    submitted = {submission.span for submission in writer.file.plan.submissions}
    programs = [program for program in writer.file.plan.host_programs if program.span not in submitted]
    if not programs:
        return
    telling = [program for program in programs if is_telling(program)]
    yield ""
    yield "  " + writer.rows.style.strong("on the batch host") + ", without srun"
    kept, left_out = without_repetition(telling)
    before = None
    for layers, neighbours in groupby(kept[:_MOST_PROGRAMS], _shared_layers):
        group = list(neighbours)
        if layers and len(group) >= FEWEST_TOGETHER:
            yield from together(writer, writer.line(group[0].span), group)
            continue
        for program in group:
            yield from _program(writer, program, before)
            before = program
    for span, count in left_out.items():
        yield from writer.rows.row(writer.line(span), f"{count} more times, in a loop or a function")
    if len(kept) > _MOST_PROGRAMS:
        yield from writer.rows.row("", f"and {len(kept) - _MOST_PROGRAMS} more like these")
    rest = [program for program in programs if not is_telling(program)]
    if rest:
        yield from writer.rows.text("besides", counted(writer.speller, rest))


def _shared_layers(program: Program) -> tuple[Layer, ...]:
    """Return what is around a program that says little itself: neighbours with the same are told together."""
    return () if is_telling_itself(program) else program.layers


def _program(writer: ProgramWriter, program: Program, before: Program | None) -> Iterator[str]:
    label = writer.line(program.span)
    marks = [
        mark
        for mark, applies in (("may not run", program.conditional), ("rests on a default", program.assumed))
        if applies
    ]
    if any(layer.name in PER_NODE_LAUNCHERS for layer in program.launchers):
        size = size_of(writer.file.request, None, program)
        asks = writer.file.request.asks_for_gpus
        yield from writer.rows.row(label, size_line(size, asks_for_gpus=asks) + writer.rows.marks(marks))
        yield from layout_rows(writer.rows, writer.file, None, program)
        yield from writer.rows_of(None, program)
        return
    yield from writer.host_command(program, label, marks, before)
    yield from layout_rows(writer.rows, writer.file, None, program)
