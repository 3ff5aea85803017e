"""SB511 container-home-shadow."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Confidence, Finding, Job, Program, Rule, Severity, Step, mount_target, regex

_HOME = regex(r"\$\{?HOME\b|~/|/home/|/root\b|expanduser")


class ContainerHomeShadow(Rule):
    r"""The site decides whether the home folder is mounted, and with it the packages that lie there.

    ## Why
    With the home folder in the container, `~/.local/lib/python3.*/site-packages` comes before the packages of
    the image, and `~/.cache`, `~/.triton` and `~/.config` of other projects are used as well.  A job that
    runs for one person then fails for the next one with an import error.  `--no-container-mount-home` keeps
    the image as it was made, on every site.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    srun --container-image=/images/nemo.sqsh --container-mounts=/lustre/proj \  # finding here
        python /lustre/proj/t.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    srun --container-image=/images/nemo.sqsh --container-mounts=/lustre/proj \
        --no-container-mount-home python /lustre/proj/t.py
    ```

    ## Fix
    None: whether the job needs its home folder is yours to say.

    ## What it can't know
    What enroot does at your site when neither option is given, unless a cluster profile says it
    (`mounts-home`).  Where it says no, there is nothing to report.  Nothing is said of a script that
    speaks of the home folder, sets PYTHONNOUSERSITE, or mounts something there.

    ## References
    - NVIDIA/enroot: doc/configuration.md (`ENROOT_MOUNT_HOME`)
    - [NVIDIA/pyxis](https://github.com/NVIDIA/pyxis)
    """

    code = "SB511"
    name = "container-home-shadow"
    severity = Severity.INFO

    def check(self, job: Job) -> Iterator[Finding]:
        text = job.source.text
        mounted = job.cluster.containers.mounts_home if job.cluster is not None else None
        if mounted is False:
            return
        if _HOME.search(text) or "PYTHONNOUSERSITE" in text:
            return
        for step in job.plan.steps:
            if _is_open(step) and any(map(_is_python, step.programs)):
                yield self.finding(
                    step.span,
                    "~/.local and ~/.cache get into the container, for this cluster mounts the home folder"
                    if mounted
                    else "whether ~/.local and ~/.cache get into the container is the site's choice",
                    label="nothing is said of the home folder",
                    help="add --no-container-mount-home, or --container-mount-home where it is needed",
                    confidence=Confidence.MEDIUM if mounted else Confidence.LOW,
                )
                return


def _is_python(program: Program) -> bool:
    return program.has_layer("python") or bool(program.launchers)


def _is_open(step: Step) -> bool:
    container = step.container
    if container is None or container.runtime != "pyxis" or container.mounts_home is not None:
        return False
    mounts = (mount_target(mount) for mount, _ in container.mounts)
    return step.options_complete and not step.nested and not any(_HOME.match(mount) for mount in mounts)
