"""One step of the launch plan, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sbatchlint.launch.options import unknown_is_options
from sbatchlint.launch.plan import Arg, Program, Step
from sbatchlint.report.cells import shown
from sbatchlint.report.plan_model import is_telling
from sbatchlint.report.plan_program import ProgramWriter
from sbatchlint.report.plan_size import Size, size_line, size_of
from sbatchlint.report.plan_words import Kind, Piece, Speller, Word

_SAID_ELSEWHERE = frozenset(
    "nodes ntasks ntasks-per-node container-image container-mounts container-mount-home "
    "no-container-mount-home".split()
)
_MOST_PROGRAMS = 6
_MOST_NAMES = 8


@dataclass(frozen=True, slots=True)
class StepBlock:
    """A step as it is shown, without its number."""

    title: str
    lines: tuple[str, ...]


def step_block(writer: ProgramWriter, step: Step) -> StepBlock:
    """Write one step."""
    where = f"{shown(writer.file.source.path)}:{writer.file.source.position(step.span.start).line}"
    return StepBlock(where + writer.rows.marks(_marks(step)), tuple(_Block(writer, step).lines()))


def _marks(step: Step) -> list[str]:
    marks = {
        "in the background": step.background,
        "inside another step": step.nested,
        "may not run": step.conditional,
        "rests on a default": step.assumed,
    }
    group = step.get("het-group")
    found = [mark for mark, applies in marks.items() if applies]
    if group is not None and group.value is not None:
        found.insert(0, f"component {shown(group.value.show())}")
    return found


class _Block:
    def __init__(self, writer: ProgramWriter, step: Step) -> None:
        self._writer = writer
        self._rows = writer.rows
        self._step = step
        self._programs = shown_programs(step.programs)

    def lines(self) -> Iterator[str]:
        if self._step.get("multi-prog") is not None and not self._programs:
            yield from self._of_file()
            return
        only = self._programs[0] if len(self._programs) == 1 else None
        size = size_of(self._writer.file.request, self._step, only)
        yield from self._rows.row("size", self._rows.style.strong(self._size_line(size)))
        options = srun_options(self._writer.speller, self._step)
        if options:
            yield from self._rows.words("options", options)
        before = None
        for program in self._programs[:_MOST_PROGRAMS]:
            if only is None:
                yield from self._own_size(program)
            yield from self._writer.rows_of(self._step, program, before)
            yield from self._program_marks(program)
            before = program
        if not self._programs and self._step.container is not None:
            yield from self._writer.container(self._step.container)
        yield from self._rest()
        yield from self._early()

    def _of_file(self) -> Iterator[str]:
        """Write a step whose tasks find their programs in a file that is not at hand (``--multi-prog``)."""
        size = size_of(self._writer.file.request, self._step, None)
        yield from self._rows.row("size", self._rows.style.strong(self._size_line(size)))
        yield from self._rows.words("options", srun_options(self._writer.speller, self._step))
        of_options = {id(word) for use in self._step.options for word in (use.arg, use.value_arg)}
        operands = [word for word in self._step.words[1:] if id(word) not in of_options]
        names = [self._writer.speller.word(word) for word in operands[:1]]
        text = "what a file says of each task:"
        yield from self._rows.words("command", [(Piece(Kind.MARK, text),), *names])

    def _size_line(self, size: Size) -> str:
        return size_line(size, asks_for_gpus=self._writer.file.request.asks_for_gpus)

    def _program_marks(self, program: Program) -> Iterator[str]:
        marks = []
        if program.conditional and not self._step.conditional:
            marks.append("may not run, or not in each task")
        times = sum(_same(program, other) for other in self._step.programs)
        if times > 1:
            marks.append(f"{times} times")
        if marks:
            yield from self._rows.row("", self._rows.marks(marks).strip())

    def _own_size(self, program: Program) -> Iterator[str]:
        size = size_of(self._writer.file.request, self._step, program)
        if size.launcher is not None or size.world is not None:
            yield from self._rows.row("size", self._size_line(size))

    def _rest(self) -> Iterator[str]:
        """Tell what is not shown in full."""
        shown_ones = self._programs[:_MOST_PROGRAMS]
        rest = [
            program
            for program in self._step.programs
            if not any(_same(program, shown_one) for shown_one in shown_ones)
        ]
        if rest:
            yield from self._rows.row("besides", counted(self._writer.speller, rest))
        elif not self._step.programs:
            yield from self._rows.row("command", self._rows.style.unknown("none that is known"))

    def _early(self) -> Iterator[str]:
        for early in self._step.early:
            where = self._writer.line(early.span)
            text = f"the batch shell fills in ${early.variable} ({where}), once: the same for every task"
            yield from self._rows.row("note", self._rows.marks([text]).strip())


def shown_programs(programs: Sequence[Program]) -> list[Program]:
    """Return the programs that are shown in full: the telling ones, or all where none is, each once."""
    found: list[Program] = []
    for program in [program for program in programs if is_telling(program)] or programs:
        if not any(_same(program, other) for other in found):
            found.append(program)
    return found


def _same(program: Program, other: Program) -> bool:
    """Tell whether two programs have one command line and come from one place."""
    return program.span == other.span and program.words == other.words


def counted(speller: Speller, programs: Iterable[Program]) -> str:
    """Count programs by name: ``echo, mkdir (3)``."""
    names = Counter(speller.text(program.target.show().rsplit("/", 1)[-1])[:30] for program in programs)
    texts = [name if count == 1 else f"{name} ({count})" for name, count in names.items()]
    more = f" and {len(texts) - _MOST_NAMES} more" if len(texts) > _MOST_NAMES else ""
    return ", ".join(texts[:_MOST_NAMES]) + more


def srun_options(speller: Speller, step: Step) -> list[Word]:
    """Spell srun's own options but for those that the size and the container tell."""
    option_of: dict[int, str] = {}
    for option in step.options:
        for arg in (option.arg, option.value_arg):
            if arg is not None:
                option_of[id(arg)] = option.name
    words: list[Word] = []
    for index, arg in enumerate(step.words[1:], 1):
        name = option_of.get(id(arg))
        if name is None and not _is_unknown_option(step, index, arg):
            break
        if name not in _SAID_ELSEWHERE:
            words.append(speller.word(arg))
    return words


def _is_unknown_option(step: Step, index: int, arg: Arg) -> bool:
    return not step.options_complete and arg.text is None and unknown_is_options(step.words, index)
