"""SB508 container-mount-missing."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Confidence, Finding, Job, MissingPath, Related, Rule, Severity, Span, missing_paths


class ContainerMountMissing(Rule):
    r"""A path of the host is used inside a container in which nothing is mounted there.

    ## Why
    A container sees its image and what is mounted, under the names of the mounts.  With
    `--container-mounts=/lustre/proj:/proj` the folder is called `/proj` in there; the same command with
    `/lustre/proj/train.py` ends in `can't open file ... No such file or directory`.  Output is worse: a
    program that makes its folders writes a checkpoint to `/lustre/out` of the image's own root, and it is
    gone when the step ends.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --container-image=/images/nemo.sqsh --container-mounts=/lustre/proj:/proj --no-container-mount-home \
        python /lustre/proj/train.py --out /proj/out  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --container-image=/images/nemo.sqsh --container-mounts=/lustre/proj:/proj --no-container-mount-home \
        python /proj/train.py --out /proj/out
    ```

    A folder beside a mounted one of the same file system is missing too, and so is a working folder.

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    MOUNTS=/lustre/code:/lustre/code,/lustre/data:/lustre/data
    srun --container-image=/images/nemo.sqsh --container-mounts="$MOUNTS" --no-container-mount-home \
        python /lustre/code/train.py --data=/lustre/data --save=/lustre/ckpt  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    MOUNTS=/lustre/code:/lustre/code,/lustre/data:/lustre/data,/lustre/ckpt:/lustre/ckpt
    srun --container-image=/images/nemo.sqsh --container-mounts="$MOUNTS" --no-container-mount-home \
        python /lustre/code/train.py --data=/lustre/data --save=/lustre/ckpt
    ```

    ## Fix
    None: mount the folder, or use the name that it has in the container.

    ## What it can't know
    What the image holds and what enroot's configuration mounts besides.  A path counts as the host's only if
    a mount of the same step says so (it is the source of one, or lies on the same file system: `/lustre`,
    `/gpfs`, `/scratch` and the like), or if the script uses it outside the container (`mkdir`, `--output`).
    Nothing is said where a mount is not known.  A step that mounts nothing at all may get the site's mounts:
    a path of a shared file system is reported there with little confidence.

    ## References
    - [NVIDIA/pyxis](https://github.com/NVIDIA/pyxis)
    """

    code = "SB508"
    name = "container-mount-missing"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for step in job.plan.steps:
            if step.container is None or step.nested:
                continue
            sure = not step.doubtful
            for missing in missing_paths(job, step, step.container):
                if missing.span not in seen:
                    seen.add(missing.span)
                    yield self._report(missing, sure, bool(step.container.mounts))

    def _report(self, missing: MissingPath, sure: bool, mounts: bool) -> Finding:
        moved = missing.mounted_at is not None
        certain = sure and moved and missing.known
        related = [] if missing.mount is None else [Related(missing.mount, _why(missing))]
        return self.finding(
            missing.span,
            f"{missing.path} does not exist inside the container"
            if mounts
            else f"{missing.path} may not exist inside the container: the step mounts nothing",
            label="a path of the host that is not mounted",
            related=[one for one in related if not one.span.overlaps(missing.span)],
            help=f"write {missing.mounted_at}" if moved else f"add {missing.path} to --container-mounts",
            severity=Severity.ERROR if certain else Severity.WARNING,
            confidence=Confidence.HIGH if mounts else Confidence.LOW,
        )


def _why(missing: MissingPath) -> str:
    if missing.mounted_at is not None:
        return f"mounted as {missing.mounted_at}"
    return "a folder of the same file system has to be mounted"
