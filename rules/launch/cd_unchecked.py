"""SB362 cd-unchecked."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Related,
    Rule,
    Severity,
    Span,
    unchecked_folders,
)


class CdUnchecked(Rule):
    """The script goes on in the wrong folder where `cd` fails.

    ## Why
    A variable that is empty takes `cd` to the home folder without a word, and one that names a missing folder
    leaves the script where it is: "cd: /scratch/run7: No such file or directory".  Without `set -e` the next
    commands read, write and delete there.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    cd "$RUN_FOLDER"  # finding here
    rm -rf checkpoints
    srun python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    cd "$RUN_FOLDER" || exit 1
    rm -rf checkpoints
    srun python train.py
    ```

    ## Fix
    `|| exit 1` behind it.

    ## What it can't know
    Whether the folder is there.  It is a warning where something is deleted afterwards, else a remark.  A
    file that the script sources may say `set -e`: medium confidence.

    ## References
    - bash(1), `cd`
    """

    code = "SB362"
    name = "cd-unchecked"
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS

    def check(self, job: Job) -> Iterator[Finding]:
        for folder in () if job.interactive else unchecked_folders(job):
            end = folder.span.end
            deletes = folder.deletes
            yield self.finding(
                folder.span,
                f"the script goes on in another folder where there is no {folder.written}",
                related=[Related(deletes, "deletes there whatever has this name")] if deletes else (),
                help="cd ... || exit 1",
                fix=Fix.safe("stop where there is no such folder", Edit(Span(end, end), " || exit 1")),
                severity=Severity.WARNING if deletes else Severity.INFO,
                confidence=Confidence.MEDIUM if folder.file_decides else Confidence.HIGH,
            )
