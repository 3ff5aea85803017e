"""SB216 option-needs-another."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Complaint,
    ComplaintKind,
    Confidence,
    Finding,
    Job,
    Rule,
    Severity,
    complaints,
    said,
    severity_of,
    who_does,
)

_NEEDS = {
    "gpus-per-task": "--ntasks or --gpus",
    "tres-per-task": "--ntasks or --gpus",
    "gpus-per-socket": "--sockets-per-node",
    "mem-per-gpu": "GPUs, such as --gpus-per-node",
    "cpus-per-gpu": "GPUs, such as --gpus-per-node",
    "distribution": "--nodelist",
}
_COUNTS = ("nodes", "ntasks", "gpus")
"""A script with none of these is made for all sizes: its callers write `sbatch -N 16 FILE`."""


class OptionNeedsAnother(Rule):
    """An option needs another one, which the script does not give.

    ## Why
    `--gpus-per-task` alone does not say how many GPUs the job gets: sbatch wants to know the number of tasks
    or of GPUs as well ("--gpus-per-task used without either --gpus or -n/--ntasks is not allowed").  In the
    same way `--mem-per-gpu` needs GPUs, and an arbitrary distribution a list of nodes.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --gpus-per-task=1  # finding here
    #SBATCH --time=00:10:00
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=4
    #SBATCH --gpus-per-task=1
    #SBATCH --time=00:10:00
    srun hostname
    ```

    ## What it can't know
    Whether the other option comes on sbatch's command line.  So this is a warning, and an error only where
    that command line is told (`--sbatch-args`).  A script that counts neither nodes nor tasks nor GPUs is
    likely to be told there, and `--nodes` is enough for `--gpus-per-task`: the confidence is medium.

    ## References
    - Slurm's src/interfaces/gres.c (`gres_job_state_validate`)
    """

    code = "SB216"
    name = "option-needs-another"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        kinds = (ComplaintKind.GPUS_NOT_REQUESTED, ComplaintKind.NO_HOSTS_FOR_ARBITRARY)
        for complaint in complaints(job, *kinds):
            yield self._report(job, complaint)

    def _report(self, job: Job, complaint: Complaint) -> Finding:
        assert complaint.span is not None
        name = complaint.options[0]
        other = _NEEDS.get(name, "another option")
        told = bool(job.options.sbatch_args)
        unless = "" if told else ", unless that comes on its command line"
        return self.finding(
            complaint.span,
            f"{who_does(job, complaint)} refuses the job: --{name} needs {other}{unless}",
            label=complaint.detail,
            help=f"add {other}",
            notes=said(complaint),
            severity=severity_of(job, complaint) if told else Severity.WARNING,
            confidence=Confidence.HIGH if told or _is_sized(job) else Confidence.MEDIUM,
        )


def _is_sized(job: Job) -> bool:
    return any(job.request.get(name) is not None for name in _COUNTS)
