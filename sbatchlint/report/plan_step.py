"""One step of the launch plan, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from sbatchlint.launch.options import unknown_is_options
from sbatchlint.launch.plan import Arg, Program, Step
from sbatchlint.records import dataclass
from sbatchlint.report.cells import shown
from sbatchlint.report.plan_model import is_telling
from sbatchlint.report.plan_parallelism import layout_rows
from sbatchlint.report.plan_program import ProgramWriter
from sbatchlint.report.plan_size import Size, request_of, size_line, size_of
from sbatchlint.report.plan_words import Kind, Piece, Speller
from sbatchlint.source import Span

_SAID_ELSEWHERE = frozenset(
    "nodes ntasks ntasks-per-node container-image container-mounts container-mount-home "
    "no-container-mount-home".split()
)
_MOST_PROGRAMS = 6
_MOST_OF_ONE_PLACE = 2
_MOST_NAMES = 8
FEWEST_TOGETHER = 3
"""So many small programs of one shell are told by name in one row."""


@dataclass(frozen=True, slots=True)
class StepBlock:
    """A step as it is shown, without its number."""

    title: str
    lines: tuple[str, ...]


def step_block(writer: ProgramWriter, step: Step) -> StepBlock:
    """Write one step."""
    return StepBlock(step_title(writer, step), tuple(_Block(writer, step).lines()))


def step_title(writer: ProgramWriter, step: Step) -> str:
    """Say where a step is written and what is special about it."""
    where = f"{shown(writer.file.source.path)}:{writer.file.source.position(step.span.start).line}"
    return where + writer.rows.marks(_marks(step))


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
    elif step.component is not None:
        found.insert(0, f"component {step.component}")
    return found


class _Block:
    def __init__(self, writer: ProgramWriter, step: Step) -> None:
        self._writer = writer
        self._rows = writer.rows
        self._step = step
        self._programs = shown_programs(step.programs)
        kept, more = without_repetition(self._programs)
        self._shown = kept[:_MOST_PROGRAMS]
        shown_spans = {program.span for program in self._shown}
        self._more = {span: count for span, count in more.items() if span in shown_spans}

    def lines(self) -> Iterator[str]:
        if self._step.get("multi-prog") is not None and not self._programs:
            yield from self._of_file()
            return
        only = self._programs[0] if len(self._programs) == 1 else None
        size = size_of(self._writer.file.request, self._step, only)
        yield from self._size(size)
        yield from self._options()
        yield from self._by_variables()
        if len(self._programs) >= FEWEST_TOGETHER and not any(map(is_telling, self._programs)):
            yield from self._together()
            return
        before = None
        for program in self._shown:
            if only is None:
                yield from self._own_size(program)
            yield from layout_rows(self._rows, self._writer.file, self._step, program)
            yield from self._writer.rows_of(self._step, program, before)
            yield from self._program_marks(program)
            before = program
        if not self._programs and self._step.container is not None:
            yield from self._writer.container(self._step.container, self._step)
        yield from self._rest()
        yield from self._early()

    def _by_variables(self) -> Iterator[str]:
        """Write what variables of the script say in place of options of the line."""
        words = [
            (
                Piece(Kind.KNOWN, f"--{option.name}="),
                *(self._writer.speller.value(option.value) if option.value else ()),
                *((Piece(Kind.MARK, "?"),) if not option.certain else ()),
            )
            for option in self._step.environment_options
        ]
        if words:
            note = (Piece(Kind.MARK, "(by variables of the script)"),)
            yield from self._rows.words("", [*words, note])

    def _together(self) -> Iterator[str]:
        """Write nothing but small programs in one row."""
        if self._step.container is not None:
            yield from self._writer.container(self._step.container, self._step)
        yield from self._writer.environment.write(self._programs[0], again=False)
        yield from together(self._writer, "command", self._programs)
        yield from self._early()

    def _of_file(self) -> Iterator[str]:
        """Write a step whose tasks find their programs in a file that is not at hand (``--multi-prog``)."""
        yield from self._size(size_of(self._writer.file.request, self._step, None))
        yield from self._options()
        text = "what a file says of each task:"
        yield from self._rows.words(
            "command", [(Piece(Kind.MARK, text),), *self._writer.speller.words(self._operands()[:1])]
        )

    def _operands(self) -> list[Arg]:
        """Return what follows srun's own options."""
        values = {
            id(word.value)
            for use in self._step.options
            for word in (use.arg, use.value_arg)
            if word is not None
        }
        return [word for word in self._step.words[1:] if id(word.value) not in values]

    def _options(self) -> Iterator[str]:
        options = srun_options(self._step)
        if options:
            yield from self._rows.words("options", self._writer.speller.words(options))
            yield from self._writer.defaults(word.value for word in options)

    def _size(self, size: Size) -> Iterator[str]:
        yield from self._rows.text("size", self._size_line(size), self._rows.style.strong)

    def _size_line(self, size: Size) -> str:
        request = request_of(self._writer.file.request, self._step)
        return size_line(size, asks_for_gpus=request.asks_for_gpus)

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
            yield from self._rows.text("size", self._size_line(size))

    def _rest(self) -> Iterator[str]:
        """Tell what is not shown in full."""
        for span, count in self._more.items():
            where = self._writer.line(span)
            yield from self._rows.row("", f"{count} more such commands of {where}, with other words")
        rest = [
            program
            for program in self._step.programs
            if program.span not in self._more and not any(_same(program, other) for other in self._shown)
        ]
        if rest:
            yield from self._rows.text("besides", counted(self._writer.speller, rest))
        elif not self._step.programs:
            yield from self._without_program()

    def _without_program(self) -> Iterator[str]:
        """Tell of a command that starts no program, as a shell that is given built-in commands only."""
        words = self._operands() if self._step.options_complete else []
        if not words:
            yield from self._rows.row("command", self._rows.style.unknown("none that is known"))
            return
        yield from self._rows.words("command", self._writer.speller.words(words), end=" \\")
        yield from self._rows.row("", self._rows.marks(["which starts no other program"]).strip())

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


