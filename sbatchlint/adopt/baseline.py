"""A baseline: the findings that a team has already, and is not to be told of again."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from sbatchlint.adopt.marks import Hide, Mark, marks
from sbatchlint.records import dataclass

if TYPE_CHECKING:
    from sbatchlint.lint.finding import Finding
    from sbatchlint.lint.job import Job
    from sbatchlint.source import Source

Counts = Mapping[str, Mapping[Mark, int]]
"""How often each mark was found, by the file's path as the baseline has it."""


def key_of(path: str, folder: str) -> str:
    """Return how the file at *path* is called in a baseline that stands in *folder*: from there, with ``/``.

    A file that is a link keeps its name; links among the folders are resolved on both sides.
    """
    whole = os.path.join(os.path.realpath(os.path.dirname(path) or os.curdir), os.path.basename(path))
    return os.path.relpath(whole, os.path.realpath(folder)).replace(os.sep, "/")


@dataclass
class Baseline:
    """The entries of one baseline, and which of them answered a finding in this run."""

    path: str
    """Where it is kept, as the user named it."""
    counts: Counts
    answered: dict[Source, Counter[Mark]] = field(default_factory=dict)
    """By the text that was checked: fixing looks at several versions of one."""

    @property
    def folder(self) -> str:
        """What the paths in it start from."""
        return os.path.dirname(self.path) or os.curdir

    def sift(self, job: Job, findings: Sequence[Finding], hide: Hide) -> list[Finding]:
        """Return those of *findings* that the baseline does not have."""
        known = self.counts.get(key_of(job.source.path, self.folder), {})
        if not known:
            return list(findings)
        codes = {mark.code for mark in known}
        asked = [finding for finding in findings if finding.code in codes]
        found = marks(job, asked, hide)
        answers = match(known, found)
        self.answered[job.source] = Counter(answer for answer in answers if answer is not None)
        held = {id(finding) for finding, answer in zip(asked, answers, strict=True) if answer is not None}
        return [finding for finding in findings if id(finding) not in held]

    def idle(self, versions: Iterable[tuple[Source, Collection[str]]]) -> int:
        """Return how many findings of the baseline are not there any more.

        *versions* are the texts that stand at the end of the run, with the codes of the rules that were
        asked.  A file that was not checked counts where it is gone altogether.
        """
        idle = 0
        checked = set()
        for source, codes in versions:
            key = key_of(source.path, self.folder)
            checked.add(key)
            entries = Counter({mark: n for mark, n in self.counts.get(key, {}).items() if mark.code in codes})
            idle += (entries - self.answered.get(source, Counter())).total()
        for key, marks_of_file in self.counts.items():
            if key not in checked and not self.has_file(key):
                idle += sum(marks_of_file.values())
        return idle

    def has_file(self, key: str) -> bool:
        """Tell whether the file called *key* is still there."""
        return os.path.lexists(os.path.join(self.folder, key))


def match(known: Mapping[Mark, int], found: Sequence[Mark]) -> list[Mark | None]:
    """Return, for each of *found*, the mark of *known* that answers it; None where none does.

    Each answers as many findings as it counts.  Of findings that are alike, those in the same command are
    answered first, and else the earlier ones: a new one of the kind is then told where it is.
    """
    left = Counter(known)
    answers: list[Mark | None] = [None] * len(found)
    for index, mark in enumerate(found):
        if left[mark] > 0:
            left[mark] -= 1
            answers[index] = mark
    others: dict[tuple[str, str, str], list[Mark]] = {}
    for mark in sorted(mark for mark, number in left.items() if number > 0):
        others.setdefault(mark.alike, []).append(mark)
    for index, mark in enumerate(found):
        rest = others.get(mark.alike)
        if answers[index] is None and rest:
            answers[index] = rest[0]
            left[rest[0]] -= 1
            if not left[rest[0]]:
                del rest[0]
    return answers


@dataclass(frozen=True, slots=True)
class FileMarks:
    """What was found in one file, for a new baseline."""

    path: str
    marks: tuple[Mark, ...]
    codes: frozenset[str]
    """The codes of the rules that looked and did not break."""


def renewed(old: Baseline | None, folder: str, files: Iterable[FileMarks]) -> tuple[Counts, int]:
    """Return the entries of a new baseline in *folder*, and how many findings of *old* it keeps.

    Of *old* stay the entries of files that were not looked at and still exist, and of rules that did not
    look: a run on a part of the scripts, or with a part of the rules, says nothing of them.
    """
    counts: dict[str, Counter[Mark]] = {}
    looked: dict[str, frozenset[str]] = {}
    for file in files:
        key = key_of(file.path, folder)
        looked[key] = file.codes
        counts[key] = Counter(file.marks)
    kept = 0
    for key, entries in (old.counts if old is not None else {}).items():
        for mark, number in entries.items():
            if mark.code not in looked[key] if key in looked else old is not None and old.has_file(key):
                counts.setdefault(key, Counter())[mark] += number
                kept += number
    return counts, kept
