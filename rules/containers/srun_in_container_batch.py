"""SB503 srun-in-container-batch."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, OptionUse, Related, Rule, Severity, Span

_CLIENT_WORDS = ("slurm", "munge", "/srun", "/scontrol")


class SrunInContainerBatch(Rule):
    r"""The batch script itself runs in the image of a `--container-image` directive, where there is no srun.

    ## Why
    As a directive, Pyxis's `--container-image` does not wait for srun: the batch script runs in that image,
    on the first node.  There `srun` ends in `srun: command not found` (or in a failure to reach the
    controller), and nothing is started on the other nodes.  On the srun line the same options put the tasks
    into the image and leave the script on the host.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=4
    #SBATCH --container-image=/images/mpi.sqsh  # finding here
    #SBATCH --container-mounts=/scratch:/scratch
    srun --mpi=pmix /workspace/hello
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=4
    srun --mpi=pmix --container-image=/images/mpi.sqsh --container-mounts=/scratch:/scratch \
        /workspace/hello
    ```

    ## Fix
    None: move the container options to the srun lines that need them.

    ## What it can't know
    Whether the image has a Slurm client of its own.  Nothing is said where a mount brings one.  At sites
    where sbatch does not have Pyxis's options the script is refused already.

    ## References
    - [NVIDIA/pyxis: sbatch](https://github.com/NVIDIA/pyxis#sbatch)
    - [NVIDIA/pyxis issue 107](https://github.com/NVIDIA/pyxis/issues/107)
    """

    code = "SB503"
    name = "srun-in-container-batch"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        directive = job.request.get("container-image") or job.request.get("container-name")
        if directive is None or directive.span is None or _brings_slurm(job):
            return
        calls = sorted({(step.span, not step.conditional) for step in job.plan.steps if not step.nested})
        if not calls:
            return
        certain = any(sure for _, sure in calls)
        yield self.finding(
            directive.span,
            "srun will not be found: the batch script itself runs in this image",
            label="holds for the script, not for the tasks of srun",
            related=[Related(span, "called inside the image") for span in _first(calls)],
            help="move the container options from the directives to the srun line",
            severity=Severity.ERROR if certain else Severity.WARNING,
        )


def _first(calls: list[tuple[Span, bool]]) -> list[Span]:
    return list(dict.fromkeys(span for span, _ in calls))[:4]


def _brings_slurm(job: Job) -> bool:
    uses: list[OptionUse] = [use for use in job.request.uses if use.spec.long == "container-mounts"]
    site = () if job.cluster is None else job.cluster.containers.mounts
    mounts = [*(use.value or "" for use in uses), *site]
    return any(word in mount for mount in mounts for word in _CLIENT_WORDS)
