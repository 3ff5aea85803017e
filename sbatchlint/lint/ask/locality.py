"""Whether a folder is the same one on every node of a job, or each node or container has its own."""

from __future__ import annotations

from enum import Enum

from sbatchlint.certainty import Certainty
from sbatchlint.launch.plan import Container
from sbatchlint.launch.values import Text, Value
from sbatchlint.lint.ask.containers import lies_under, mount_source, mount_target
from sbatchlint.records import dataclass
from sbatchlint.source import Span

_OF_NODE = ("/tmp", "/var/tmp", "/dev/shm", "/run")
"""Folders that every Linux node has for itself."""
_OF_NODE_VARIABLES = ("TMPDIR", "SLURM_TMPDIR", "TMP", "TEMP", "JOB_TMPDIR", "XDG_RUNTIME_DIR")
"""Variables that name such a folder where a site sets them."""
_HOMES = ("/root", "/home", "$HOME", "${HOME", "~")


class Owner(Enum):
    """Who has a folder of this name to himself."""

    NODE = "node"
    CONTAINER = "container"


@dataclass(frozen=True, slots=True)
class Locality:
    """A folder that the nodes do not share."""

    owner: Owner
    certain: bool
    """False where the site may have arranged it otherwise, or where something is not known."""
    mount: Span | None = None
    """The container mount that decides it, if one does."""


def locality_of(path: Value, container: Container | None) -> Locality | None:
    """Who has the folder *path* of a step's environment to himself; None for nobody, or for not known.

    A folder in a container is shared as far as what is mounted there is; a folder that nothing is
    mounted over belongs to the container alone and is gone when the step ends.
    """
    options = path.alternatives()
    if not options:
        return None
    found = [_of_one(option, container) for option in options]
    first = found[0]
    if first is None or any(other is None or other.owner is not first.owner for other in found):
        return None
    certain = len(found) == 1 and first.certain and path.certainty is not Certainty.ASSUMED
    return Locality(first.owner, certain, first.mount)


def _of_one(path: Value, container: Container | None) -> Locality | None:
    shown = _shown(path)
    if container is None:
        return Locality(Owner.NODE, _is_known(path)) if is_of_node(shown) else None
    mount = _mount_over(shown, container)
    if mount is not None:
        source, span = mount
        return Locality(Owner.NODE, False, span) if source == "tmpfs" or is_of_node(source) else None
    if is_of_node(shown):
        return Locality(Owner.NODE, container.mounts_complete and _is_known(path))
    return _unmounted(shown, container)


def _unmounted(shown: str, container: Container) -> Locality | None:
    if not container.mounts_complete:
        return None  # a mount that is not known may well be the one that is meant
    if shown.startswith(_HOMES):
        if container.mounts_home is True or _mentions_home(container):
            return None
        hidden = container.mounts_home is False
        in_root = lies_under(shown, "/root")
        # Elsewhere than under /root the folder may be the site's: enroot can mount more than it is told.
        return Locality(Owner.CONTAINER, hidden and in_root) if in_root or hidden else None
    if not shown.startswith("/") or not container.mounts:
        return None  # with no mount given at all, the site mounts what its users need
    return Locality(Owner.CONTAINER, False)


def _mentions_home(container: Container) -> bool:
    return any(mount_target(value).startswith(_HOMES) for value, _ in container.mounts)


def _is_known(path: Value) -> bool:
    """Whether the beginning of the path, which decides, is known text and no default."""
    first = path.segments[0] if path.segments else None
    return isinstance(first, Text) and first.certainty is Certainty.KNOWN


def is_of_node(shown: str) -> bool:
    """Tell whether each node has a folder of this name for itself, which may begin with a variable."""
    if any(lies_under(shown, folder) for folder in _OF_NODE):
        return True
    name = shown.partition("/")[0].strip("${}").partition(":")[0]
    return shown.startswith("$") and name in _OF_NODE_VARIABLES


def _mount_over(shown: str, container: Container) -> tuple[str, Span | None] | None:
    """The source of the mount that *shown* lies under, of the deepest one where several hold it."""
    best: tuple[int, str, Span | None] | None = None
    for value, span in container.mounts:
        target = mount_target(value)
        if lies_under(shown, target) and (best is None or len(target) > best[0]):
            best = (len(target), mount_source(value), span)
    return None if best is None else (best[1], best[2])


def _shown(path: Value) -> str:
    """The path as it can be compared: ``${NAME}`` and ``$NAME`` alike."""
    text = path.show()
    if text.startswith("${"):
        name, brace, rest = text[2:].partition("}")
        if brace and name.isidentifier():
            return f"${name}{rest}"
    return text
