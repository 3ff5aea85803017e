"""SB112 option-of-other-release."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    ComplaintKind,
    Finding,
    Job,
    Rule,
    Severity,
    complaints,
    said,
    severity_of,
    who_does,
)


class OptionOfOtherRelease(Rule):
    """An option that some releases of Slurm do not have.

    ## Why
    Options come and go: `--segment` since 24.05, `--tres-per-task` since 23.02, `--power` until 23.11.  A
    release that does not have one refuses the script: "sbatch: unrecognized option '--segment=4'".

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --power=level  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=4
    srun hostname
    ```

    ## What it can't know
    Which release the cluster runs.  Without `--slurm-version`, options that only releases before 24.05 lack
    are passed over.

    ## References
    - The option tables in Slurm's src/common/slurm_opt.c, releases 20.11 to 26.05
    """

    code = "SB112"
    name = "option-of-other-release"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint in complaints(job, ComplaintKind.WRONG_RELEASE):
            assert complaint.span is not None
            everywhere = job.verdict.everywhere(complaint)
            name = f"--{complaint.options[0]}" if complaint.options else "the option"
            yield self.finding(
                complaint.span,
                f"{who_does(job, complaint)} does not know {name} and refuses the script",
                label="not in every release",
                help="take it out" if everywhere else "say which release the cluster runs: --slurm-version",
                notes=said(complaint),
                severity=severity_of(job, complaint) if everywhere else Severity.INFO,
            )
