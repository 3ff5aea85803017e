"""SB510 container-mount-shadows-system."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, Rule, Severity, Span, mount_source, mount_target

_PROGRAMS = frozenset(
    "/ /usr /usr/bin /usr/lib /usr/lib64 /usr/local /usr/local/bin /usr/local/lib /usr/local/cuda /bin /sbin "
    "/lib /lib64 /opt /etc".split()
)
_SPECIAL = ("tmpfs", "umount")


class ContainerMountShadowsSystem(Rule):
    r"""A mount lies over a folder of the image that holds its programs.

    ## Why
    What is mounted at `/usr`, `/opt` or `/etc` takes the place of what the image has there.  NVIDIA's images
    keep Python's packages, the HPC-X libraries and their virtual environment under `/usr/local` and `/opt`:
    with the host's folder over them, `python` is the host's or is missing, libraries do not fit, and with
    `/etc` the links that choose between versions are gone.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    srun --container-image=/images/nemo.sqsh --no-container-mount-home \
        --container-mounts=/opt:/opt,/data:/data python t.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    srun --container-image=/images/nemo.sqsh --no-container-mount-home \
        --container-mounts=/opt/slurm:/opt/slurm,/data:/data python t.py
    ```

    ## Fix
    None: mount the one folder below that the program needs.

    ## What it can't know
    Whether the image is an empty shell that is meant to be filled from the host.

    ## References
    - [NVIDIA/pyxis](https://github.com/NVIDIA/pyxis)
    """

    code = "SB510"
    name = "container-mount-shadows-system"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for step in job.plan.steps:
            if step.container is None:
                continue
            for mount, span in step.container.mounts:
                target = mount_target(mount)
                if target not in _PROGRAMS or mount_source(mount) in _SPECIAL or span is None or span in seen:
                    continue
                seen.add(span)
                yield self.finding(
                    span,
                    f"the image's own {target} is hidden: {mount_source(mount)} is mounted over it",
                    label="mounted here",
                    help=f"mount only the folder below {target} that is needed",
                )
