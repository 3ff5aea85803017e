"""SB513 enroot-path-home."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, Related, Rule, Severity, Span, regex

_NOT_TAKEN = {
    "ENROOT_DATA_PATH": "XDG_DATA_HOME",
    "ENROOT_CACHE_PATH": "XDG_CACHE_HOME",
    "ENROOT_RUNTIME_PATH": "XDG_RUNTIME_DIR",
    "ENROOT_TEMP_PATH": "TMPDIR",
}
"""Variables of enroot's that Pyxis takes out of the environment, and what their defaults are built on."""
_CALLS_ENROOT = regex(r"(?m)(?:(?:^|[;&|(]|\bthen|\bdo)[ \t]*|\bsrun\b.{1,500}?\b)enroot\s+\w")


class EnrootPathHome(Rule):
    """A folder of enroot's is set for srun, where Pyxis does not take it over.

    ## Why
    The home folder fills up ("No space left on device", "Disk quota exceeded" while Pyxis imports or starts a
    container), so the script exports `ENROOT_DATA_PATH` or `ENROOT_CACHE_PATH`.  Pyxis leaves these out of
    what it hands to enroot: the folders stay those of the site's `enroot.conf`, and nothing is won.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    export ENROOT_DATA_PATH=/scratch/enroot/data  # finding here
    srun --container-image=/images/nemo.sqsh --no-container-mount-home python -c 'import torch'
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    export XDG_DATA_HOME=/scratch/enroot
    srun --container-image=/images/nemo.sqsh --no-container-mount-home python -c 'import torch'
    ```

    ## What it can't know
    Where the site's `enroot.conf` puts these folders: `XDG_DATA_HOME` and `XDG_CACHE_HOME` count only where
    it leaves them at their defaults, else the site has to help.  Nothing is reported of a script that calls
    enroot itself, which reads the variables.

    ## References
    - NVIDIA/pyxis: pyxis_slurmstepd.c (`enroot_deny_env`; before 0.11 `enroot_want_env`)
    - https://github.com/NVIDIA/pyxis/issues/43
    - NVIDIA/enroot: doc/configuration.md
    """

    code = "SB513"
    name = "enroot-path-home"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for step in job.plan.steps:
            if step.container is None or step.container.runtime != "pyxis":
                continue
            for program in step.programs:
                for name, of_default in _NOT_TAKEN.items():
                    span = program.environment_spans.get(name)
                    if span is None or span in seen:
                        continue
                    if _CALLS_ENROOT.search(job.source.text):
                        return
                    seen.add(span)
                    yield self.finding(
                        span,
                        f"{name} has no effect on srun's container: Pyxis does not hand it to enroot",
                        label="read by enroot's own command only",
                        related=[Related(step.span, "starts the container")],
                        help=f"set {of_default}, or ask the site where enroot.conf puts it",
                    )
