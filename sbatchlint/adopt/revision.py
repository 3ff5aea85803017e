"""Holding back what does not come from the changes since a git revision.

A finding is told where its own place or one that explains it is in a line that is new or changed, and where
the old version of the file did not have it: a line that was taken out changes no line that is left.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sbatchlint.adopt.changes import Changes
from sbatchlint.adopt.git import Commit, GitError, commit_of, outer_root, root_of
from sbatchlint.source import Source

if TYPE_CHECKING:
    from sbatchlint.lint.finding import Finding
    from sbatchlint.lint.job import Again, Job

STDIN = "-"


class Since:
    """The findings since one revision, of files in as many repositories as they are in."""

    def __init__(self, revision: str, here: str) -> None:
        """*revision* is one of the repository that the folder *here* is in.

        For a file of a submodule of that it means the commit which the revision has of the submodule; for
        one of another repository, what it means there.
        """
        self._revision = revision
        self._here = here
        self._roots: dict[str, str] = {}
        self._commits: dict[str, Commit | None] = {}
        self._texts: dict[tuple[str, bytes], Source | None] = {}
        self._old: dict[Source, Counter[tuple[str, int]]] = {}

    def check(self, path: str) -> None:
        """Raise GitError where the file or folder at *path* can't be compared."""
        whole = os.path.realpath(path)
        self._commit(whole if os.path.isdir(whole) else os.path.dirname(whole))

    def sift(self, job: Job, findings: Sequence[Finding], again: Again) -> list[Finding]:
        """Return those of *findings* that the changes bring.  Raises GitError."""
        if not findings or job.source.path == STDIN:
            return list(findings)
        before = self._before(job.source)
        if before is None:
            return list(findings)
        if before.to_bytes() == job.source.to_bytes():
            return []
        changes = Changes(before, job.source)
        new: list[Finding] = []
        others: list[Finding] = []
        for finding in findings:
            spans = (finding.span, *(one.span for one in finding.related))
            (new if any(map(changes.touched, spans)) else others).append(finding)
        if others:
            new += self._not_in(before, others, changes, again)
        told = {id(finding) for finding in new}
        return [finding for finding in findings if id(finding) in told]

    def _not_in(
        self, before: Source, findings: Sequence[Finding], changes: Changes, again: Again
    ) -> list[Finding]:
        """Return those of *findings*, all in unchanged lines, that *before* has not at the same place."""
        if before not in self._old:
            self._old[before] = Counter((one.code, one.span.start) for one in again(before))
        left = Counter(self._old[before])
        new = []
        for finding in findings:
            place = (finding.code, changes.origin(finding.span.start) or 0)
            if left[place] > 0:
                left[place] -= 1
            else:
                new.append(finding)
        return new

    def _before(self, source: Source) -> Source | None:
        path = os.path.realpath(source.path)
        data = source.to_bytes()
        if (path, data) not in self._texts:
            commit = self._commit(os.path.dirname(path))
            old = None if commit is None else commit.before(path, data)
            self._texts[path, data] = None if old is None else Source.from_bytes(old, source.path)
        return self._texts[path, data]

    def _commit(self, folder: str) -> Commit | None:
        while not os.path.isdir(folder) and folder != os.path.dirname(folder):
            folder = os.path.dirname(folder)  # a script from standard input may have any name
        if folder not in self._roots:
            self._roots[folder] = os.path.realpath(root_of(folder))
        return self._commit_at(self._roots[folder])

    def _commit_at(self, root: str) -> Commit | None:
        """Return the commit to compare with in the repository at *root*; None where it was not there then."""
        if root not in self._commits:
            name = self._name_at(root)
            self._commits[root] = None if name is None else Commit(root, name)
        return self._commits[root]

    def _name_at(self, root: str) -> str | None:
        if root != self._root_here:
            outer = outer_root(root)
            if outer is not None and self._is_mine(os.path.realpath(outer)):
                outer = os.path.realpath(outer)
                commit = self._commit_at(outer)
                inside = os.path.relpath(root, outer).replace(os.sep, "/")
                name = None if commit is None else commit.submodule(inside)
                return None if name is None else commit_of(root, name)
        return commit_of(root, self._revision)

    def _is_mine(self, root: str) -> bool:
        """Tell whether *root* is the repository that we are in, or a submodule somewhere in it."""
        while root != self._root_here:
            outer = outer_root(root)
            if outer is None:
                return False
            root = os.path.realpath(outer)
        return True

    @property
    def _root_here(self) -> str | None:
        if self._here not in self._roots:
            try:
                self._roots[self._here] = os.path.realpath(root_of(self._here))
            except GitError:
                return None
        return self._roots[self._here]


__all__ = ["GitError", "Since"]
