"""SB514 shm-size."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Layer,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    contained,
    gpu_need,
    option_numbers,
    processes_of,
    regex,
)

_RUNTIMES = frozenset(("docker", "nvidia-docker", "podman"))
_ASKS = ("shm-size", "shm-size-systemd", "ipc")
_WORKERS = tuple(
    f"{prefix}num{dash}workers"
    for prefix in ("", "dataloader_", "dataloader-", "data.", "dataset.", "trainer.")
    for dash in "_-"
)
_RUN = regex(r"(?:[ \t]|\\\n)+(?:container(?:[ \t]|\\\n)+)?run\b")
_SHM = regex(r"(?:^|[:=,])/dev/shm(?:[:,/]|$)|^/dev(?::|$)")


class ShmSize(Rule):
    """A training starts in a container of Docker or Podman that has 64 MiB of shared memory.

    ## Why
    Docker and Podman give a container a `/dev/shm` of its own, of 64 MiB.  The workers of a DataLoader pass
    their batches through it, and so does NCCL between the ranks of a node: "RuntimeError: DataLoader worker
    is killed by signal: Bus error", "This might be caused by insufficient shared memory (shm)", "Error while
    creating shared memory segment /dev/shm/nccl-...".  Pyxis, Apptainer and Shifter show the node's own.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=4
    srun docker run --gpus=all train:1 torchrun --standalone --nproc_per_node=4 train.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=4
    srun docker run --ipc=host --gpus=all train:1 torchrun --standalone --nproc_per_node=4 train.py
    ```

    ## Fix
    `--ipc=host` is added.  It is left to you (unsafe): the container then sees the shared memory of all that
    runs on the node.  `--shm-size=64g` gives it one of its own.

    ## What it can't know
    Whether the daemon of the site gives more (`default-shm-size`).  Programs of one process are taken to have
    no workers unless an option such as `--num_workers` says so.

    ## References
    - docker-run(1), podman-run(1): `--shm-size`, `--ipc`
    - https://github.com/pytorch/pytorch/issues/5040
    """

    code = "SB514"
    name = "shm-size"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for place in contained(job):
            layer, program = place.layer, place.program
            if layer is None or layer.span is None or layer.span in seen or not _shares(program):
                continue
            run = _RUN.match(job.source.text, layer.span.end)
            if run is None or layer.name not in _RUNTIMES or not layer.complete or _has_more(layer):
                continue
            need = gpu_need(program, place.step)
            if need is None:
                continue
            seen.add(layer.span)
            yield self.finding(
                layer.span,
                f"{program.name or 'the program'} has 64 MiB of shared memory in this container",
                label=f"{layer.name}'s default for /dev/shm",
                related=[Related(need.span, "needs a GPU")] if not need.span.overlaps(layer.span) else [],
                help="add --ipc=host, or a --shm-size",
                fix=Fix.unsafe("add --ipc=host", Edit(Span(run.end(), run.end()), " --ipc=host")),
                confidence=Confidence.MEDIUM,
            )


def _has_more(layer: Layer) -> bool:
    """Whether an option decides on the shared memory, or mounts something over it."""
    values = (option.value.show() for option in layer.options if option.value is not None)
    return layer.get(*_ASKS) is not None or any(_SHM.search(value) for value in values)


def _shares(program: Program) -> bool:
    """Whether several processes pass data to one another: ranks, or workers that load it."""
    processes = [processes_of(layer) for layer in program.launchers]
    several = any(one.all_gpus or (one.number or 0) > 1 for one in processes)
    return several or any(number.value > 0 for number in option_numbers(program, _WORKERS))
