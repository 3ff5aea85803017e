"""SB808 secret-printed."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, Rule, Severity, is_throw_away, printed_secrets


class SecretPrinted(Rule):
    """The script prints the value of a secret variable into the job's log.

    ## Why
    `echo "HF_TOKEN=$HF_TOKEN"` was written to see whether the token arrives.  It stays in the log for as long
    as the log is kept, in a folder that the project can read, and goes along when the log is sent to someone.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    echo "token: $HF_TOKEN"  # finding here
    srun python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    echo "token: ${HF_TOKEN:+is set}"
    srun python train.py
    ```

    ## Fix
    None: print `${HF_TOKEN:+is set}`, or nothing.  A token that was printed has to be replaced by a new one.

    ## What it can't know
    Whether the variable is set when the script runs.  Variables are judged by their names.  Text that goes
    into another command or a file is left alone, and so is a part of the value (`${HF_TOKEN:0:4}`).  What the
    script makes up itself (`uuidgen`, `openssl rand`) is good for the one job: that is an info.

    ## References
    - bash(1), Parameter Expansion, `${parameter:+word}`
    """

    code = "SB808"
    name = "secret-printed"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        for name, span in printed_secrets(job):
            yield self.finding(
                span,
                f"the log will hold the value of {name}",
                label="printed",
                help=f"print ${{{name}:+is set}}",
                severity=Severity.INFO if is_throw_away(job, name) else None,
            )
