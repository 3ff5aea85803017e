"""Files and folders that must be there before a job starts."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sbatchlint.certainty import Certainty
from sbatchlint.launch.plan import (
    Container,
    FileUse,
    FileUseKind,
    JobText,
    LaunchPlan,
    LayerKind,
    Program,
    Step,
)
from sbatchlint.launch.values import Value, text_value
from sbatchlint.needs.data_options import data_of
from sbatchlint.needs.images import UsedImage
from sbatchlint.needs.locating import Folders, Inside, container_around, ends_of, place_of
from sbatchlint.needs.made import Made
from sbatchlint.needs.need import ImageKind, Located, NeededPath, PathKind, Side
from sbatchlint.needs.started import Started
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.grammar.filenames import FilePattern
from sbatchlint.slurm.request import JobRequest
from sbatchlint.source import Span

_KINDS = {
    FileUseKind.SOURCED: PathKind.SOURCED,
    FileUseKind.ENTERED: PathKind.FOLDER,
    FileUseKind.INPUT: PathKind.INPUT,
}
_STOPS = regex(
    r"[^\n|&]*(?:&&|\|\|\s*(?:exit|die|fail|abort|return|error|[{(][^})]{0,200}\b(?:exit|return|die|fail)\b))"
)
_BLANK = regex(r"[^\n;|&]*?[A-Za-z]>")
"""What follows ``<`` in a place to be filled in: ``<your team>``."""
_SECRET_FILE = regex(r"(?:token|secret|api[_-]?key|credential|password|netrc|\.env\b)", re.IGNORECASE)
_MACHINE = regex(
    r"/(?:bin|boot|dev|etc|lib|lib32|lib64|media|mnt|opt|proc|root|run|sbin|snap|srv|sys|tmp|usr|var|local"
    r"|localscratch|local_scratch|raid|nvme|ssd)(?:/|$)"
)
"""Folders that each machine has of its own."""
_SCRIPT = regex(r"\.(?:py|sh|bash|pl|R|jl|sbatch|slurm)$")
_SYSTEM = regex(r"/(?:dev|proc|sys|bin|sbin|usr/bin|usr/sbin)/|/etc/(?:os-release|profile|bashrc)$")
_NOT_KNOWN = regex(r"\$\{[^{}]*\}|\$\w+|\$\([^()]*\)|`[^`]*`|<[^<>]*>|\$[@*#?0-9]")
_JOINED = ("docker", "nvidia-docker")
"""Runtimes that make the source of a mount where it is missing."""


@dataclass(frozen=True, slots=True)
class _Use:
    """A path as something uses it."""

    kind: PathKind
    value: Value
    span: Span | None
    must: bool


class PathFinder:
    """Finds the paths of one job."""

    def __init__(self, text: str, request: JobRequest, plan: LaunchPlan, programs: Sequence[Started]) -> None:
        uses = [*plan.file_uses, *(use for step in plan.steps for use in step.file_uses)]
        self._text = text
        self._request = request
        self._plan = plan
        self._folders = Folders(request, uses)
        self._programs = programs
        self._made = Made(plan.written, programs, self._folders)

    def paths(self, images: Iterable[UsedImage]) -> Iterator[NeededPath]:
        """Yield each path once for each purpose, in the order of the script as far as it goes."""
        found: dict[tuple[object, ...], NeededPath] = {}
        for one in self._all(images):
            key = (one.kind, one.path.shown, one.side)
            held = found.get(key)
            if held is None or (one.must and not held.must):
                found[key] = one if held is None else replace(held, must=True, host=one.host)
        nowhere = Span(len(self._text), len(self._text))
        yield from sorted(found.values(), key=lambda one: one.place or nowhere)

    def _all(self, images: Iterable[UsedImage]) -> Iterator[NeededPath]:
        yield from self._of_request()
        yield from self._of_images(images)
        for use in self._plan.file_uses:
            yield from self._of_use(use, None)
        for step in self._plan.steps:
            for use in step.file_uses:
                yield from self._of_use(use, step)
        for one in self._programs:
            yield from self._of_mounts(one)
            yield from self._of_program(one)
        for submission in self._plan.submissions:
            if submission.text is JobText.FILE and submission.file is not None:
                path = self._folders.located(submission.file, submission.folder)
                yield from self._host(PathKind.SUBMITTED, path, submission.span, not submission.conditional)

    # --- the job's own ---------------------------------------------------------------------------

    def _of_request(self) -> Iterator[NeededPath]:
        for request in self._request.components:
            chdir = request.get("chdir")
            if chdir is not None and chdir.value:
                path = self._folders.joined(chdir.value, "", Certainty.KNOWN, plain="$" not in chdir.value)
                yield from self._host(PathKind.FOLDER, path, chdir.value_span or chdir.span, True)
            for name, pattern in (("output", request.output), ("error", request.error)):
                use = request.get(name)
                folder = None if pattern is None else _log_folder(pattern)
                if use is not None and folder is not None:
                    path = self._folders.joined(folder, "", Certainty.KNOWN, plain="$" not in folder)
                    if "%" in folder:
                        path = Located(path.shown, Certainty.UNKNOWN, None)
                    yield NeededPath(
                        PathKind.LOG_FOLDER, path, Side.HOST, path, True, use.value_span or use.span
                    )

    # --- containers ------------------------------------------------------------------------------

    def _of_images(self, images: Iterable[UsedImage]) -> Iterator[NeededPath]:
        for image in images:
            if image.kind is ImageKind.FILE:
                path = self._folders.located(image.value, image.folder)
                grade = max(path.certainty, image.certainty)
                path = replace(path, certainty=grade)
                yield from self._host(PathKind.IMAGE, path, image.span, not image.conditional)

    def _of_mounts(self, started: Started) -> Iterator[NeededPath]:
        container, folder = started.container, started.folder
        if container is None:
            return
        for mount, span in container.mounts:
            for one in mount.alternatives(4) or [mount]:
                source, target = ends_of(one)
                # Docker's volumes have names, without a slash; Pyxis has words for what is no folder.
                if "/" not in source or not target or source.startswith(("tmpfs", "umount", "$(", "<")):
                    continue
                path = self._folders.joined(source, folder, one.certainty)
                sure = one == mount and container.runtime not in _JOINED and not started.program.conditional
                yield from self._host(PathKind.MOUNT, path, place_of(one, span), sure)

    # --- what shells and programs read -----------------------------------------------------------

    def _of_use(self, use: FileUse, step: Step | None) -> Iterator[NeededPath]:
        excused = use.tested and not self._stops(use.span)
        must = not (use.conditional or use.assumed or excused)
        if use.kind is FileUseKind.SOURCED and "/" not in use.path.show():
            must = False  # it is looked for on PATH first
        if use.kind is FileUseKind.INPUT and self._is_blank(use.span):
            return
        if use.kind is FileUseKind.ENTERED and use.path.show() in ("-", "..", ".", "~"):
            return
        inside = self._inside(container_around(step, use.layers, None), use.folder, step)
        yield from self._one(_Use(_KINDS[use.kind], use.path, use.span, must), use.folder, inside)

    def _is_blank(self, span: Span | None) -> bool:
        return span is not None and _BLANK.match(self._text, max(span.end - 1, 0)) is not None

    def _stops(self, span: Span | None) -> bool:
        """Whether the script ends itself where the command at *span* fails."""
        return span is not None and _STOPS.match(self._text, span.end) is not None

    def _of_program(self, started: Started) -> Iterator[NeededPath]:
        inside = self._inside(started.container, started.program.folder, started.step)
        for use in self._uses_of(started):
            yield from self._one(use, started.program.folder, inside)

    def _uses_of(self, started: Started) -> Iterator[_Use]:
        program = started.program
        must = not program.doubtful
        for value, span in _started(program):
            built = self._made.builds and not _SCRIPT.search(value.show())
            yield _Use(PathKind.PROGRAM, value, span, must and not built)
        if program.name == "cat":
            for word in program.arguments:
                if _SECRET_FILE.search(posixpath.basename(word.value.show())):
                    yield _Use(PathKind.SECRET, word.value, word.place, must)
        for value, span, sure in data_of(program, started.words):
            yield _Use(PathKind.DATA, value, span, must and sure)
        path = program.environment.get("PYTHONPATH")
        if path is not None and _runs_python(program):
            place = program.environment_spans.get("PYTHONPATH")
            for item in (path.text or "").split(":"):
                if item:
                    yield _Use(PathKind.REPOSITORY, text_value(item, place, path.certainty), place, False)

    def _inside(self, container: Container | None, folder: str, step: Step | None) -> Inside | None:
        if container is None:
            return None
        return Inside(container, folder if step is None else step.folder, self._folders)

    def _one(self, use: _Use, folder: str, inside: Inside | None) -> Iterator[NeededPath]:
        ways = use.value.alternatives(4) or [use.value]
        must = use.must and len(ways) == 1
        for way in ways:
            place = place_of(way, use.span)
            if inside is None:
                yield from self._host(use.kind, self._folders.located(way, folder), place, must)
                continue
            inner, host = inside.located(way, folder)
            made = self._made.holds(inner.shown) or (host is not None and self._made.holds(host.shown))
            if _tells(inner) and not made:
                yield NeededPath(use.kind, inner, Side.CONTAINER, host, must, place)

    def _host(self, kind: PathKind, path: Located, place: Span | None, must: bool) -> Iterator[NeededPath]:
        if _tells(path) and not self._made.holds(path.shown):
            yield NeededPath(kind, path, Side.HOST, path, must, place)


def _tells(path: Located) -> bool:
    """Tell whether there is something to say of *path*: it is known in part, and no system has it anyway."""
    shown = path.shown
    if shown in ("", ".", "..", "/", "-") or _SYSTEM.match(shown) or "\n" in shown:
        return False
    return re.search(r"\w", _NOT_KNOWN.sub("", _NOT_KNOWN.sub("", shown))) is not None


def is_of_machine(path: str) -> bool:
    """Tell whether *path* lies where each machine has files of its own, and not on a shared file system."""
    return _MACHINE.match(path) is not None


def _log_folder(pattern: FilePattern) -> str | None:
    folder = pattern.text.rpartition("/")[0]
    return None if pattern.is_null or folder in ("", ".") else folder


def _runs_python(program: Program) -> bool:
    return any(layer.kind in (LayerKind.INTERPRETER, LayerKind.LAUNCHER) for layer in program.layers)


def _started(program: Program) -> Iterator[tuple[Value, Span | None]]:
    """Yield the files that are started: an interpreter's or launcher's script, a program with a path."""
    first = program.words[0].value if program.words else Value()
    if "/" in first.show() and first != program.target:
        yield first, program.words[0].place
    if program.is_module or program.target.text in ("-c", "-", ""):
        return
    shown = program.target.show()
    own = first == program.target and not (program.layers and shown.endswith((".py", ".sh")))
    if (own and "/" not in shown) or shown.startswith("run script of"):
        return
    yield program.target, program.target_span
