"""What stands between srun and a program: words, options, the commands that start the next one."""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from sbatchlint.launch.values import Value
from sbatchlint.records import dataclass
from sbatchlint.source import Span


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
    second: Arg | None = None
    """The second word of a value that is two (``-mca KEY VALUE``)."""

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
    operands: tuple[Arg, ...] = ()
    """Words of its own that stand before the command that it starts: ``10m`` of ``timeout 10m``."""
    subcommand: str = ""
    """The words behind its name that say what it does: ``job submit`` of ``ray job submit``."""

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
