"""What is to be converted: the one program of a command line or of a file, found by the evaluation."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from sbatchlint.convert.accelerate_config import AccelerateConfig, accelerate_config
from sbatchlint.convert.not_carried import PER_NODE, complain_of_layers, complain_of_strings
from sbatchlint.convert.notebook import without_marks
from sbatchlint.convert.refusal import Note, Refused
from sbatchlint.convert.secret_values import without_secrets
from sbatchlint.convert.statements import Around, around, refuse_blanks
from sbatchlint.convert.words import Writer
from sbatchlint.launch.layers import Arg, Layer, LayerKind, LayerOption
from sbatchlint.launch.plan import LaunchPlan, Program
from sbatchlint.launch.values import Value
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.shell.syntax import Command
from sbatchlint.source import Source, Span
from sbatchlint.training.frameworks import Framework, recognise
from sbatchlint.training.runs import training_run

_OF_SLURM = {
    "srun": "it starts a step of a Slurm job already",
    "sbatch": "it submits a job itself",
    "salloc": "it asks for a job itself",
}
_STARTERS = frozenset({*PER_NODE, "uv", "python", "python3", "env", "bash", "sh", "mpirun", "mpiexec"})
"""What is nothing without something to start."""


@dataclass(frozen=True, slots=True)
class Given:
    """A command, read and understood as far as its words go."""

    source: Source
    """The text without its tokens."""
    program: Program
    framework: Framework
    least_world: int | None
    """The least number of ranks that the layout it is given needs; None where nothing is told."""
    launcher: Layer | None
    wrappers: tuple[Layer, ...]
    """What stands around the launcher or the interpreter, from the outside in, without ``uv run``."""
    uv: Layer | None
    around: Around
    own_environment: Mapping[str, Value]
    """Variables that the command line itself sets."""
    secrets: tuple[str, ...]
    notes: tuple[Note, ...]
    config: AccelerateConfig | None = None
    """The file that `accelerate launch` is given."""

    @property
    def setup(self) -> tuple[Command, ...]:
        """The statements that go along, in order."""
        return self.around.before

    @property
    def target_index(self) -> int:
        """Where the script, module or program stands among the words of the program."""
        return max(len(self.program.words) - len(self.program.arguments) - 1, 0)

    @property
    def writer(self) -> Writer:
        """What writes the words of the program."""
        head = [arg.span for arg in self.program.words[: self.target_index] if arg.span is not None]
        layers = [layer.span for layer in self.program.layers if layer.span is not None]
        shared = frozenset([*head, *layers])
        tokens = frozenset(self.secrets)
        return Writer(self.source, self.around.command, shared, tokens, self.around.lost)


def read_command(given: Source, folder: str = ".") -> Given:
    """Read *given*, a command line or a shell script, without running any of it.

    *folder* is where it would be typed.

    Raises Refused where there is not one program to be converted, or it can't be carried over.
    """
    cleaned = without_secrets(without_marks(given))
    job = Job(cleaned.source)
    if job.script.unparsed:
        refuse_blanks(job.source)
        line = job.source.position(job.script.unparsed[0].span.start).line
        raise Refused(f"line {line}", "this is not understood as shell; is a quote missing?")
    if job.request.directives.lines:
        raise Refused("#SBATCH", "this is a batch script already: `sbatchlint FILE` checks it")
    if job.plan.incomplete:
        raise Refused(given.path, f"it can't be followed: {job.plan.incomplete}")
    program = _chosen(job.plan, job.source)
    complain_of_layers(program)
    found = around(job.source, job.script, _place(program))
    complain_of_strings(program, found.command, job.source)
    launcher = program.launcher
    uv = next((layer for layer in program.layers if layer.name == "uv"), None)
    run = training_run(None, program)
    least = run.layout.least_world if run is not None else None
    return Given(
        job.source,
        program,
        recognise(program),
        least if least is not None and least > 1 else None,
        launcher,
        tuple(_wrappers(program)),
        uv,
        found,
        dict(_own_environment(program, found.command.span)),
        cleaned.variables,
        (*cleaned.notes, *found.notes),
        accelerate_config(launcher, os.path.join(folder, program.folder), folder, "."),
    )


def _chosen(plan: LaunchPlan, source: Source) -> Program:
    """Return the program that is meant: the one with a launcher, else that of Python, else the only one."""
    if plan.steps or plan.submissions:
        name = "srun" if plan.steps else plan.submissions[0].command
        raise Refused(name, f"{_OF_SLURM[name]}; `sbatchlint FILE` checks such a script")
    programs = list(plan.host_programs)
    launched = [one for one in programs if one.launcher is not None]
    python = [one for one in programs if _is_python(one)]
    candidates = launched or python or programs
    if not candidates or (len(candidates) == 1 and candidates[0].name in _STARTERS):
        refuse_blanks(source)
        raise Refused("the command", "it starts no program")
    if len(candidates) > 1 and len({_place(one) for one in candidates}) == 1:
        line = source.position(_place(candidates[0]).start).line
        raise Refused(
            f"line {line}", "a loop starts it more than once; give one of the commands, a job for each"
        )
    if len(candidates) > 1:
        lines = [source.position(_place(one).start).line for one in candidates]
        raise Refused(
            f"line {lines[1]}",
            f"there are {len(candidates)} programs that may be meant (lines "
            f"{', '.join(map(str, sorted(set(lines))))}); give the one to be converted alone",
        )
    return candidates[0]


def _is_python(program: Program) -> bool:
    last = program.layers[-1] if program.layers else None
    if last is not None and last.kind is LayerKind.INTERPRETER:
        return last.name == "python"
    return (program.name or "").endswith(".py")


def _place(program: Program) -> Span:
    word = program.words[0].span if program.words else None
    layer = program.layers[0].span if program.layers else None
    return word or layer or program.span or Span(0, 0)


def _wrappers(program: Program) -> Iterator[Layer]:
    for layer in program.layers:
        if layer.kind is LayerKind.LAUNCHER:
            return
        if layer.kind is LayerKind.WRAPPER and layer.name != "uv":
            yield layer


def _own_environment(program: Program, command: Span) -> Iterator[tuple[str, Value]]:
    for name, value in program.environment.items():
        span = program.environment_spans.get(name)
        if span is not None and span in command:
            yield name, value


def layer_words(layer: Layer, source: Source) -> tuple[Arg | str, ...]:
    """Return the words of *layer*'s own command line: its name as written, subcommand, options, operands."""
    written = source.slice(layer.span) if layer.span is not None else layer.name
    name = written if written.rpartition("/")[2] == layer.name else layer.name
    words: list[Arg | str] = [name, *layer.subcommand.split()]
    words += option_words(layer.options)
    return (*words, *layer.operands)


def option_words(options: Sequence[LayerOption]) -> list[Arg | str]:
    """Return the words that hold *options*, each once."""
    words: list[Arg | str] = []
    for option in options:
        for arg in (option.arg, option.value_arg, option.second):
            if arg is not None and not any(arg is word for word in words):
                words.append(arg)
    return words


__all__ = ["Given", "layer_words", "option_words", "read_command"]
