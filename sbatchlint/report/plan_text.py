"""The launch plan for people: the job, each step down to the program, and what the batch host does itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sbatchlint.launch.plan import Step
from sbatchlint.launch.values import Text
from sbatchlint.report.cells import shown
from sbatchlint.report.plan_host import host_block
from sbatchlint.report.plan_job import Line, job_lines
from sbatchlint.report.plan_model import PlannedFile
from sbatchlint.report.plan_needs import needs_block
from sbatchlint.report.plan_program import ProgramWriter, line_ranges
from sbatchlint.report.plan_repeated import Likeness, likeness, variation
from sbatchlint.report.plan_rows import folded
from sbatchlint.report.plan_size import amount
from sbatchlint.report.plan_step import step_block, step_title
from sbatchlint.report.plan_submissions import submissions_block
from sbatchlint.report.plan_words import Kind, Piece
from sbatchlint.report.style import Style
from sbatchlint.slurm.option_use import Count
from sbatchlint.source import Span

WIDTH = 100
"""Columns where there is no terminal to ask."""
_MOST_OF_ONE_LINE = 12
"""So many different steps of one srun are shown, as a loop or a function starts them; the rest is counted."""


def plan_text(file: PlannedFile, style: Style, *, width: int = WIDTH) -> str:
    """Return the plan of one file, with its line ends; no line that can be broken is wider than *width*."""
    return "".join(f"{line.rstrip()}\n" for line in _File(file, style, width).lines())


def _taken(step: Step) -> Step:
    """Return the step as it is where it runs."""
    if not step.conditional:
        return step
    programs = tuple(replace(program, conditional=False) for program in step.programs)
    return replace(step, conditional=False, programs=programs)


def _repetition(steps: Sequence[Step]) -> list[str]:
    """Return the marks that tell of steps which say the same as the first of them."""
    alike = sum(step.conditional == steps[0].conditional for step in steps)
    marks = [f"{alike} times"] if alike > 1 else []
    return [*marks, "perhaps again"] if alike < len(steps) else marks


class _File:
    def __init__(self, file: PlannedFile, style: Style, width: int) -> None:
        self._file = file
        self._style = style
        self._width = width
        self._writer = ProgramWriter(file, style, width)
        self._speller = self._writer.speller

    def lines(self) -> Iterator[str]:
        yield self._style.strong(shown(self._file.source.path))
        yield from self._submission()
        yield from self._job()
        if self._file.interpreter:
            name = shown(self._file.interpreter)
            yield ""
            yield f"  {name} runs this file, no shell: what it starts is not followed"
            return
        yield from self._steps()
        yield from host_block(self._writer)
        yield from submissions_block(self._writer)
        yield from needs_block(self._writer)
        yield from self._notes()

    def _submission(self) -> Iterator[str]:
        """Tell the command that the plan is for, where the user said anything about it."""
        options, speller = self._file.options, self._speller
        words = [
            (Piece(Kind.KNOWN, f"{speller.text(name)}="), *speller.literal(value))
            for name, value in options.environment
        ]
        given = [*options.sbatch_args, self._file.source.path, *(options.arguments or ())]
        words += [speller.literal(word) for word in ("sbatch", *given)]
        if options.environment or len(given) > 1:
            yield ""
            yield from self._writer.rows.words("submitted by", words)

    # --- the job -----------------------------------------------------------------------------------

    def _job(self) -> Iterator[str]:
        first, *others = [list(job_lines(request)) for request in self._file.request.components]
        yield ""
        yield "  " + self._style.strong("job, component 0" if others else "job")
        for line in first:
            yield from self._job_line(line)
        for number, lines in enumerate(others, 1):
            yield ""
            yield "  " + self._style.strong(f"job, component {number}") + ": as component 0, but"
            for line in lines:
                if line not in first:
                    yield from self._job_line(line)

    def _job_line(self, line: Line) -> Iterator[str]:
        text = self._speller.text(line.text)
        yield from self._writer.rows.text(line.label, text, self._style.unknown if line.vague else str)

    # --- steps -------------------------------------------------------------------------------------

    def _steps(self) -> Iterator[str]:
        if not self._file.plan.steps:
            yield ""
            yield f"  {self._no_step()}"
        distinct: Counter[Span] = Counter()
        alike: dict[Span, Likeness] = {}
        number = 0
        for step, marks in self._folded():
            distinct[step.line_span] += 1
            if distinct[step.line_span] > _MOST_OF_ONE_LINE:
                continue
            number += 1
            repeated = self._writer.rows.marks(marks)
            yield ""
            title = step_title(self._writer, step)
            yield f"  {self._style.strong(f'step {number}')}  {title}{repeated}"
            own = likeness(self._writer, step, number)
            varied = list(variation(self._writer, own, alike.get(step.line_span)))
            if own is not None and not varied:
                alike[step.line_span] = own
            yield from varied or step_block(self._writer, step).lines
        for span, count in distinct.items():
            rest = count - _MOST_OF_ONE_LINE
            if rest > 0:
                yield ""
                yield f"  {amount(Count(rest), 'more step')} of line {self._line(span)}, with other words"

    def _no_step(self) -> str:
        """Say that there is none, or that none is known."""
        plan = self._file.plan
        dark = [
            program
            for program in plan.host_programs
            if not any(isinstance(leaf, Text) for leaf in program.target.leaves())
        ]
        if plan.incomplete or self._file.unread:
            return "no step is known, but not all of the script could be read"
        if not dark:
            return "no step: the script itself starts nothing with srun"
        lines = sorted({self._line(program.span) for program in dark if program.span is not None})
        where = f": {line_ranges(lines)}" if lines else ""
        return f"no step is known, but not every command is known either{where}"

    def _folded(self) -> list[tuple[Step, list[str]]]:
        """Put together the steps that one line starts and that say the same, and how often, as in a loop.

        A loop whose end is not known starts the first one for sure and others perhaps.
        """
        lines = Counter(step.line_span for step in self._file.plan.steps)
        found: dict[object, list[Step]] = {}
        for step in self._file.plan.steps:
            key: object = step.line_span
            if lines[step.line_span] > 1:
                writer = ProgramWriter(self._file, self._style, self._width)
                key = (step.line_span, step_block(writer, _taken(step)))
            found.setdefault(key, []).append(step)
        return [(steps[0], _repetition(steps)) for steps in found.values()]

    # --- notes -------------------------------------------------------------------------------------

    def _notes(self) -> Iterator[str]:
        notes = list(self._all_notes())
        if notes:
            yield ""
            yield "  " + self._style.strong("notes")
        for note in notes:
            paint = self._style.strong if note.startswith("incomplete:") else str
            yield from (f"    {paint(line)}" for line in folded(note, self._width - 4))

    def _all_notes(self) -> Iterator[str]:
        file = self._file
        if file.plan.incomplete:
            reason = self._speller.text(file.plan.incomplete)
            yield f"incomplete: {reason}; what comes after is missing here"
        for span in file.unread:
            line = self._line(span)
            yield f"incomplete: the statement at line {line} cannot be read: left out"
        if file.plan.may_stop:
            yield "a guard, or a variable that must be set, may stop the script: this is the plan if not"
        if file.plan.by_default:
            yield "a condition is decided by a default: another value (--env) may lead another way"
        for name in file.without_effect:
            yield f"{self._speller.text(name)} does not reach the job: --export or Slurm itself decides"
        if file.request.foreign_problems:
            yield "#PBS or #BSUB lines may change what the job asks for"
        problems = file.refused_options
        if problems:
            what = "a directive is" if problems == 1 else f"{problems} directives are"
            yield f"{what} not understood: see `sbatchlint check`"

    def _line(self, span: Span) -> int:
        return self._file.source.position(span.start).line
