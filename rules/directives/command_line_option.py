"""SB118 command-line-option."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Complaint, ComplaintKind, Finding, Job, Rule, Severity, complaints


class CommandLineOption(Rule):
    """An option in a directive does what only makes sense on the command line.

    ## Why
    sbatch looks for `--wrap`, `--quiet`, `--verbose`, `--help` and a few more on its command line, before it
    opens the script: in a directive they are accepted and ignored.  `--test-only` is honoured there, with the
    effect that the job is never submitted: sbatch says when it would start, and exits as if all were well.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --test-only  # finding here
    #SBATCH --verbose  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    srun hostname
    ```

    ## References
    - Slurm's src/sbatch/opt.c (`process_options_first_pass`) and src/common/slurm_opt.c
    """

    code = "SB118"
    name = "command-line-option"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint in complaints(job, ComplaintKind.FIRST_PASS_ONLY, ComplaintKind.NEVER_SUBMITTED):
            yield self._report(complaint)

    def _report(self, complaint: Complaint) -> Finding:
        assert complaint.span is not None
        name = f"--{complaint.options[0]}"
        if complaint.kind is ComplaintKind.NEVER_SUBMITTED:
            return self.finding(
                complaint.span,
                f"the job is never submitted: {complaint.detail}",
                label="for the command line",
                help=f"take it out and give {name} to sbatch by hand",
            )
        return self.finding(
            complaint.span,
            f"{name} has no effect in a directive",
            label="for the command line",
            help="take it out; give it to sbatch itself",
            severity=Severity.INFO,
        )
