"""Asking git for older versions of files.

Plumbing commands alone: they heed no alias and no setting of how things are shown.  No hook and no
file system monitor is started, nothing is written or fetched, and nobody is asked for a password.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from functools import cached_property

from sbatchlint.files import find_program
from sbatchlint.regex import regex

_SAFE = (
    "--literal-pathspecs",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
)
_OF_ONE_REPOSITORY = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_WORK_TREE",
)
"""Set by a git that runs us as a hook: they speak of its repository, in paths that start elsewhere."""
_NOTHING_BESIDE = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
"""A partial clone would fetch what it lacks, by a command that its own configuration may name."""
_FAILED = "git rev-parse failed"
_NOT_FETCHED = regex("lazy fetch|promisor|transport .* not allowed")
_OBJECT = regex(r"[0-9a-f]{40,64}")
_TIMEOUT = 120.0
"""Seconds; in large repositories on a slow file system."""


class GitError(Exception):
    """What was asked cannot be answered; the message says why and what to do."""


def git(folder: str, *arguments: str) -> bytes:
    """Return what ``git ARGUMENTS`` prints in *folder*.  Raises GitError with what it complains of."""
    environment = {name: value for name, value in os.environ.items() if name not in _OF_ONE_REPOSITORY}
    environment.update(_NOTHING_BESIDE)
    program = find_program("git")
    if program is None:
        raise GitError("git is not installed, or not on PATH")
    try:
        done = subprocess.run(
            [program, *_SAFE, "-C", folder, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment,
            timeout=_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise GitError(f"git {arguments[0]} took longer than {_TIMEOUT:.0f} s") from None
    except (OSError, ValueError) as error:
        raise GitError(f"git cannot be started: {error}") from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitError(lines[0].removeprefix("fatal: ") if lines else f"git {arguments[0]} failed")
    return done.stdout


def root_of(folder: str) -> str:
    """Return the top folder of the working tree that *folder* is in.  Raises GitError."""
    try:
        return _path(git(folder, "rev-parse", "--show-toplevel"))
    except GitError as error:
        if "not a git repository" in str(error):
            raise GitError("not in a git repository, so nothing tells which lines have changed") from None
        if "dubious ownership" in str(error):
            advice = "if you trust it, git config --global --add safe.directory and its path"
            raise GitError(f"{error}: it belongs to somebody else; {advice}") from None
        raise


def outer_root(root: str) -> str | None:
    """Return the top folder of the repository that *root* is a submodule of; None where it is of none."""
    return _path(git(root, "rev-parse", "--show-superproject-working-tree")) or None


def commit_of(root: str, revision: str) -> str:
    """Return the commit that *revision* means in the repository at *root*.  Raises GitError.

    ``A...`` and ``A...B`` mean where the two (``B`` is HEAD by default) parted.
    """
    one, dots, other = revision.partition("...")
    try:
        if not dots:
            return _resolved(root, revision)
        ends = _resolved(root, one or "HEAD"), _resolved(root, other or "HEAD")
        return _path(git(root, "merge-base", *ends))
    except GitError as error:
        shallow = _is_shallow(root)
        advice = (
            "this clone is shallow: fetch the history first (git fetch --unshallow; in CI, fetch-depth: 0)"
            if shallow
            else "name a commit, a branch or a tag that is here, or fetch it first"
        )
        missing = "these two have no common commit here" if dots and not _names_missing(error) else ""
        raise GitError(f"{missing or str(error)}; {advice}") from None


class Commit:
    """One commit of a repository, as far as files are asked of it."""

    def __init__(self, root: str, name: str) -> None:
        self.root = root
        self.name = name

    def before(self, path: str, data: bytes) -> bytes | None:
        """Return what the file at *path*, which holds *data* now, was in this commit.

        *path* is absolute.  None where the file was not there, nor under the name that it was moved from.
        Raises GitError.
        """
        inside = os.path.relpath(path, self.root).replace(os.sep, "/")
        blob = self._blobs.get(inside) or self._blobs.get(self._moved.get(inside, ""))
        if blob is None:
            return None
        if blob == _blob_name(data, len(blob)):
            return data
        try:
            return git(self.root, "cat-file", "blob", blob)
        except GitError as error:
            if not _NOT_FETCHED.search(str(error)):
                raise
            advice = f"we fetch nothing; `git cat-file blob {blob[:12]}` does"
            raise GitError(f"its older version is not in this clone; {advice}") from None

    def submodule(self, inside: str) -> str | None:
        """Return the commit of the submodule at *inside*; None where there was none."""
        return self._submodules.get(inside)

    @cached_property
    def _tree(self) -> list[tuple[str, str, str]]:
        """Mode, object and path of each entry."""
        listed = git(self.root, "ls-tree", "-r", "-z", "--full-tree", self.name)
        entries = []
        for line in os.fsdecode(listed).split("\0")[:-1]:
            about, _, path = line.partition("\t")
            mode, _, name = about.split(" ")
            entries.append((mode, name, path))
        return entries

    @cached_property
    def _blobs(self) -> dict[str, str]:
        return {path: name for mode, name, path in self._tree if mode.startswith("100")}

    @cached_property
    def _submodules(self) -> dict[str, str]:
        return {path: name for mode, name, path in self._tree if mode == "160000"}

    @cached_property
    def _moved(self) -> dict[str, str]:
        """The old names of files that the index has under new ones."""
        listed = git(
            self.root,
            "diff-index",
            "--cached",
            "-z",
            "-M",
            "--diff-filter=R",
            "--name-status",
            "--no-ext-diff",
            "--no-textconv",
            self.name,
            "--",
        )
        words = os.fsdecode(listed).split("\0")[:-1]
        return {new: old for old, new in zip(words[1::3], words[2::3], strict=True)}


def _resolved(root: str, revision: str) -> str:
    try:
        if revision.startswith("-") or not revision.strip():
            raise GitError(_FAILED)
        by_message = revision.startswith(":/")  # such a one takes any suffix for a part of the message
        meant = _path(_verified(root, revision if by_message else f"{revision}^{{commit}}"))
        if _OBJECT.fullmatch(meant) is None:  # "^A": what A does not have
            raise GitError(_FAILED)
        return meant
    except GitError as error:
        if "failed" not in str(error) and "Needed" not in str(error):
            raise
        raise GitError(f"no revision {revision!r} in {root}") from None


def _verified(root: str, revision: str) -> bytes:
    return git(root, "rev-parse", "--verify", "--quiet", revision)


def _names_missing(error: GitError) -> bool:
    return str(error).startswith("no revision")


def _is_shallow(root: str) -> bool:
    return _path(git(root, "rev-parse", "--is-shallow-repository")) == "true"


def _blob_name(data: bytes, length: int) -> str:
    """Return the name that git gives to a file that holds *data*, in *length* hexadecimal digits."""
    make = hashlib.sha256 if length == 64 else hashlib.sha1
    return make(b"blob %d\0" % len(data) + data).hexdigest()


def _path(printed: bytes) -> str:
    return os.fsdecode(printed).removesuffix("\n")
