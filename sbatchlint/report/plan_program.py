"""One program of the launch plan, for people: the way to it, its surroundings and its command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sbatchlint.certainty import Certainty
from sbatchlint.launch.plan import Container, Layer, LayerKind, Program, Step
from sbatchlint.launch.values import Text, Value
from sbatchlint.regex import regex
from sbatchlint.report.plan_containers import containers, may_mount_more
from sbatchlint.report.plan_environment import EnvironmentWriter
from sbatchlint.report.plan_layout import painted
from sbatchlint.report.plan_model import PlannedFile
from sbatchlint.report.plan_rows import Rows
from sbatchlint.report.plan_words import Kind, Piece, Speller, Word
from sbatchlint.report.style import Style
from sbatchlint.source import Span

_MOST_PLACES = 10
_SOURCES = regex(r"(source|\.)\s")
_HOMES = {True: "mounted", False: "not mounted", None: "as the site is configured"}
_IN_THE_COMMAND = frozenset((LayerKind.LAUNCHER, LayerKind.INTERPRETER, LayerKind.SHELL))
"""Layers that may be the first word of the command line itself."""
_SUBCOMMANDS = {"accelerate": "launch"}
"""What a launcher does where another spelling of it has no word for that (``accelerate-launch``)."""


class ProgramWriter:
    """Writes the programs of one file in order: what one has in common with the last is said once."""

    def __init__(self, file: PlannedFile, style: Style, width: int) -> None:
        self.file = file
        self.rows = Rows(style, width)
        self.speller = Speller(file.mask)
        self.environment = EnvironmentWriter(file, self.rows, self.speller)

    def line(self, span: Span | None) -> str:
        """Return ``line 12``; empty where the place is not known."""
        return "" if span is None else f"line {self.file.source.position(span.start).line}"

    def rows_of(self, step: Step | None, program: Program, before: Program | None = None) -> Iterator[str]:
        """Write containers, environment, the way to the program, and its command line.

        *before* is the program of the same step that was written last: what the two share is left out.
        """
        around = list(containers(step, program))
        if before is None or around != list(containers(step, before)):
            for container in around:
                yield from self.container(container, step)
        yield from self.environment.write(program, again=before is not None)
        yield from self._layers(program)
        yield from self.command(program)

    def command(self, program: Program, label: str = "command") -> Iterator[str]:
        """Write the command line."""
        words = self.speller.words(program.words)
        yield from self.rows.words(label, words, end=" \\")
        yield from self.defaults(word.value for word in program.words)

    def host_command(
        self, program: Program, label: str, marks: Sequence[str], before: Program | None
    ) -> Iterator[str]:
        """Write the command line with what is around it: how the batch host starts it.

        *before* is the program of the batch host that was written last: what the two share is left out.
        """
        words = [*self.around(program), *self.speller.words(program.words)]
        *lines, last = self.rows.words(label, words, end=" \\")
        yield from [*lines, last + self.rows.marks(marks)]
        yield from self.defaults(word.value for word in program.words)
        around = list(containers(None, program))
        if before is None or around != list(containers(None, before)):
            for container in around:
                yield from self.container(container, None)
        yield from self.environment.write(program, again=True)

    # --- containers --------------------------------------------------------------------------------

    def container(self, container: Container, step: Step | None) -> Iterator[str]:
        """Write image, mounts and home of a container of *step*, or of the batch host's."""
        runtime = "" if container.runtime == "pyxis" else f" ({container.runtime})"
        image = painted(self.speller.plain(container.image), self.rows.style) or "?"
        yield from self.rows.row("container", image + runtime)
        mounts = [painted(self.speller.plain(mount), self.rows.style) for mount, _ in container.mounts]
        if may_mount_more(step, container):
            mounts.append(self.rows.style.unknown("perhaps more"))
        yield from self.rows.row("  mounts", *(mounts or ["none named"]))
        yield from self.rows.row("  home", _HOMES[container.mounts_home])
        if container.workdir is not None:
            folder = painted(self.speller.plain(container.workdir), self.rows.style)
            yield from self.rows.row("  starts in", folder)
        if container.environment:
            sets = [self.environment.assignment(name, value) for name, value, _ in container.environment]
            yield from self.rows.words("  sets", sets)
        yield from self.defaults([container.image, *(mount for mount, _ in container.mounts)])

    # --- layers ------------------------------------------------------------------------------------

    def _layers(self, program: Program) -> Iterator[str]:
        if any(layer.kind is not LayerKind.CONTAINER for layer in _around(program)):
            yield from self.rows.words("through", self.around(program)[:-1])

    def around(self, program: Program) -> list[Word]:
        """Spell the layers that the command line does not show itself, each with ``->`` behind it."""
        words: list[Word] = []
        for layer in _around(program):
            words += [*self._layer(layer), (Piece(Kind.MARK, "->"),)]
        return words

    def _layer(self, layer: Layer) -> Iterator[Word]:
        yield (Piece(Kind.KNOWN, self.speller.text(layer.name)),)
        if layer.kind is LayerKind.CONTAINER:
            return
        subcommand = layer.subcommand or _SUBCOMMANDS.get(layer.name, "")
        if subcommand:
            yield (Piece(Kind.KNOWN, subcommand),)
        for option in layer.options:
            yield self.speller.word(option.arg)
            if option.value_arg is not None and option.value_arg is not option.arg:
                yield self.speller.word(option.value_arg)
            if option.second is not None:
                yield self.speller.word(option.second)
        if not layer.complete:
            yield (Piece(Kind.UNKNOWN, "<more options>"),)
        for operand in layer.operands:
            yield self.speller.word(operand)

    # --- defaults ----------------------------------------------------------------------------------

    def defaults(self, values: Iterable[Value]) -> Iterator[str]:
        """Tell where those parts of *values* are written that are defaults or rest on one, or on a file."""
        assumed = [
            leaf.span
            for value in values
            for leaf in value.leaves()
            if isinstance(leaf, Text) and leaf.certainty is Certainty.ASSUMED
        ]
        spans = [span for span in assumed if span is not None]
        sourced = {span for span in spans if _SOURCES.match(self.file.source.text, span.start)}
        told = []
        if sourced != set(spans) or (assumed and not spans):
            told.append("rests on defaults" + self._at([span for span in spans if span not in sourced]))
        if sourced:
            told.append("taken from the file sourced" + self._at(sourced))
        for each in told:
            yield from self.rows.row("", self.rows.style.assumed(f"({each})"))

    def _at(self, spans: Iterable[Span]) -> str:
        lines = sorted({self.file.source.position(span.start).line for span in spans})
        return f" at {line_ranges(lines)}" if lines else ""


def line_ranges(lines: Sequence[int]) -> str:
    """Say sorted line numbers: ``lines 3, 7-9``."""
    runs: list[list[int]] = []
    for line in lines:
        if runs and runs[-1][-1] == line - 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    texts = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]
    if len(texts) > _MOST_PLACES:
        texts = [*texts[:_MOST_PLACES], "..."]
    return ("line " if len(lines) == 1 else "lines ") + ", ".join(texts)


def _around(program: Program) -> list[Layer]:
    """Return the layers that the command line does not show itself."""
    first = program.words[0] if program.words else None
    return [
        layer
        for layer in program.layers
        if layer.kind not in _IN_THE_COMMAND or first is None or layer.span != first.place
    ]
