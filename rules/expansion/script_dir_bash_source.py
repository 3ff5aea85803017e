"""SB414 script-dir-bash-source."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Confidence, Finding, Job, Related, Rule, Severity, script_folders


class ScriptDirBashSource(Rule):
    """The script looks for files beside itself, but a job runs a copy in Slurm's spool folder.

    ## Why
    sbatch hands the text of the script over, and the node runs it from a folder such as
    `/var/spool/slurmd/job4711/slurm_script`.  `$0` and `BASH_SOURCE` name that copy, so `$(dirname "$0")` is
    the spool folder, and nothing of the repository is there: "common.sh: No such file or directory".

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"  # finding here
    source "$HERE/lib/common.sh"
    srun "$HERE/run.sh"
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    HERE="${SLURM_SUBMIT_DIR:?}"
    source "$HERE/lib/common.sh"
    srun "$HERE/run.sh"
    ```

    ## What it can't know
    Whether the file is only ever run by hand, or sourced.  A folder that is used in a branch or a function
    alone, or that only a sourced file or a program may look for, has medium confidence, and so has one in
    `PYTHONPATH` alone where `python -m` looks into the working folder anyway; one that nothing uses is passed
    over.  Nothing is reported of a script that mentions
    `SLURM_SUBMIT_DIR` or `scontrol show job`, that asks whether it runs in a job, or that submits jobs
    itself.

    ## References
    - sbatch(1), "the batch script is copied"; tried with Slurm 22.05.8
    - https://github.com/molgenis/vip/pull/44
    """

    code = "SB414"
    name = "script-dir-bash-source"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        found = [] if job.interactive else list(script_folders(job))
        if not found:
            return
        first, *others = sorted(found, key=lambda one: (one.conditional, one.span))
        yield self.finding(
            first.span,
            f"{first.name} is the copy in Slurm's spool folder, not the script that was submitted",
            related=[Related(other.span, "so it is here") for other in others],
            help="start from SLURM_SUBMIT_DIR, or from a folder that is written out",
            severity=Severity.WARNING if first.conditional else Severity.ERROR,
            confidence=Confidence.MEDIUM if first.conditional else Confidence.HIGH,
        )
