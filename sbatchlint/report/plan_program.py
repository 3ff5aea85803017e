"""One program of the launch plan, for people: the way to it, its surroundings and its command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sbatchlint.certainty import Certainty
from sbatchlint.launch.plan import Arg, Container, Layer, LayerKind, Program, Step
from sbatchlint.launch.values import Text, Value
from sbatchlint.report.plan_containers import containers
from sbatchlint.report.plan_environment import important_first
from sbatchlint.report.plan_model import PlannedFile
from sbatchlint.report.plan_rows import Rows
from sbatchlint.report.plan_words import Kind, Piece, Speller, Word, bare, painted, shortened
from sbatchlint.report.style import Style
from sbatchlint.source import Span

_MOST_VARIABLES = 16
_LONGEST_VALUE = 100
"""Characters of a variable's value that are shown."""
_MOST_PLACES = 10
_HOMES = {True: "mounted", False: "not mounted", None: "as the site is configured"}
_IN_THE_COMMAND = frozenset((LayerKind.LAUNCHER, LayerKind.INTERPRETER, LayerKind.SHELL))
"""Layers that may be the first word of the command line itself."""
_SUBCOMMANDS = {"uv": "run", "poetry": "run", "pixi": "run", "conda": "run", "accelerate": "launch"}


class ProgramWriter:
    """Writes the programs of one file in order: what one has in common with the last is said once."""

    def __init__(self, file: PlannedFile, style: Style, width: int) -> None:
        self.file = file
        self.rows = Rows(style, width)
        self.speller = Speller(file.mask)
        self._told: Mapping[str, str] = {}
        """The environment that was shown last, by name."""

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
                yield from self.container(container)
        yield from self._environment(program, again=before is not None)
        yield from self._layers(program)
        yield from self.command(program)

    def command(self, program: Program, label: str = "command") -> Iterator[str]:
        """Write the command line."""
        words = self.speller.words(program.words)
        yield from self.rows.words(label, words, end=" \\")
        yield from self._defaults(program.words)

    def host_command(self, program: Program, label: str, marks: Sequence[str]) -> Iterator[str]:
        """Write the command line with its containers, and nothing else: how the batch host starts it."""
        words = [*self._around(program), *self.speller.words(program.words)]
        *lines, last = self.rows.words(label, words, end=" \\")
        yield from [*lines, last + self.rows.marks(marks)]
        for container in containers(None, program):
            yield from self.container(container)

    # --- containers --------------------------------------------------------------------------------

    def container(self, container: Container) -> Iterator[str]:
        """Write image, mounts and home of one container."""
        runtime = "" if container.runtime == "pyxis" else f" ({container.runtime})"
        image = painted(self.speller.plain(container.image), self.rows.style) or "?"
        yield from self.rows.row("container", image + runtime)
        mounts = [painted(self.speller.plain(mount), self.rows.style) for mount, _ in container.mounts]
        if not container.mounts_complete:
            mounts.append(self.rows.style.unknown("perhaps more"))
        yield from self.rows.row("  mounts", *(mounts or ["none named"]))
        yield from self.rows.row("  home", _HOMES[container.mounts_home])

    # --- environment -------------------------------------------------------------------------------

    def _environment(self, program: Program, *, again: bool) -> Iterator[str]:
        values = {name: value for name, value, _ in self.file.environment(program)}
        spelled = {name: bare(self._assignment(name, value)) for name, value in values.items()}
        if not spelled:
            self._told = {}
            return
        told, self._told = self._told, spelled
        new = [name for name in important_first(values) if told.get(name) != spelled[name]]
        same = bool(told) and told.keys() <= spelled.keys() and len(new) < len(spelled)
        if same and not new:
            if again:
                return
            yield from self.rows.row("environment", f"as above ({_variables(len(spelled))})")
            return
        names = new if same else important_first(values)
        words = [self._assignment(name, values[name]) for name in names[:_MOST_VARIABLES]]
        rest = len(names) - len(words)
        if rest:
            words.append((Piece(Kind.MARK, f"and {rest} more"),))
        if same:
            words.insert(0, (Piece(Kind.KNOWN, "as above, and"),))
        yield from self.rows.words("environment", words)

    def _assignment(self, name: str, value: Value) -> Word:
        word = self.speller.value(value) if value else ()
        return (Piece(Kind.KNOWN, f"{self.speller.text(name)}="), *shortened(word, _LONGEST_VALUE))

    # --- layers ------------------------------------------------------------------------------------

    def _layers(self, program: Program) -> Iterator[str]:
        words = self._around(program)
        if words:
            command = self.speller.words(program.words[:1]) or [self.speller.plain(program.target)]
            yield from self.rows.words("through", words + command)

    def _around(self, program: Program) -> list[Word]:
        """Spell the layers that the command line does not show itself, each with ``>`` behind it."""
        words: list[Word] = []
        for layer in _around(program):
            words += [*self._layer(layer), (Piece(Kind.MARK, ">"),)]
        return words

    def _layer(self, layer: Layer) -> Iterator[Word]:
        yield (Piece(Kind.KNOWN, self.speller.text(layer.name)),)
        if layer.kind is LayerKind.CONTAINER:
            return
        if layer.name in _SUBCOMMANDS:
            yield (Piece(Kind.KNOWN, _SUBCOMMANDS[layer.name]),)
        for option in layer.options:
            yield self.speller.word(option.arg)
            if option.value_arg is not None and option.value_arg is not option.arg:
                yield self.speller.word(option.value_arg)
        if not layer.complete:
            yield (Piece(Kind.UNKNOWN, "<more options>"),)

    # --- defaults ----------------------------------------------------------------------------------

    def _defaults(self, words: Iterable[Arg]) -> Iterator[str]:
        """Tell where the parts of the command line are written that are defaults or rest on one."""
        assumed = [
            leaf
            for word in words
            for leaf in word.value.leaves()
            if isinstance(leaf, Text) and leaf.certainty is Certainty.ASSUMED
        ]
        lines = sorted({self.file.source.position(leaf.span.start).line for leaf in assumed if leaf.span})
        if assumed:
            where = f" at {line_ranges(lines)}" if lines else ""
            yield from self.rows.row("", self.rows.style.assumed(f"(rests on defaults{where})"))


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


def _variables(count: int) -> str:
    return "1 variable" if count == 1 else f"{count} variables"
