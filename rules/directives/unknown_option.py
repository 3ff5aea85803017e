"""SB108 unknown-option."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import (
    Complaint,
    ComplaintKind,
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    RequestProblem,
    Rule,
    Severity,
    complaints,
    meant_option,
    problem_of,
    regex,
    resembles_option,
    said,
    severity_of,
    who_does,
)

_ELSEWHERE = {
    "--walltime": "--time",
    "--wall-time": "--time",
    "--time-limit": "--time",
    "--queue": "--partition",
    "--name": "--job-name",
    "--memory": "--mem",
    "--mem-per-node": "--mem",
    "--email": "--mail-user",
    "--workdir": "--chdir",
    "--project": "--account",
    "--env": "--export",
    "--stdout": "--output",
    "--stderr": "--error",
    "--cpus-per-node": "--ntasks-per-node, with --cpus-per-task",
    "--processes-per-node": "--ntasks-per-node",
    "--ngpus": "--gpus",
    "--num-gpus": "--gpus",
    "--num-nodes": "--nodes",
    "--nnodes": "--nodes",
    "--gpu-type": "the type of --gpus-per-node=TYPE:NUMBER",
    "--gpus-type": "the type of --gpus-per-node=TYPE:NUMBER",
    "--container": "--container-image (Pyxis), or --container for an OCI bundle",
}
"""Names that other programs, other batch systems or old releases have for it."""
_SWITCHED = regex(r"=(?:yes|no|true|false|on|off)$", re.IGNORECASE)


class UnknownOption(Rule):
    """An option that sbatch does not know.

    ## Why
    One name that sbatch does not know, or an abbreviation that could mean several, and the script is refused:
    "sbatch: unrecognized option '--ntasks_per_node=8'".  Names are written with hyphens, in lower case; any
    beginning of a name that fits only one will do.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks_per_node=8  # finding here
    #SBATCH --parttion=batch  # finding here
    #SBATCH --Time=01:00:00  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --partition=batch
    #SBATCH --time=01:00:00
    srun hostname
    ```

    An abbreviation that may mean three options:

    ```sbatch bad
    #!/bin/bash
    #SBATCH --node=2  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    srun hostname
    ```

    ## Fix
    The name is corrected where just one option of sbatch is one slip away from it, or the same but for
    hyphens and capitals.

    ## What it can't know
    Which options the plugins of a site add.  Those of Pyxis, Shifter and some sites are known; name others
    with `--known-option`.  A name that is like none of sbatch's, nor used for one elsewhere, may be such an
    option: that is a warning, unless the release is given, and of medium confidence where its value is a yes
    or a no, as of a plugin's switch.

    ## References
    - sbatch(1); the option table in Slurm's src/common/slurm_opt.c; getopt_long(3)
    """

    code = "SB108"
    name = "unknown-option"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint in complaints(job, ComplaintKind.UNKNOWN_OPTION, ComplaintKind.AMBIGUOUS_OPTION):
            problem = problem_of(job, complaint)
            yield self._report(job, complaint, problem)

    def _report(self, job: Job, complaint: Complaint, problem: RequestProblem | None) -> Finding:
        assert complaint.span is not None
        names = () if problem is None else problem.possibilities
        what = "is short for several options" if names else "is no option of sbatch"
        name = problem.name if problem is not None else job.source.slice(complaint.span).partition("=")[0]
        meant = None if problem is None else meant_option(problem.name, "sbatch", job.request.release)
        if names and meant not in names:
            meant = None
        is_slip = bool(names) or name in _ELSEWHERE or resembles_option(name, "sbatch", job.request.release)
        return self.finding(
            complaint.span if problem is None else problem.name_span,
            f"{who_does(job, complaint)} refuses the script: {name} {what}",
            label="may be " + ", ".join(f"--{one}" for one in names) if names else "unknown",
            help=_help(name, meant, names),
            notes=said(complaint),
            fix=_fix(problem, meant),
            severity=_severity(job, complaint, is_slip=is_slip),
            confidence=Confidence.MEDIUM if not is_slip and _is_switch(job, problem) else Confidence.HIGH,
        )


def _is_switch(job: Job, problem: RequestProblem | None) -> bool:
    """Tell whether it is given a yes or a no, as switches of plugins are, and none of sbatch's own.

    Where the release or the site is told we should know of such a switch.
    """
    unknown_site = job.release is None and job.cluster is None
    return unknown_site and problem is not None and _SWITCHED.search(problem.text) is not None


def _severity(job: Job, complaint: Complaint, *, is_slip: bool) -> Severity:
    """An error where one of sbatch's own options is meant: a plugin of the site may have any other name."""
    severity = severity_of(job, complaint)
    if severity is Severity.ERROR and not is_slip and job.release is None and job.cluster is None:
        return Severity.WARNING
    return severity


def _help(name: str, meant: str | None, names: tuple[str, ...]) -> str:
    if meant is not None:
        return f"did you mean --{meant}?"
    if name in _ELSEWHERE:
        return f"sbatch calls it {_ELSEWHERE[name]}"
    if names:
        return "write the name out"
    return "correct the name, take it out, or name it with --known-option if a plugin of the site adds it"


def _fix(problem: RequestProblem | None, meant: str | None) -> Fix | None:
    if problem is None or meant is None or problem.possibilities:
        return None
    return Fix.safe(f"write --{meant}", Edit(problem.name_span, f"--{meant}"))
