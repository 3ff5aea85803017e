"""SB515 container-abs-command."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Finding,
    Job,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    lies_under,
    mount_target,
)

_OF_ANY_IMAGE = frozenset("bash sh env hostname ls cat true sleep nvidia-smi".split())
"""Commands that lie in the same folder nearly everywhere."""
_OF_SYSTEMS = ("/bin/", "/usr/bin/")


class ContainerAbsCommand(Rule):
    """srun looks for the command on the host, and the command is in the container.

    ## Why
    With `--bcast`, or `SLURM_TEST_EXEC` in its environment, srun itself looks for the command before it
    starts the step, outside the container.  `/opt/venv/bin/python` is not there: "srun: fatal: Can not
    execute /opt/venv/bin/python".  And a plain `python` becomes the path of the host's own,
    `/usr/bin/python`, which the container takes instead of the one of its environment, or does not have:
    "execve(): /usr/bin/python: No such file or directory".

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    export SLURM_TEST_EXEC=1
    srun --container-image=/images/nemo.sqsh --no-container-mount-home /opt/bin/python t.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    export SLURM_TEST_EXEC=1
    srun --container-image=/images/nemo.sqsh --no-container-mount-home bash -c '/opt/bin/python t.py'
    ```

    ## What it can't know
    Whether the site has `LaunchParameters=test_exec` in slurm.conf, which does the same for each srun:
    nothing is reported where the script itself does not ask for it.

    ## References
    - https://github.com/NVIDIA/pyxis/issues/104
    - Slurm's src/srun/opt.c (`SLURM_TEST_EXEC`), src/common/proc_args.c (`search_path`); srun(1), `--bcast`
    """

    code = "SB515"
    name = "container-abs-command"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        for step in job.plan.steps:
            container = step.container
            if container is None or container.runtime != "pyxis" or not step.programs or step.nested:
                continue
            cause = _cause(job, step)
            command, span = _command(job, step)
            if cause is None or span is None or command in _OF_ANY_IMAGE or command.startswith(_OF_SYSTEMS):
                continue
            mounts = (mount_target(mount) for mount, _ in container.mounts)
            if any(lies_under(command, mount.rstrip("/") or "/") for mount in mounts):
                continue
            yield self.finding(
                span,
                f"srun looks for {command} on the host, not in the container",
                label="the command that srun starts",
                related=[Related(cause, "makes srun look for it")],
                help="start it by bash -c '...', which every image has",
                confidence=Confidence.MEDIUM,
            )


def _cause(job: Job, step: Step) -> Span | None:
    bcast = step.get("bcast")
    if bcast is not None:
        return bcast.arg.place
    environment = step.programs[0].environment_spans
    return environment.get("SLURM_TEST_EXEC")


def _command(job: Job, step: Step) -> tuple[str, Span | None]:
    """The first word behind srun's options, and where it is written."""
    program = step.programs[0]
    if program.layers:
        span = program.layers[0].span
        return ("" if span is None else job.source.slice(span)), span
    first = program.words[0] if program.words else None
    return ("", None) if first is None else (first.value.show(), first.place)
