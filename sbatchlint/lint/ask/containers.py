"""What runs inside a container, and what the container has of the host."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.launch.plan import Container, Layer, LayerKind, Program, Step
from sbatchlint.launch.values import Value
from sbatchlint.lint.job import Job
from sbatchlint.needs.locating import container_around, ends_of
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.grammar.base import Refused
from sbatchlint.slurm.option_values import read_value

CLIENTS = frozenset(
    "scontrol squeue sinfo sacct sacctmgr sbatch salloc srun scancel sbcast sattach sstat sprio".split()
)
"""Commands of Slurm that talk to its daemons."""
_CLIENT_PATHS = regex(r"slurm|munge|/s?bin/s[a-z]+|^/usr(/s?bin)?(:|$)|^/(:|$)")


@dataclass(frozen=True, slots=True)
class Contained:
    """A program in a container."""

    program: Program
    step: Step | None
    container: Container
    """The innermost one around it."""
    layer: Layer | None
    """The command that starts the container; None for Pyxis, where srun itself does."""


def contained(job: Job) -> Iterator[Contained]:
    """Yield the programs that run in a container, each with the innermost one around it."""
    for step, program in job.plan.programs():
        container = container_around(step, program.layers, program)
        if container is not None:
            inner = (layer for layer in reversed(program.layers) if layer.kind is LayerKind.CONTAINER)
            yield Contained(program, step, container, next(inner, None))


def steps_in_containers(job: Job) -> Iterator[tuple[Step, Step]]:
    """Yield the steps that an srun inside a Pyxis container starts, each with the step around it."""
    outer: Step | None = None
    for step in job.plan.steps:
        if not step.nested:
            outer = step
        elif outer is not None and outer.container is not None:
            yield step, outer


def brings_clients(container: Container) -> bool:
    """Whether a mount speaks of Slurm's own commands, so that they may work in the container."""
    return any(_CLIENT_PATHS.search(mount.show()) for mount, _ in container.mounts)


def mount_source(mount: Value) -> str:
    """The host's side of a mount, as people write it; ``${NAME}`` is written ``$NAME``."""
    return ends_of(mount)[0]


def mount_target(mount: Value) -> str:
    """The container's side of a mount; the same path where none is given."""
    return ends_of(mount)[1]


def lies_under(path: str, folder: str) -> bool:
    """Tell whether *path* is *folder* or lies in it; both without a slash at the end."""
    return path == folder or path.startswith(folder if folder == "/" else folder + "/")


def refusal_of_value(job: Job, name: str, text: str) -> Refused | None:
    """What has to be said against *text* as the value of the option *name* of srun; None for nothing."""
    answer = read_value(name, text, job.verdict.asked[-1])
    return answer if isinstance(answer, Refused) else None
