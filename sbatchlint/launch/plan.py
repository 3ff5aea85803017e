"""The launch plan: what a batch script would really start, and how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.values import Value, last_part
from sbatchlint.source import Span

if TYPE_CHECKING:
    from sbatchlint.slurm.geometry import Geometry
    from sbatchlint.slurm.request import JobRequest


@dataclass(frozen=True, slots=True)
class Way:
    """One of several lists of words that may stand at a place of a command line."""

    choice: Value
    """What the script does not decide: the same value decides the same way wherever it is used."""
    number: int
    of: int
    """How many ways there are, those without a word included."""
    optional: bool = False
    """True where the word may be missing even on its own way."""


@dataclass(frozen=True, slots=True)
class Arg:
    """One word of a command line."""

    value: Value
    span: Span | None = None
    """Where the word that gave it is written on the command's own line."""
    optional: bool = False
    """True where one way through the script leaves the word out."""
    open: bool = False
    """True for unknown text without quotes: it may be any number of words."""
    splits: bool = False
    """True where assumed text without quotes was split here: in truth there may be more words, or fewer."""
    way: Way | None = field(default=None, compare=False)
    """The way that the word belongs to, where it is optional because it stands on one of several."""

    @property
    def text(self) -> str | None:
        """The word, if it is wholly known and is always there."""
        return None if self.optional or self.open else self.value.text

    @property
    def place(self) -> Span | None:
        """The best place to point to: where its text was written, else where it is used."""
        return self.value.span or self.span


@dataclass(frozen=True, slots=True)
class LayerOption:
    """An option on the command line of a step, wrapper or launcher, as the plan sees it."""

    name: str
    """The long name without dashes, words joined by hyphens (``nproc-per-node``)."""
    value: Value | None
    arg: Arg
    """The word that holds the name."""
    value_arg: Arg | None = None
    """The word that holds the value: the same one where it is glued."""

    @property
    def certain(self) -> bool:
        """True where the option is on the command line whatever way the script goes."""
        return not self.arg.optional


class LayerKind(Enum):
    """What a layer between srun and the program does."""

    STEP = "step"
    WRAPPER = "wrapper"
    SHELL = "shell"
    CONTAINER = "container"
    LAUNCHER = "launcher"
    INTERPRETER = "interpreter"


@dataclass(frozen=True, slots=True)
class Layer:
    """One command that starts the next one."""

    name: str
    kind: LayerKind
    span: Span | None
    options: tuple[LayerOption, ...] = ()
    complete: bool = True
    """False where unknown words may hold more options."""

    def get(self, *names: str) -> LayerOption | None:
        """The last use of any of *names*, or None."""
        for use in reversed(self.options):
            if use.name in names:
                return use
        return None

    def all(self, *names: str) -> list[LayerOption]:
        """Every use of any of *names*, in order."""
        return [use for use in self.options if use.name in names]


@dataclass(frozen=True, slots=True)
class Container:
    """The container that a step's tasks run in."""

    runtime: str
    """``pyxis``, ``apptainer``, ``docker`` ..."""
    image: Value
    span: Span | None
    mounts: tuple[tuple[Value, Span | None], ...] = ()
    """Mount specifications as written, one each."""
    mounts_complete: bool = True
    """False where a part of the mounts is not known."""
    mounts_home: bool | None = None
    """Whether the home folder is mounted; None where the site decides."""
    kept_variables: frozenset[str] = frozenset()
    """Names given to ``--container-env``: the step's value wins over the image's."""
    workdir: Value | None = None
    """The folder that its command starts in, where an option says it."""
    environment: tuple[tuple[str, Value, Span | None], ...] = ()
    """Variables that options of the container's own command set in it."""


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
    environment: Mapping[str, Value]
    """What the script itself sets for the program."""
    environment_spans: Mapping[str, Span]
    span: Span | None
    """Where its first word is written."""
    conditional: bool
    assumed: bool
    """True where it is reached by a decision that rests on a default."""
    code_incomplete: bool = False
    """True where unknown text may add to the command line."""

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
    "EarlyExpansion",
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
