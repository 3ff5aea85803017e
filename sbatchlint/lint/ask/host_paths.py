"""Paths of the host that a containerised program is given, and whether its container has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from sbatchlint.certainty import Certainty
from sbatchlint.launch.plan import Arg, Container, FileUse, LayerKind, Step
from sbatchlint.launch.values import Text, Value
from sbatchlint.lint.ask.containers import lies_under, mount_source, mount_target
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.source import Span

_OPTION = regex(r"(?:--?|\+{0,2})?[\w.-]+=")
SHARED_ROOTS = regex(
    r"/(?:lustre|lus|gpfs|beegfs|fsx|nfs|ceph|weka|vast|scratch|project|projects|proj|shared|efs|fss)\b"
)
"""Folders that images do not have and clusters name their shared file systems after."""
_GOES_ON = regex(r"\s*&&")
_TESTED = regex(r"(?:&&|\|\||\b(?:if|elif|while|until))\s*$")
_SPECIAL = ("tmpfs", "umount")


@dataclass(frozen=True, slots=True)
class MissingPath:
    """A path of the host that is under no mount of the container."""

    path: str
    span: Span
    mounted_at: str | None
    """Where the container has the same files, if a mount brings them under another name."""
    mount: Span | None
    """The mount that shows that the path is the host's."""
    known: bool
    """True where path and mounts are known text, of a folder that an image would hardly have itself."""


def missing_paths(job: Job, step: Step, container: Container) -> Iterator[MissingPath]:
    """Yield the host's paths on the command lines of *step* that its Pyxis container does not have.

    A path is the host's only if a mount has it, or a folder beside or above it, as its source, or if the
    script uses it outside the container.  Nothing is yielded where a mount is not known.  Where none is given
    at all the site may mount what users need: then the first path is yielded that no image has.
    """
    if container.runtime != "pyxis" or not container.mounts_complete:
        return
    sources = [(mount_source(mount).rstrip("/") or "/", mount, span) for mount, span in container.mounts]
    site = () if job.cluster is None else job.cluster.containers.mounts
    targets = [mount_target(mount) for mount, _ in container.mounts]
    targets += [mount.split(":")[1] if ":" in mount else mount for mount in site]
    if not container.mounts:
        if step.options_complete:
            yield from islice(_without_mounts(job, step, container, targets), 1)
        return
    ours = _host_places(job)
    for path, span, known in _paths(job, step, container):
        if any(lies_under(path, target) for target in targets) or _holds(path, targets):
            continue
        for source, mount, place in sources:
            same = lies_under(path, source) and source != "/"
            if source not in _SPECIAL and (same or _same_file_system(job, path, source)):
                inside = mount_target(mount) + path[len(source) :] if same else None
                deep = source.count("/") > 1 or SHARED_ROOTS.match(source) is not None
                sure = known and deep and mount.certainty is Certainty.KNOWN
                yield MissingPath(path, span, inside, place, sure)
                break
        else:
            if any(lies_under(path, folder) or lies_under(folder, path) for folder in ours):
                yield MissingPath(path, span, None, None, known)


def _without_mounts(job: Job, step: Step, container: Container, targets: list[str]) -> Iterator[MissingPath]:
    for path, span, _ in _paths(job, step, container):
        if SHARED_ROOTS.match(path) and not any(lies_under(path, target) for target in targets):
            yield MissingPath(path, span, None, None, False)


def _host_places(job: Job) -> frozenset[str]:
    """Return the folders that the job uses outside its containers, in folders that images hardly have."""
    words = [
        argument.value.text
        for program in job.plan.host_programs
        if program.name in _ON_FOLDERS and not any(layer.kind is _CONTAINER for layer in program.layers)
        for argument in program.arguments
    ]
    for name in ("output", "error", "chdir"):
        use = job.request.get(name)
        text = use.value if use is not None else None
        words.append(text if text is None or name == "chdir" else text.rpartition("/")[0])
    found = {(word or "").rstrip("/") for word in words}
    return frozenset(word for word in found if _is_path(word) and not _OF_IMAGES.match(word))


