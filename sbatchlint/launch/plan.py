"""The launch plan: what a batch script would really start, and how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.layers import Arg, Container, Layer, LayerKind, LayerOption, Way
from sbatchlint.launch.values import Value, last_part
from sbatchlint.records import dataclass
from sbatchlint.source import Span

if TYPE_CHECKING:
    from sbatchlint.launch.layered import Layered
    from sbatchlint.slurm.geometry import Geometry
    from sbatchlint.slurm.request import JobRequest


@dataclass(frozen=True, slots=True)
class Program:
    """A program at the end of the layers."""

    words: tuple[Arg, ...]
    """Its command line, beginning with the launcher or interpreter if there is one."""
    target: Value
    """The script, the module or the program itself."""
    target_span: Span | None
    is_module: bool
    arguments: tuple[Arg, ...]
    """What follows the target."""
    layers: tuple[Layer, ...]
    """From the outside in; the step's own srun is not among them."""
    environment: Layered[Value]
    """What the script itself sets for the program."""
    environment_spans: Layered[Span]
    span: Span | None
    """Where its first word is written."""
    conditional: bool
    assumed: bool
    """True where it is reached by a decision that rests on a default."""
    code_incomplete: bool = False
    """True where unknown text may add to the command line."""
    folder: str = ""
    """The folder that it is started in, as seen from where the script begins; ``?`` where nobody knows."""

    @property
    def doubtful(self) -> bool:
        """Whether a condition or a default decides if it is started."""
        return self.conditional or self.assumed

    def has_layer(self, *names: str) -> bool:
        """Tell whether something of one of these names starts it (``python``, ``uv``)."""
        return any(layer.name in names for layer in self.layers)

    @property
    def launcher(self) -> Layer | None:
        """The innermost launcher (torchrun, accelerate ...)."""
        for layer in reversed(self.layers):
            if layer.kind is LayerKind.LAUNCHER:
                return layer
        return None

    @property
    def launchers(self) -> tuple[Layer, ...]:
        """All launchers from the outside in."""
        return tuple(layer for layer in self.layers if layer.kind is LayerKind.LAUNCHER)

    @property
    def name(self) -> str | None:
        """The base name of the target, if it is known."""
        return last_part(self.target)


@dataclass(frozen=True, slots=True)
class EarlyExpansion:
    """A per-task variable that the batch shell expanded into a word of a step's command."""

    variable: str
    span: Span
    """The ``$NAME`` in the script."""
    word: Arg
    escapable: bool
    """True where a backslash before the ``$`` hands the expansion to the task and to nothing else."""


class FileUseKind(Enum):
    """What a shell does with a file or a folder."""

    SOURCED = "sourced"
    ENTERED = "entered"
    """``cd``."""
    INPUT = "input"
    """``< FILE``."""


@dataclass(frozen=True, slots=True)
class FileUse:
    """A file that a shell reads itself, or a folder that it goes to."""

    kind: FileUseKind
    path: Value
    folder: str
    """The folder that the shell is in before, as that of a program."""
    span: Span | None
    """Where the command is written."""
    layers: tuple[Layer, ...]
    conditional: bool
    assumed: bool
    tested: bool
    """True where something else looks at whether it fails."""
    modes: frozenset[str] | None = None
    """The shell's options (``errexit``) behind a sourced file that is followed; None for all else."""
    command: Span | None = None
    """The whole command, or the word that stands for it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One srun."""

    words: tuple[Arg, ...]
    span: Span
    """Where ``srun`` is written, or the word that stands for it."""
    line_span: Span
    """The command that starts it."""
    options: tuple[LayerOption, ...]
    options_complete: bool
    """False where unknown words may hold more options."""
    geometry: Geometry
    container: Container | None
    programs: tuple[Program, ...]
    early: tuple[EarlyExpansion, ...]
    background: bool
    conditional: bool
    assumed: bool
    nested: bool
    """True for an srun inside another step."""
    component: int | None = None
    """Its place on a line of several (``srun A : B``), which Slurm starts as one step of so many parts."""
    environment_options: tuple[LayerOption, ...] = ()
    """What variables that the script has set say in place of options that the line does not have
    (``SLURM_MPI_TYPE=pmix``); not certain where the release decides whether srun reads the variable."""
    folder: str = ""
    """The folder that srun is called in, as that of a program."""
    file_uses: tuple[FileUse, ...] = ()
    """What its shells read and where they go."""

    @property
    def doubtful(self) -> bool:
        """Whether a condition or a default decides if it is started."""
        return self.conditional or self.assumed

    def effective(self, name: str) -> LayerOption | None:
        """The long option *name* as it counts: the line's own, else that of a variable of the script."""
        return self.get(name) or next((o for o in self.environment_options if o.name == name), None)

    def get(self, name: str) -> LayerOption | None:
        """The last use of the long option *name* on the line."""
        for use in reversed(self.options):
            if use.name == name:
                return use
        return None


