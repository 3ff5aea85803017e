"""SB412 continuation-missing."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Edit, Finding, Fix, Fixable, Job, Related, Rule, Severity, stray_arguments


class ContinuationMissing(Rule):
    r"""A line begins with an option because the line before it does not end in a backslash.

    ## Why
    The command ends at the line before, and the shell looks for a command called `--global-batch-size`:
    "command not found".  The program has started without these options, on its defaults, and may well have
    run to its end before anyone sees it.  A comment line in the middle of a continued command does the same:
    the comment swallows its own backslash.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    srun python train.py \
      --micro-batch-size 1
      --global-batch-size 32  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    srun python train.py \
      --micro-batch-size 1 \
      --global-batch-size 32
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    srun python train.py \
      --micro-batch-size 1 \
      # --recompute-activations \
      --global-batch-size 32  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    srun python train.py \
      --micro-batch-size 1 \
      --global-batch-size 32
    ```

    ## Fix
    A backslash at the end of the line before, where that line is not empty and no comment.

    ## What it can't know
    A line that begins with a plain word may be an argument too; only options and dotted settings
    (`model.hidden_size=8`) are recognised.

    ## References
    - bash(1), QUOTING
    - https://github.com/RobertsLab/resources/issues/512
    """

    code = "SB412"
    name = "continuation-missing"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for stray in stray_arguments(job):
            fix = None
            if stray.end is not None:
                fix = Fix.safe("continue the line before", Edit(stray.end, " \\"))
            cause = "this comment ends the command" if stray.comment else "the command ends here"
            yield self.finding(
                stray.span,
                f"{stray.text} is taken for a command: the line before does not continue",
                related=[Related(stray.before, cause)] if stray.before else (),
                help="end the line before in a backslash"
                if not stray.comment
                else "take the comment out of the command",
                fix=fix,
            )
