"""A script in the making: what it has, and where its chances come from."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import TypeVar

from benchmarks import words

T = TypeVar("T")


@dataclass(frozen=True)
class Draft:
    """What is settled of a script before it is written."""

    number: int
    """Its place among the scripts; no two have the same."""
    length: int
    """How many lines it shall have."""
    training: bool
    """Whether it launches AI work on several nodes."""
    features: frozenset[str]
    chance: random.Random

    def has(self, feature: str) -> bool:
        """Tell whether it has *feature*, a name of :mod:`benchmarks.figures`."""
        return feature in self.features

    def likely(self, share: float) -> bool:
        """Tell yes in *share* of all cases."""
        return self.chance.random() < share

    def one(self, choices: tuple[T, ...]) -> T:
        """Return one of *choices*; the first are taken more often than the last, as names in the wild are."""
        return choices[int(len(choices) * self.chance.random() ** 1.6)]

    def some(self, choices: tuple[T, ...], count: int) -> list[T]:
        """Return *count* different ones of *choices*, or all there are."""
        return self.chance.sample(choices, min(count, len(choices)))

    def path(self) -> str:
        """Return a path, often one that has the name of this script's work in it."""
        start = f"${self.one(words.PATHS)}" if self.likely(0.5) else self.one(words.FOLDERS)
        path = f"{start}/{self.one(words.FILES)}"
        return f"{path}/{self.work()}/{self.one(words.FILES)}" if self.likely(0.55) else path

    def work(self) -> str:
        """Return a name of this script's work, one of several that there are."""
        variant = self.one(("main", "v2", "lr3e-4", "bs64", "resume", "long-context", "ablation-wd"))
        return f"{words.JOBS[self.number % len(words.JOBS)]}-{self.number % 71}-{variant}"

    def comment(self) -> str:
        """Return what a comment says."""
        if self.likely(0.6):
            return self.one(words.COMMENTS)
        return f"{self.one(words.REMARKS)} {self.one(words.FILES)} {self.one(words.PURPOSES)}"

    def options(self, count: int) -> list[str]:
        """Return *count* different options of a training program, with their values."""
        patterns = self.some(words.OPTIONS if self.training else words.PLAIN_OPTIONS, count)
        return [re.sub(r"\{(\w+)\}", lambda found: self._value(found[1]), pattern) for pattern in patterns]

    def _value(self, kind: str) -> str:
        if kind == "path":
            return self.path()
        if kind == "work":
            return self.work()
        return self.one(words.FILES if kind == "word" else words.NUMBERS[kind])
