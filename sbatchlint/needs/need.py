"""The needs of a job, as data.  No value of a credential is ever among them."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.records import dataclass
from sbatchlint.source import Span

if TYPE_CHECKING:
    from sbatchlint.launch.plan import Program, Step


class How(Enum):
    """By what a credential shows that it is expected."""

    GUARDED = "guarded"
    """The script stops, or may stop, without it: ``${HF_TOKEN:?}``, ``[ -z "$HF_TOKEN" ]``."""
    READ = "read"
    PASSED = "passed on"
    """An option names it, without a value: ``--container-env=HF_TOKEN``."""
    CALLED = "called"
    """A program or an option is used that asks for it."""


@dataclass(frozen=True, slots=True)
class Credential:
    """A variable that has to be in the environment when the job is submitted."""

    name: str
    how: tuple[How, ...]
    """In the order of :class:`How`."""
    certainty: Certainty
    """Known where the script itself insists on it, else assumed: a login may have been saved before."""
    place: Span | None


class ServiceKind(Enum):
    """Outside services that jobs call."""

    MODEL_HUB = "model hub"
    TRACKER = "experiment tracker"
    GIT_HOST = "git host"
    REGISTRY = "container registry"
    PACKAGE_INDEX = "package index"
    OBJECT_STORE = "object store"
    DOWNLOAD = "download"


@dataclass(frozen=True, slots=True)
class Switch:
    """A variable, or an option, that makes a program independent of a service."""

    name: str
    """``HF_HUB_OFFLINE``, ``--offline``."""
    value: str
    """What it has to be; empty for anything that is not (the address of a mirror)."""
    is_set: bool | None
    """None where the script sets it to what is not known."""
    place: Span | None = None

    @property
    def spelled(self) -> str:
        """The switch as it is written: ``WANDB_MODE=offline``."""
        return f"{self.name}={self.value}" if self.value else self.name


@dataclass(frozen=True, slots=True)
class Service:
    """One call of an outside service."""

    kind: ServiceKind
    host: str
    """Its name in the internet; empty where that is not known."""
    by: str
    """What calls it, as people say it: ``pip install``, ``--tokenizer-model``."""
    certainty: Certainty
    """Known where the call is the point of the command; assumed where a cache may do, or an option is all
    that tells of it."""
    switches: tuple[Switch, ...]
    place: Span | None
    conditional: bool
    step: Step | None
    """None for the batch host."""
    program: Program | None
    """None for an image, which Slurm's plugin fetches."""

    @property
    def independent(self) -> bool:
        """Whether a switch is set that makes the program do without the service."""
        return any(switch.is_set for switch in self.switches)


class ImageKind(Enum):
    """Where an image comes from."""

    FILE = "file"
    REGISTRY = "registry"
    LOCAL = "local"
    """A name that the runtime or the site knows."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Image:
    """The image of a container."""

    kind: ImageKind
    name: str
    """As people write it; unknown parts by their names."""
    runtime: str
    certainty: Certainty
    place: Span | None


class Side(Enum):
    """Who has to have a path."""

    HOST = "host"
    CONTAINER = "container"


class PathKind(Enum):
    """What a path is needed for."""

    IMAGE = "image"
    MOUNT = "mount source"
    PROGRAM = "program"
    SOURCED = "sourced file"
    FOLDER = "working folder"
    LOG_FOLDER = "log folder"
    REPOSITORY = "python path"
    DATA = "data"
    INPUT = "input"
    SUBMITTED = "submitted script"
    SECRET = "secret file"


@dataclass(frozen=True, slots=True)
class Located:
    """A path as it is seen from where the job begins."""

    shown: str
    """Unknown parts by their names."""
    certainty: Certainty
    """Unknown where any part of it is."""
    lookup: str | None
    """The path to look for; ``$HOME``, ``$USER`` and ``$SLURM_SUBMIT_DIR`` may be in it, and nothing else
    that is not known.  None where it is not known well enough."""
    by_default: bool = False
    """True where a default, or a file that is sourced, decides on it."""


@dataclass(frozen=True, slots=True)
class NeededPath:
    """A file or folder that must be there before the job starts."""

    kind: PathKind
    path: Located
    side: Side
    host: Located | None
    """The same file on the host: the path itself, or what a mount brings into the container; None for what
    the image, or a mount that is not named, has to have."""
    must: bool
    """False where the job may do without, or may make it before it gets there."""
    place: Span | None


@dataclass(frozen=True, slots=True)
class Needs:
    """All that a job needs, each in the order of the script."""

    credentials: tuple[Credential, ...] = ()
    services: tuple[Service, ...] = ()
    images: tuple[Image, ...] = ()
    paths: tuple[NeededPath, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.credentials or self.services or self.images or self.paths)
