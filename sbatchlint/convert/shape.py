"""How the program is started on many nodes, and why so."""

from __future__ import annotations

import os
from enum import Enum

from sbatchlint.convert.not_carried import what_it_starts
from sbatchlint.convert.python_file import Told, told_by_file
from sbatchlint.convert.reading import Given
from sbatchlint.convert.refusal import Refused
from sbatchlint.records import dataclass
from sbatchlint.training.entrypoints import LaunchClass
from sbatchlint.training.frameworks import FrameworkName


class Shape(Enum):
    """What srun starts."""

    NATIVE = "native"
    """One task for each GPU, each of them a rank."""
    LAUNCHER = "torchrun"
    """One launcher on each node, which starts the ranks there."""
    SINGLE = "single"
    """One task, which is all."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A shape, and what speaks for it."""

    shape: Shape
    why: str
    lightning: bool = False
    """Whether Lightning compares its own numbers of nodes and devices with Slurm's."""
    meets: bool = False
    """Whether ranks that srun starts are told where they meet."""


_NEEDS_LAUNCHER = {
    LaunchClass.ENV_REQUIRED: "it needs RANK, WORLD_SIZE and MASTER_ADDR, which a launcher sets",
    LaunchClass.TORCHRUN_ONLY: "it starts under torchrun only",
    LaunchClass.FT_LAUNCHER: "it needs the fault-tolerant launcher",
}


def choose(given: Given, mode: str, folder: str) -> Choice:
    """Return the shape for *given*; *mode* is ``auto``, ``native`` or ``torchrun``.

    The Python file is looked for from *folder*, else from the current one.  Raises Refused where the
    program has no place in a job's tasks.
    """
    framework, name = given.framework, given.program.name or "the program"
    if framework.launch is LaunchClass.LOGIN_NODE:
        raise Refused(
            name,
            "it submits jobs itself: run it on the login node, as it is; inside a job it would start others",
        )
    if mode == "native":
        is_nemo, is_unknown = (framework.name is one for one in (FrameworkName.NEMO, FrameworkName.UNKNOWN))
        return Choice(Shape.NATIVE, "--mode native", is_nemo, is_unknown)
    if mode == "torchrun":
        return Choice(Shape.LAUNCHER, "--mode torchrun")
    launcher = given.launcher
    if launcher is not None and launcher.name not in ("torchrun", "torch.distributed.launch"):
        return Choice(Shape.LAUNCHER, f"{launcher.name} starts the ranks of its node and prepares them")
    return _by_script(given, name) or _by_file(given, folder) or _by_command(given, name)


def _by_script(given: Given, name: str) -> Choice | None:
    framework = given.framework
    if framework.name is FrameworkName.NEMO:
        return Choice(Shape.NATIVE, f"{framework.why}; Lightning reads Slurm's variables", lightning=True)
    if framework.launch is LaunchClass.NATIVE:
        return Choice(Shape.NATIVE, f"{framework.why}, which reads SLURM_PROCID and its like")
    if framework.launch is LaunchClass.SINGLE_PROCESS:
        return Choice(Shape.SINGLE, f"{name} is one process")
    if framework.launch in _NEEDS_LAUNCHER:
        return Choice(Shape.LAUNCHER, f"{framework.why}; {_NEEDS_LAUNCHER[framework.launch]}")
    return None


def _by_file(given: Given, folder: str) -> Choice | None:
    told = _told(given, folder)
    if told is None:
        return None
    if told.launch is LaunchClass.NATIVE:
        return Choice(Shape.NATIVE, told.why, told.lightning, told.meets)
    return Choice(Shape.LAUNCHER, told.why)


def _told(given: Given, folder: str) -> Told | None:
    target = given.program.target.text
    if target is None or given.program.folder == "?":
        return None
    if given.program.is_module:
        target = os.path.join(*target.split("."))
        paths = [f"{target}.py", os.path.join(target, "__main__.py")]
    else:
        paths = [target] if target.endswith(".py") else []
    places = (os.path.join(start, given.program.folder, path) for start in (folder, ".") for path in paths)
    there = next((place for place in places if os.path.isfile(place)), None)
    return None if there is None else told_by_file(there)


def _by_command(given: Given, name: str) -> Choice:
    if given.launcher is not None:
        return Choice(
            Shape.LAUNCHER, f"nothing is known of {name}, and under torchrun it runs as it does now"
        )
    if instead := what_it_starts(given.program):
        raise Refused(name, instead)
    if name.endswith((".sh", ".bash")):
        raise Refused(
            name, f"it is a script of its own: --from-file {name} converts what it runs (or say --mode)"
        )
    if given.least_world is not None:
        return Choice(Shape.LAUNCHER, f"{name} is given a layout for several ranks, and torchrun starts them")
    return Choice(Shape.SINGLE, f"nothing tells that {name} can be one of several ranks")
