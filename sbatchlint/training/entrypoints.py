"""The entry scripts of Megatron-Bridge: how each is meant to be started, and which options it reads.

The facts stand in ``data/entrypoints.json``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from sbatchlint.launch.values import Text, Value
from sbatchlint.records import dataclass


class LaunchClass(Enum):
    """What a program needs to become one rank of many."""

    NATIVE = "native"
    """Plain srun, one task for each GPU: it reads ``SLURM_PROCID`` and its like itself."""
    ENV_REQUIRED = "env-required"
    """RANK, WORLD_SIZE and MASTER_ADDR must be in the environment; a launcher puts them there."""
    TORCHRUN_ONLY = "torchrun-only"
    """It refuses to start, or runs alone, where WORLD_SIZE is not set."""
    FT_LAUNCHER = "ft_launcher"
    """It needs the fault-tolerant launcher of nvidia-resiliency-ext."""
    LOGIN_NODE = "login-node-launcher"
    """It submits jobs itself and has no place in a task."""
    SINGLE_PROCESS = "single-process"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """One script of Megatron-Bridge."""

    path: str
    """From the root of the repository."""
    launch: LaunchClass
    dialects: tuple[str, ...]
    """The names of the option tables in ``data/dialects/`` that it reads."""

    @property
    def name(self) -> str:
        """The base name."""
        return self.path.rsplit("/", 1)[-1]


@cache
def _data() -> dict[str, Any]:
    path = Path(__file__).with_name("data") / "entrypoints.json"
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


@cache
def entry_points() -> tuple[EntryPoint, ...]:
    """Every script that is known."""
    return tuple(
        EntryPoint(path, LaunchClass(launch), _dialects(path))
        for launch, paths in _data()["launch"].items()
        for path in paths
    )


def _dialects(path: str) -> tuple[str, ...]:
    return next(tuple(row["dialects"]) for row in _data()["options"] if path.startswith(row["under"]))


def known_end(target: Value) -> str:
    """Return the text that *target* is known to end with: ``$REPO/a/b.py`` ends with ``/a/b.py``."""
    pieces: list[str] = []
    for segment in reversed(target.segments):
        if not isinstance(segment, Text):
            break
        pieces.append(segment.text)
    return "".join(reversed(pieces))


def by_path(target: Value) -> EntryPoint | None:
    """Return the script that *target* ends with, folders included; the head of the path may be unknown.

    A bare base name is too little: any project may have a ``run_recipe.py``.
    """
    end = known_end(target)
    folders = end.split("/")
    for depth, points in _by_depth().items():
        point = points.get("/".join(folders[-depth:]))
        if point is not None:
            return point
    return None


@cache
def _by_depth() -> Mapping[int, Mapping[str, EntryPoint]]:
    """The scripts by their paths, of which none is the end of another, for each number of names in a path."""
    found: dict[int, dict[str, EntryPoint]] = {}
    for point in entry_points():
        found.setdefault(point.path.count("/") + 1, {})[point.path] = point
    return found


@lru_cache(maxsize=1024)
def by_name(name: str) -> EntryPoint | None:
    """Return a script with this base name, if all scripts with that name start in the same way."""
    return _same(point for point in entry_points() if point.name == name)


def _same(points: Iterable[EntryPoint]) -> EntryPoint | None:
    found = list(points)
    if len({point.launch for point in found}) != 1:
        return None
    dialects = dict.fromkeys(dialect for point in found for dialect in point.dialects)
    return EntryPoint(found[0].name, found[0].launch, tuple(dialects))