class JobText(Enum):
    """Where the script of a job that a script submits comes from."""

    ITSELF = "itself"
    """The script submits itself again."""
    FILE = "file"
    WRAP = "wrap"
    """``sbatch --wrap``."""
    INPUT = "input"
    """A here-document or a pipe."""
    COMMAND = "command"
    """``salloc`` starts a command of its own line."""


@dataclass(frozen=True, slots=True)
class Submission:
    """A job of its own that a script asks Slurm for: ``sbatch other.sh``, ``salloc -N2 srun ...``."""

    command: str
    """``sbatch`` or ``salloc``."""
    words: tuple[Arg, ...]
    span: Span
    """Where the command is written."""
    text: JobText
    file: Value | None
    """The file's name, where there is one."""
    request: JobRequest | None
    """What that job asks for; None where its script is not known."""
    plan: LaunchPlan | None
    """What that job starts; None where its script is not known or is followed elsewhere."""
    conditional: bool
    assumed: bool
    in_task: bool
    """True where it is submitted inside a step, once per task."""
    folder: str = ""
    """The folder that it is submitted from, as that of a program."""

    @property
    def doubtful(self) -> bool:
        """Whether a condition or a default decides if it is submitted."""
        return self.conditional or self.assumed


@dataclass(frozen=True, slots=True)
class Cut:
    """A place from which on, or in which, the script was not followed."""

    reason: str
    span: Span
    again: bool = False
    """True where the same was followed before: code that runs itself again."""
    whole: bool = False
    """True where nothing was followed from there on."""


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """Everything that a script starts."""

    steps: tuple[Step, ...] = ()
    host_programs: tuple[Program, ...] = ()
    """Programs that the batch shell starts itself, on the batch host."""
    submissions: tuple[Submission, ...] = ()
    """Jobs of their own that the script submits; their steps are not among the script's."""
    incomplete: str = ""
    """Why the script was not followed to its end; empty where it was."""
    cuts: tuple[Cut, ...] = ()
    """Where it was not."""
    variables: Mapping[str, Value] = field(default_factory=dict)
    """The batch shell's variables at the end of the script; an array's is its element 0."""
    arrays: Mapping[str, tuple[tuple[str, Value], ...]] = field(default_factory=dict)
    """The batch shell's arrays at the end of the script: their elements in order, by key."""
    by_default: bool = False
    """True where a decision rests on a default: the environment may make the script go another way, whose
    programs are not listed."""
    may_stop: bool = False
    """True where the script may end early and the plan goes on as if it did not: a guard's ``exit``, a
    variable that is required, a blank that is taken as filled in."""
    file_uses: tuple[FileUse, ...] = ()
    """What the shells of the batch host read and where they go."""
    written: frozenset[str] = frozenset()
    """Files that the script writes itself, by their names as seen from where it begins."""

    def programs(self) -> Iterator[tuple[Step | None, Program]]:
        """Every program, with its step or None for the batch host."""
        for step in self.steps:
            for program in step.programs:
                yield step, program
        for program in self.host_programs:
            yield None, program


__all__ = [
    "Arg",
    "Certainty",
    "Container",
    "Cut",
    "EarlyExpansion",
    "FileUse",
    "FileUseKind",
    "JobText",
    "LaunchPlan",
    "Layer",
    "LayerKind",
    "LayerOption",
    "Program",
    "Step",
    "Submission",
    "Way",
]
