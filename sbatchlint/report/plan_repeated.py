"""Steps that one srun starts again with a few other words, as in a loop: only these words are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sbatchlint.launch.plan import Step
from sbatchlint.records import dataclass
from sbatchlint.report.plan_containers import containers
from sbatchlint.report.plan_parallelism import layout_rows
from sbatchlint.report.plan_program import ProgramWriter
from sbatchlint.report.plan_size import size_of
from sbatchlint.report.plan_step import shown_programs, srun_options
from sbatchlint.report.plan_words import Kind, Piece, Word, bare

_MOST_CHANGED = 12
"""Words; where more are others the step is shown in full."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a step must share with another one to be shown as a variation of it, and its words."""

    number: int
    """The step's number in the plan."""
    shared: object
    words: tuple[Word, ...]
    layout: tuple[str, ...]
    """The rows that tell how its ranks are laid out."""


def likeness(writer: ProgramWriter, step: Step, number: int) -> Likeness | None:
    """Return the likeness of *step*; None for one that starts more than one program."""
    programs = shown_programs(step.programs)
    if len(programs) != 1 or len(step.programs) != 1 or step.early:
        return None
    program = programs[0]
    shared = (
        step.line_span,
        [step.background, step.nested, step.conditional, step.assumed, step.component],
        size_of(writer.file.request, step, program),
        list(containers(step, program)),
        writer.environment.spelled(program),
        [bare(word) for word in writer.around(program)],
        program.conditional,
    )
    words = tuple(writer.speller.words([*srun_options(step), *program.words]))
    return Likeness(number, shared, words, tuple(layout_rows(writer.rows, writer.file, step, program)))


def variation(writer: ProgramWriter, own: Likeness | None, other: Likeness | None) -> Iterator[str]:
    """Write what *own* has otherwise than *other*; nothing where the two are not alike enough."""
    if own is None or other is None or own.shared != other.shared or len(own.words) != len(other.words):
        return
    changed = [index for index, word in enumerate(own.words) if bare(word) != bare(other.words[index])]
    if not changed or len(changed) > _MOST_CHANGED:
        return
    words = [(Piece(Kind.MARK, f"as step {other.number}, but"),), *_with_options(own.words, changed)]
    if own.layout != other.layout:
        yield from own.layout
    yield from writer.rows.words("command", words)


def _with_options(words: Sequence[Word], changed: Sequence[int]) -> Iterator[Word]:
    """Yield the changed words, each with the option before it that it is the value of."""
    for index in changed:
        before = bare(words[index - 1]) if index else ""
        if before.startswith("-") and "=" not in before and index - 1 not in changed:
            yield words[index - 1]
        yield words[index]


__all__ = ["Likeness", "likeness", "variation"]
