"""Paths as seen from where the job begins, on the host or through the mounts of a container."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise

from sbatchlint.certainty import Certainty
from sbatchlint.launch.layer_containers import container_of_layer
from sbatchlint.launch.plan import Container, FileUse, FileUseKind, Layer, LayerKind, Program, Step
from sbatchlint.launch.values import Choice, Text, Value
from sbatchlint.needs.need import Located
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.request import JobRequest
from sbatchlint.source import Span

_BRACED = regex(r"\$\{(\w+)\}")
_ONE_NAME = regex(r"\$\w+|\$\{[^{}]*\}|\$\([^()]*\)|`[^`]*`")
_SUBMITTED = regex(r"^\{\$SLURM_SUBMIT_DIR\|[^{}]*\}(?=/|$)")
_SUBMITTERS = regex(r"\$(?:HOME|USER|SLURM_SUBMIT_DIR)\b")
"""Variables that have the same value where the job is submitted."""
_UNSURE = regex(r"[$`{}<>?*\[\]\n]")
_ROOTED = regex(r"[/~]|\$(?:HOME|SLURM_SUBMIT_DIR)\b")
_HERE = regex(r"(?:\$PWD|\$\(pwd\)|`pwd`|\$SLURM_SUBMIT_DIR)(?=/|$)")
_KEEPS_FOLDER = ("apptainer", "singularity", "shifter", "sarus")
"""Runtimes that start a command in the folder that they are called in."""


class Folders:
    """Puts together folders and paths of one job."""

    def __init__(self, request: JobRequest, uses: Iterable[FileUse]) -> None:
        self._start = (request.chdir or "").rstrip("/")
        self._grades: dict[str, Certainty] = {}
        entered = [
            use
            for use in uses
            if use.kind is FileUseKind.ENTERED and not _HERE.fullmatch(_plain(use.path.show()))
        ]
        self._stays = not entered and not self._start
        """Whether the current folder is that of submission all the time."""
        for use in entered:
            found = self.located(use.path, use.folder)
            self._grades[found.shown] = found.certainty

    def shown(self, path: str) -> str:
        """Return a path as the others are shown."""
        return self.joined(path, "", Certainty.KNOWN).shown if _HERE.match(path) else path

    def located(self, value: Value, folder: str) -> Located:
        """Return the path *value* as used in *folder*."""
        shown = _BRACED.sub(r"$\1", value.show())
        # The home folder is as good as known: it is that of whoever submits the job.
        literal = "".join(leaf.text for leaf in value.leaves() if isinstance(leaf, Text))
        # What is not known as a whole (the words of a default that splits) has more than one name in it.
        assumed = any(
            leaf.certainty is Certainty.ASSUMED
            if isinstance(leaf, Text)
            else not _ONE_NAME.fullmatch(leaf.name)
            for leaf in value.leaves()
        )
        found = self.joined(shown, folder, value.certainty, plain="$" not in literal)
        return replace(found, by_default=True) if assumed else found

    def joined(self, shown: str, folder: str, grade: Certainty, *, plain: bool = True) -> Located:
        """Return the path written as *shown* in *folder*; *plain* where each ``$`` in it is a variable."""
        shown, folder = _plain(shown), _plain(folder)
        if self._stays and _HERE.fullmatch(folder):
            folder = ""
        here = _HERE.match(shown)
        if here is not None and self._stays:
            rest = shown[here.end() :].lstrip("/")
            shown = _normal(rest) or "."
            grade = Certainty.ASSUMED if grade is Certainty.UNKNOWN and "$" not in rest else grade
        if not _ROOTED.match(shown) and not shown.startswith(("$", "{", "<", "`")):
            if folder.startswith("?"):
                return Located(_normal(shown), Certainty.UNKNOWN, None)
            if self._start and not _ROOTED.match(folder):
                folder = posixpath.join(self._start, folder)
            if folder:
                shown = _normal(posixpath.join(folder, shown))
                grade = max(grade, self._grades.get(folder, grade))
        elif self._start and "SLURM_SUBMIT_DIR" in shown:
            plain = False
        shown = _home(_normal(shown))
        sure = plain and not _UNSURE.search(_SUBMITTERS.sub("", shown))
        known = grade if sure and not _SUBMITTERS.search(shown) else Certainty.UNKNOWN
        default = grade is Certainty.ASSUMED and here is None
        return Located(shown, known, shown if sure and shown else None, default)


def _normal(path: str) -> str:
    """Take out what a path does not need; ``..`` behind a name that is not known stays."""
    unknown = ".." in path and ("$" in path or "`" in path)
    return posixpath.normpath(path) if path and not unknown else path


def _plain(path: str) -> str:
    """Write variables without braces, and the folder of submission alone where another stands in for it."""
    return _SUBMITTED.sub("$SLURM_SUBMIT_DIR", _BRACED.sub(r"$\1", path))


def _home(path: str) -> str:
    return "$HOME" + path[1:] if path == "~" or path.startswith("~/") else path


@dataclass(frozen=True)
class Inside:
    """A container, for the paths of what runs in it."""

    container: Container
    outer: str
    """The folder on the host that it is started in."""
    folders: Folders

    def located(self, value: Value, folder: str) -> tuple[Located, Located | None]:
        """Return a path inside, and the same file on the host where a mount brings it in."""
        keeps = self.container.runtime in _KEEPS_FOLDER
        workdir = self.container.workdir
        relative = not _ROOTED.match(value.show())
        if relative and folder == self.outer and workdir is not None:
            folder = workdir.show()
        elif relative and folder == self.outer and not keeps:
            shown = _normal(_plain(value.show()))
            return Located(shown, Certainty.UNKNOWN, None), None
        inner = self.folders.located(value, folder)
        return inner, self.on_host(inner, same=keeps and relative and workdir is None)

    def on_host(self, inner: Located, *, same: bool = False) -> Located | None:
        """Return what a mount brings in as *inner*; *same* where the folder itself is brought in."""
        best: tuple[int, Located] | None = None
        for mount, _ in self.container.mounts:
            source, target = ends_of(mount)
            target = self.folders.shown(target)
            if target and (inner.shown == target or inner.shown.startswith(target.rstrip("/") + "/")):
                rest = inner.shown[len(target.rstrip("/")) :]
                grade = max(mount.certainty, inner.certainty)
                found = self.folders.joined(source.rstrip("/") + rest, self.outer, grade)
                if best is None or len(target) > best[0]:
                    best = (len(target), found)
        if best is not None:
            return best[1]
        home = self.container.mounts_home is not False and inner.shown.startswith("$HOME")
        return inner if same or (home and self.container.runtime in _KEEPS_FOLDER) else None


def place_of(value: Value, fallback: Span | None) -> Span | None:
    """Where a value is written: all of it, where its pieces stand side by side."""
    spans = [None if isinstance(segment, Choice) else segment.span for segment in value.segments]
    found = [span for span in spans if span is not None]
    if not found or len(found) < len(spans):
        return value.span or fallback
    beside = all(0 <= after.start - before.end <= _MOST_BETWEEN for before, after in pairwise(found))
    return found[0].cover(found[-1]) if beside else value.span


_MOST_BETWEEN = 2
"""Quotes and braces that may stand between two pieces of a word."""
_MOUNT_FIELDS = regex(r"(?:^|,)(?P<key>source|src|target|dst|destination)=(?P<path>[^,]*)")


def ends_of(mount: Value) -> tuple[str, str]:
    """The host's and the container's side of a mount, as people write them: ``SRC:DST``, ``src=...``."""
    text = _BRACED.sub(r"$\1", mount.show())
    fields: Mapping[str, str] = {match["key"][:1]: match["path"] for match in _MOUNT_FIELDS.finditer(text)}
    if fields:
        return fields.get("s", ""), fields.get("t", fields.get("d", ""))
    source, *rest = _parted(mount)
    target = rest[0] if rest and rest[0] else source
    return source, target if target == "/" else target.rstrip("/")


def _parted(mount: Value) -> list[str]:
    """The fields of ``SRC:DST:FLAGS``; a colon inside ``${...}`` parts nothing."""
    fields = [""]
    for segment in mount.segments:
        shown = _BRACED.sub(r"$\1", Value((segment,)).show())
        first, *more = shown.split(":") if isinstance(segment, Text) else [shown]
        fields[-1] += first
        fields += more
    return fields


def container_around(
    step: Step | None, layers: tuple[Layer, ...], program: Program | None
) -> Container | None:
    """The innermost container around what *layers* start; None where it runs on the host."""
    layer = next((one for one in reversed(layers) if one.kind is LayerKind.CONTAINER), None)
    if layer is not None:
        return container_of_layer(layer, {} if program is None else program.environment)
    return None if step is None else step.container
