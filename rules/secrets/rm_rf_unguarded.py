"""SB805 rm-rf-unguarded."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Edit,
    Emptiness,
    Finding,
    Fix,
    Fixable,
    Job,
    Related,
    Removal,
    Rule,
    Severity,
    Span,
    removals,
)


class RmRfUnguarded(Rule):
    """An empty variable turns `rm -rf` of one folder into `rm -rf` of everything above it.

    ## Why
    A variable that is not set expands to nothing: `rm -rf $OUT/*` becomes `rm -rf /*`, and
    `rm -rf /tmp/$SLURM_JOB_ID` becomes `rm -rf /tmp/` when the script is tried by hand, outside a job.  What
    the user may write to is gone: the home folder, the project, other jobs' files.  A misspelt name does the
    same.  `${OUT:?}` ends the script instead: `OUT: parameter null or not set`.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    cleanup() {
        rm -rf /tmp/$SLURM_JOB_ID  # finding here
    }
    trap cleanup EXIT
    srun python fit.py --scratch "/tmp/$SLURM_JOB_ID"
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    cleanup() {
        rm -rf "/tmp/${SLURM_JOB_ID:?}"
    }
    trap cleanup EXIT
    srun python fit.py --scratch "/tmp/$SLURM_JOB_ID"
    ```

    ## Fix
    `:?` is added to each such variable, which changes nothing where it has a value.

    ## What it can't know
    What the submitting shell and the site set.  It is sure only where nothing in the script sets the variable
    and the root folder would be hit; Slurm's own variables are always set inside a job.  Nothing is said
    where the script tests the variable, gives a default, sources a file that may set it, or runs under `set
    -u`.

    ## References
    - bash(1), Parameter Expansion, `${parameter:?word}`
    - [VisCy pull request 404](https://github.com/mehta-lab/VisCy/pull/404)
    """

    code = "SB805"
    name = "rm-rf-unguarded"
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS

    def check(self, job: Job) -> Iterator[Finding]:
        found: dict[Span, list[Removal]] = {}
        for removal in removals(job):
            found.setdefault(removal.command, []).append(removal)
        for words in found.values():
            yield self._report(words)

    def _report(self, words: list[Removal]) -> Finding:
        first = words[0]
        names = " and ".join(dict.fromkeys(name for name, _ in first.variables))
        root = first.left.strip("/") in ("", "*")
        return self.finding(
            first.word,
            f"rm -r will remove {first.left} if {names} is empty",
            label=first.why.value,
            related=[Related(word.word, f"and {word.left}") for word in words[1:]],
            help=f"write {first.guarded}",
            fix=Fix.safe("stop if it is empty", *(Edit(word.word, word.guarded) for word in words)),
            confidence=Confidence.HIGH if root and first.why is Emptiness.UNSET else Confidence.MEDIUM,
        )
