"""SB213 request-contradiction."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint_rules.resources._refused import refused

from sbatchlint.api import Complaint, ComplaintKind, Finding, Job, Rule, Severity, complaints

_WHAT = {
    ComplaintKind.MORE_HOSTS_THAN_NODES: "--nodelist names more nodes than --nodes asks for",
    ComplaintKind.TOO_FEW_TASKS_FOR_PLANE: "there are too few tasks for the distribution",
    ComplaintKind.TASKS_PER_CORE: "--ntasks-per-core is larger than --threads-per-core",
    ComplaintKind.TIME_ORDER: "--{0} contradicts --{1}",
    ComplaintKind.HOSTS_EXCLUDED: "a node is both wanted and excluded",
    ComplaintKind.BATCH_FEATURES: "--batch wants a feature that --constraint does not ask for",
    ComplaintKind.ARRAY_OF_COMPONENTS: "a job of several components can't be an array",
    ComplaintKind.SEGMENTS: "the nodes can't be divided into segments",
}

_TELL_ALL = (ComplaintKind.HOSTS_EXCLUDED, ComplaintKind.ARRAY_OF_COMPONENTS)
"""Kinds whose detail is the whole story."""
_TIMES: dict[tuple[str, ...], str] = {
    ("time-min", "time"): "--time-min is longer than --time",
    ("deadline", "begin"): "--deadline is before --begin",
}


class RequestContradiction(Rule):
    """What the options ask for contradicts itself.

    ## Why
    Each option is in order by itself, but no job can satisfy all of them: more nodes are named than asked
    for, a least time limit is above the limit, a node is both wanted and excluded.  sbatch or the controller
    refuses the job.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --time=00:30:00
    #SBATCH --time-min=01:00:00  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --time=01:00:00
    #SBATCH --time-min=00:30:00
    srun hostname
    ```

    ## References
    - Slurm's src/sbatch/opt.c (`_opt_verify`) and src/slurmctld/job_mgr.c
    """

    code = "SB213"
    name = "request-contradiction"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint in complaints(job, *_WHAT):
            what = _what(complaint)
            label = "" if what == complaint.detail else complaint.detail
            help = "change one of them"
            yield refused(self, job, complaint, what, label=label, other="contradicts it", help=help)


def _what(complaint: Complaint) -> str:
    what = _TIMES.get(complaint.options[:2], _WHAT[complaint.kind].format(*complaint.options, ""))
    return complaint.detail if complaint.kind in _TELL_ALL and complaint.detail else what
