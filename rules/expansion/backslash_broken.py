"""SB411 backslash-broken."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Edit, Finding, Fix, Fixable, Job, Rule, Severity, broken_backslashes

_BLANK = "the blank becomes an argument"
_COMMENT = "the blank and the words of the comment become arguments"


class BackslashBroken(Rule):
    r"""A blank or a comment stands behind the backslash that should continue the line.

    ## Why
    A backslash continues a line only as its very last character.  With a blank behind it the command ends
    there, with one argument more that is a blank; the lines below become commands of their own:
    "--container-mounts: command not found".  The job runs on with half of its options, or fails over the
    strange argument ("unrecognized arguments").  With just one blank between the backslash and a `#` no
    comment begins there: its words become arguments as well, or bash stops at them ("syntax error near
    unexpected token `('").  In an array the lines below still count, but so does what the backslash has made.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --label \␠  # finding here
      --mpi=pmix python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --label \
      --mpi=pmix python train.py
    ```

    (`␠` stands for a blank.)

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --label \  # the image comes next # finding here
      --mpi=pmix python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    # the image comes next
    srun --label \
      --mpi=pmix python train.py
    ```

    ## Fix
    Blanks behind the backslash are taken away.  A comment there has to go somewhere else, which is left to
    you.

    ## What it can't know
    Text that the script only writes into a file is not looked at.

    ## References
    - bash(1), QUOTING: "a \<newline> pair ... is treated as a line continuation"
    - https://github.com/Trinotate/Trinotate.github.io/issues/19
    - https://github.com/ACEsuit/mace/issues/435
    """

    code = "SB411"
    name = "backslash-broken"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for broken in broken_backslashes(job):
            fix = None
            if broken.comment is None:
                fix = Fix.safe("take the blank away", Edit(broken.blanks, ""))
            what = "a blank" if broken.comment is None else "a comment"
            yield self.finding(
                broken.span,
                f"this backslash continues nothing: {what} stands behind it",
                label=_COMMENT if broken.comment is not None and len(broken.blanks) == 1 else _BLANK,
                help="nothing may stand behind the backslash"
                if broken.comment is None
                else "move the comment above the command",
                fix=fix,
                severity=Severity.ERROR if broken.continues else Severity.WARNING,
            )
