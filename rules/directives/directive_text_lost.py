"""SB116 directive-text-lost."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import ComplaintKind, Finding, Job, Rule, Severity, complaints

_WHY = {
    ComplaintKind.LOST_AFTER_SEPARATOR: (
        "what follows hetjob on the same line is dropped without a word",
        "put the options on a line of their own",
    ),
    ComplaintKind.LOST_TEXT: (
        "an empty pair of quotes ends the line: what follows is dropped without a word",
        'glue the empty value to its option (--comment="") or take it out',
    ),
}


class DirectiveTextLost(Rule):
    """sbatch drops the rest of a directive without a word.

    ## Why
    Two things end a directive early.  `#SBATCH hetjob` begins a new component and nothing more: options
    behind it on the same line are lost.  And a word that is nothing but a pair of quotes counts as the end of
    the line, so that both the empty value and all that follows are lost.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1 --time=01:00:00
    #SBATCH hetjob --nodes=4  # finding here
    srun --het-group=0,1 hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1 --time=01:00:00
    #SBATCH hetjob
    #SBATCH --nodes=4
    srun --het-group=0,1 hostname
    ```

    ## References
    - Slurm's src/sbatch/opt.c (`get_argument`, `_opt_batch_script`)
    """

    code = "SB116"
    name = "directive-text-lost"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint in complaints(job, *_WHY):
            assert complaint.span is not None
            if job.source.slice(complaint.span).lstrip().startswith("#"):
                continue  # a remark behind hetjob
            message, help = _WHY[complaint.kind]
            yield self.finding(complaint.span, message, label="lost", help=help)
