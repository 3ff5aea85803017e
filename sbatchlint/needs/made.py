"""Paths that a script makes itself, and which therefore need not be there before it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence

from sbatchlint.certainty import Certainty
from sbatchlint.needs.locating import Folders
from sbatchlint.needs.started import Started
from sbatchlint.regex import regex

_ALL = frozenset("mkdir touch tee truncate mktemp install".split())
"""Commands that make what they name."""
_LAST = frozenset("cp mv rsync ln sbcast dcp scp aws s5cmd gsutil azcopy rclone pbzip2 unlink".split())
"""Commands that make what they name last."""
_BUILDERS = regex(
    r"make|cmake|ninja|g?cc|g\+\+|[gi]?f(?:ort|ortran)|clang(?:\+\+)?|ic[cx]p?x?|ifx|nvcc|hipcc|amdclang(?:\+\+)?|ftn|CC|cargo"
    r"|mpi(?:cc|cxx|c\+\+|CC|icc|icpc|f90|f77|fort|ifort)|nvc(?:\+\+)?|nvfortran|go|mcc|javac|meson|bazel"
)
_OPTIONS = frozenset(
    "o O d C t P output output-document output-dir out-dir outdir out local-dir directory destination dest "
    "target-dir prefix save save-dir save-path output-path output-file download-dir cache-dir cache target "
    "log-dir logdir of".split()
)
_OUTPUT = regex(
    r"(?:.*[.-])?(?:out|output|outputs|save|dest|export|target|log|cache|dump|result|results|write)(?:[.-].*)?"
)
_KNOWN = Certainty.KNOWN
_MAKERS = frozenset(("venv", "virtualenv"))
_PULLS = (("apptainer", "pull"), ("apptainer", "build"), ("singularity", "pull"), ("singularity", "build"))


class Made:
    """What a script makes, by names as seen from where the job begins."""

    def __init__(self, written: Iterable[str], programs: Sequence[Started], folders: Folders) -> None:
        """*written* are the files that the shells write."""
        self._names = {_plain(folders.joined(name, "", _KNOWN).shown) for name in written}
        for one in programs:
            self._names.update(_plain(name) for name in _made_by(one, folders))
        self._names -= {"", "."}
        self._parents = {
            _plain(parent)
            for one in programs
            for made in _folders_of(one, folders)
            for parent in _parents(made)
        }
        self.builds = any(_BUILDERS.fullmatch(one.program.name or "") for one in programs)
        """Whether something is compiled, under a name that a makefile may tell."""

    def holds(self, path: str) -> bool:
        """Tell whether the script makes *path*, a folder around it, or something in it."""
        plain = _plain(path)
        return plain in self._parents or not self._names.isdisjoint({plain, *_parents(plain)})


def _plain(path: str) -> str:
    return path.removeprefix("?/").rstrip("/")


def _parents(path: str) -> Iterator[str]:
    parent = posixpath.dirname(path)
    while parent.strip("/") and not re.fullmatch(r"\$\w+", parent):
        yield parent
        parent = posixpath.dirname(parent)


def _folders_of(one: Started, folders: Folders) -> Iterator[str]:
    """The folders that ``mkdir -p`` makes, with those around them."""
    program = one.program
    if program.name == "mkdir" and any(
        word.value.show() in ("-p", "--parents") for word in program.arguments
    ):
        yield from _made_by(one, folders)


def _made_by(one: Started, folders: Folders) -> Iterable[str]:
    program, words = one.program, one.words
    name = program.name or ""
    operands = [word.value for word in words if not word.name and word.value is not None]
    values = []
    if name in _ALL:
        # What follows an option (``mkdir -p X``) is an operand of these.
        values = [word.value for word in words if word.value is not None]
    elif name in _LAST and operands:
        values = [operands[-1]]
    elif name == "git" and operands and operands[0].text == "clone":
        values = operands[2:3]
        if not values and len(operands) > 1:
            base = posixpath.basename(operands[1].show().rstrip("/")).removesuffix(".git")
            yield folders.joined(base, program.folder, _KNOWN).shown
    elif name in _MAKERS or (name in ("uv", "python") and operands and operands[0].text == "venv"):
        values = operands[-1:] or [word.value for word in words if word.value is not None][-1:]
    elif operands and (name, operands[0].text) in _PULLS:
        values = operands[1:2]
    elif name == "enroot" or name in ("conda", "mamba", "micromamba"):
        values = [word.value for word in words if word.name in ("o", "output", "p", "prefix") and word.value]
    for word in words:
        if word.value is not None and word.name and (word.name in _OPTIONS or _OUTPUT.fullmatch(word.name)):
            values.append(word.value)
    for value in values:
        for way in value.alternatives(4) or [value]:
            yield folders.located(way, program.folder).shown