_ON_FOLDERS = frozenset("mkdir ls cp mv rsync du find stat lfs touch rm".split())
_CONTAINER = LayerKind.CONTAINER
_OF_IMAGES = regex(r"/(?:tmp|var|usr|opt|etc|bin|lib|dev|proc|sys|run|root|workspace|mnt)(?:/|$)")


def _holds(path: str, targets: list[str]) -> bool:
    """Whether something is mounted below *path*, so that the container has the folder itself."""
    return any(lies_under(target, path.rstrip("/")) for target in targets)


def on_shared_storage(job: Job, path: str) -> bool | None:
    """Whether all nodes see the same files at *path*, as the cluster's profile says; None for not known."""
    systems = () if job.cluster is None else job.cluster.file_systems
    found = [system for system in systems if lies_under(path, system.path.rstrip("/") or "/")]
    return max(found, key=lambda system: len(system.path)).shared if found else None


def _same_file_system(job: Job, path: str, source: str) -> bool:
    """Whether both lie under one folder that only a cluster has: by the profile, or by its name."""
    for system in () if job.cluster is None else job.cluster.file_systems:
        folder = system.path.rstrip("/")
        if folder and lies_under(path, folder) and lies_under(source, folder):
            return True
    ours, theirs = SHARED_ROOTS.match(path), SHARED_ROOTS.match(source)
    return ours is not None and theirs is not None and ours.group() == theirs.group()


def _paths(job: Job, step: Step, container: Container) -> Iterator[tuple[str, Span, bool]]:
    seen: set[str] = set()
    words = [word for program in step.programs for word in (*program.words, *program.arguments)]
    words += _read_or_entered(job, step)
    for word in words:
        yield from _of_word(word, seen)
    if container.workdir is not None:
        option = step.get("container-workdir")
        place = option.value_arg or option.arg if option is not None else None
        if place is not None:
            yield from _of_word(Arg(container.workdir, place.place), seen)
    yield from _searched(step, seen)


def _searched(step: Step, seen: set[str]) -> Iterator[tuple[str, Span, bool]]:
    """The folders of PYTHONPATH that Python programs are given; never certain: the image may set it too."""
    for program in step.programs:
        value, span = program.environment.get("PYTHONPATH"), program.environment_spans.get("PYTHONPATH")
        if value is None or span is None or not (program.has_layer("python") or program.launchers):
            continue
        for folder in value.show().split(":"):
            path = re.sub(r"\$\{(\w+)\}", r"$\1", folder).rstrip("/")
            if _is_path(path) and path not in seen:
                seen.add(path)
                yield path, span, False


def _read_or_entered(job: Job, step: Step) -> list[Arg]:
    """What the shells inside the container source, read and go to; not what is only tried (``cd X ||``)."""
    return [
        Arg(use.path, use.path.span or use.span)
        for use in step.file_uses
        if not use.conditional and (not use.tested or _must_be_there(job, use))
    ]


def _must_be_there(job: Job, use: FileUse) -> bool:
    """Tell whether nothing is done where it fails: ``cd X && python t.py``, and no ``||`` behind it."""
    if use.span is None:
        return False
    line = job.source.line_around(use.span.start)
    before, after = job.source.text[line.start : use.span.start], job.source.text[use.span.end : line.end]
    return _GOES_ON.match(after) is not None and "||" not in after and _TESTED.search(before) is None


def _of_word(word: Arg, seen: set[str]) -> Iterator[tuple[str, Span, bool]]:
    shown = re.sub(r"\$\{(\w+)\}", r"$\1", word.value.show())
    option = _OPTION.match(shown)
    path = shown[option.end() :] if option is not None else shown
    path = path.rstrip("/")
    span = word.place
    if span is None or path in seen or not _is_path(path):
        return
    seen.add(path)
    yield path, span, not word.optional and _is_known(word.value)


def _is_path(path: str) -> bool:
    plain = re.fullmatch(r"(?:/|\$\w+/)[\w./@+$~-]*", path)
    return plain is not None and "//" not in path and len(path) > 1


def _is_known(value: Value) -> bool:
    return all(
        isinstance(segment, Text) and segment.certainty is Certainty.KNOWN for segment in value.segments
    )
