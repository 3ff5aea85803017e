"""SB413 newline-in-command-string."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Related,
    Rule,
    Severity,
    stray_arguments_in_strings,
)


class NewlineInCommandString(Rule):
    r"""A line break inside a command string ends the command, and the options below it are lost.

    ## Why
    In `CMD="torchrun ...` over several lines each line break stays in the string.  As an unquoted `$CMD` it
    is only a blank, but to `bash -c "$CMD"` or `eval "$CMD"` it is the end of a command: "bash: line 2:
    --nproc_per_node: command not found", and the program has started without its options.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    CMD="python train.py
      --micro-batch-size 1  # finding here
    "
    srun bash -c "$CMD"
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    CMD="python train.py \
      --micro-batch-size 1
    "
    srun bash -c "$CMD"
    ```

    ## Fix
    A backslash before the line break, which single and double quotes both allow.

    ## What it can't know
    Only options and dotted settings (`model.hidden_size=8`) at the beginning of a line are recognised.

    ## References
    - bash(1), QUOTING and `-c`
    """

    code = "SB413"
    name = "newline-in-command-string"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for stray in stray_arguments_in_strings(job):
            fix = None
            if stray.end is not None:
                fix = Fix.safe("continue the line before", Edit(stray.end, " \\"))
            yield self.finding(
                stray.span,
                f"{stray.text} is taken for a command: the line break before it ends the one that is meant",
                related=[Related(stray.before, "the command ends here")] if stray.before else (),
                help="end the line before in a backslash",
                fix=fix,
            )