def without_repetition(programs: Sequence[Program]) -> tuple[list[Program], Counter[Span]]:
    """Return the first few programs of each place, and how many more each place starts."""
    seen: Counter[Span] = Counter()
    kept: list[Program] = []
    for program in programs:
        if program.span is not None:
            seen[program.span] += 1
            if seen[program.span] > _MOST_OF_ONE_PLACE:
                continue
        kept.append(program)
    more = Counter({span: count - _MOST_OF_ONE_PLACE for span, count in seen.items()})
    return kept, +more


def _same(program: Program, other: Program) -> bool:
    """Tell whether two programs have one command line and come from one place."""
    return program.span == other.span and program.words == other.words


def counted(speller: Speller, programs: Iterable[Program]) -> str:
    """Count programs by name, those of a loop once: ``echo, mkdir (3)``."""
    places = dict.fromkeys(
        (speller.text(program.target.show().rsplit("/", 1)[-1])[:30], program.span) for program in programs
    )
    names = Counter(name for name, _ in places)
    texts = [name if count == 1 else f"{name} ({count})" for name, count in names.items()]
    more = f" and {len(texts) - _MOST_NAMES} more" if len(texts) > _MOST_NAMES else ""
    return ", ".join(texts[:_MOST_NAMES]) + more


def together(writer: ProgramWriter, label: str, programs: Sequence[Program]) -> Iterator[str]:
    """Write small programs in one row: what is around the first of them, and their names."""
    names = [(Piece(Kind.KNOWN, word),) for word in counted(writer.speller, programs).split(" ")]
    yield from writer.rows.words(label, [*writer.around(programs[0]), *names])


def srun_options(step: Step) -> list[Arg]:
    """Return the words of srun's own options but for those that the size and the container tell."""
    option_of: dict[int, str] = {}
    for option in step.options:
        for arg in (option.arg, option.value_arg):
            if arg is not None:
                option_of[id(arg.value)] = option.name  # the word itself may be one of several here
    own: list[Arg] = []
    for index, arg in enumerate(step.words[1:], 1):
        name = option_of.get(id(arg.value))
        if name is None and not _is_unknown_option(step, index, arg):
            break
        if name not in _SAID_ELSEWHERE:
            own.append(arg)
    return own


def _is_unknown_option(step: Step, index: int, arg: Arg) -> bool:
    return not step.options_complete and arg.text is None and unknown_is_options(step.words, index)
