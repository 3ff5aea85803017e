"""SB502 scontrol-in-container."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    SLURM_CLIENTS,
    Confidence,
    Contained,
    Container,
    Finding,
    Job,
    Related,
    Rule,
    Severity,
    Span,
    brings_clients,
    contained,
    steps_in_containers,
)


class ScontrolInContainer(Rule):
    r"""A command of Slurm is called inside a container that does not have it.

    ## Why
    Images hold neither Slurm's commands nor its configuration and MUNGE socket.  `scontrol show hostnames`
    in the command of a containerised step says `scontrol: command not found`; in
    `MASTER_ADDR=$(scontrol ... | head -n 1)` that leaves an empty address, and the ranks wait for a
    rendezvous that never comes.  The batch shell runs on the host, where the command works.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    #SBATCH --exclusive
    srun --container-image=/images/train.sqsh --no-container-mount-home bash -c '
    HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)  # finding here
    torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint="$HEAD:29400" train.py'
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    #SBATCH --exclusive
    HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    export HEAD
    srun --container-image=/images/train.sqsh --no-container-mount-home bash -c '
    torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint="$HEAD:29400" train.py'
    ```

    ## What it can't know
    Whether the image holds a Slurm client, or the site mounts one in every container.  Nothing is said where
    a mount of the script speaks of Slurm, and it is less sure where mounts are not known.

    ## References
    - [NVIDIA/pyxis](https://github.com/NVIDIA/pyxis)
    - scontrol(1), srun(1)
    """

    code = "SB502"
    name = "scontrol-in-container"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        found: dict[Span, Finding] = {}
        for place in contained(job):
            span, name = place.program.span, place.program.name
            if span is None or name not in SLURM_CLIENTS or _is_provided(job, place.container):
                continue
            if not _is_tried(job, place, span):
                found.setdefault(span, self._report(span, name, place.container))
        for step, outer in steps_in_containers(job):
            assert outer.container is not None
            if not step.conditional and not _is_provided(job, outer.container):
                found.setdefault(step.span, self._report(step.span, "srun", outer.container))
        yield from found.values()

    def _report(self, span: Span, name: str, container: Container) -> Finding:
        related = []
        if container.span is not None and not span.overlaps(container.span):
            related.append(Related(container.span, "it runs in this image"))
        sure = container.mounts_complete
        return self.finding(
            span,
            f"{name} will not be found: it is called inside the container",
            label="images have no Slurm",
            related=related,
            help="call it in the batch script, outside the container, and export what it says",
            notes=() if sure else ("a mount that is not known may bring Slurm's commands",),
            confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        )


def _is_provided(job: Job, container: Container) -> bool:
    site = () if job.cluster is None else job.cluster.containers.mounts
    return brings_clients(container) or any("slurm" in mount for mount in site)


def _is_tried(job: Job, place: Contained, span: Span) -> bool:
    """Whether the script is ready for the command to be missing: a condition, or ``||`` on the same line."""
    if place.program.conditional and (place.step is None or not place.step.conditional):
        return True
    line = job.source.line_around(span.start)
    return "||" in job.source.text[span.start : line.end] or "command -v" in job.source.slice(line)
