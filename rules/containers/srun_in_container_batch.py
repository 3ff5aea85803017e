"""SB503 srun-in-container-batch."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Finding,
    Fixable,
    Job,
    Related,
    Rule,
    Severity,
    Span,
    move_to_only_srun,
    names_container,
    pyxis_directives,
    sbatch_takes_pyxis,
)

_CLIENT_WORDS = ("slurm", "munge", "srun", "/scontrol")


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
    Where the script has exactly one srun, the container options move onto it.  That is an unsafe fix: the
    rest of the script then runs outside the container.  With several sruns only the author knows which is
    meant.

    ## What it can't know
    Whether the image has a Slurm client of its own, so this is a warning.  Nothing is said where a mount
    brings one, or where the image's name speaks of Slurm.  Where sbatch does not have Pyxis's options, it
    refuses the script: SB101 says so if the profile of the cluster does (`sbatch-support`).

    ## References
    - [NVIDIA/pyxis: sbatch](https://github.com/NVIDIA/pyxis#sbatch)
    - [NVIDIA/pyxis issue 107](https://github.com/NVIDIA/pyxis/issues/107)
    """

    code = "SB503"
    name = "srun-in-container-batch"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        uses = pyxis_directives(job)
        takes = sbatch_takes_pyxis(job)
        if not names_container(uses) or takes is False or _brings_slurm(job):
            return
        calls = sorted({(step.span, not step.conditional) for step in job.plan.steps if not step.nested})
        if not calls:
            return
        naming = next(use for use in uses if names_container([use]))
        assert naming.span is not None
        doubt = "where Pyxis has no support for sbatch, sbatch refuses the script: unrecognized option"
        yield self.finding(
            naming.span,
            "srun will probably not be found: the batch script itself runs in this image",
            label="holds for the script, not for the tasks of srun",
            related=[Related(span, "called inside the image") for span in _first(calls)],
            help="move the container options from the directives to the srun line",
            notes=() if takes else (doubt,),
            fix=move_to_only_srun(job, uses),
            confidence=Confidence.HIGH if any(sure for _, sure in calls) else Confidence.MEDIUM,
        )


def _first(calls: list[tuple[Span, bool]]) -> list[Span]:
    return list(dict.fromkeys(span for span, _ in calls))[:4]


def _brings_slurm(job: Job) -> bool:
    """Whether an option of the job, or a mount of the site, speaks of Slurm's client."""
    site = () if job.cluster is None else job.cluster.containers.mounts
    uses = [use for use in job.request.uses if use.spec.plugin == "pyxis"]
    said = [*(use.value or "" for use in uses), *site]
    return any(word in value for value in said for word in _CLIENT_WORDS)
