"""SB338 srun-unknown-option."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    BadSrunOption,
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Rule,
    Severity,
    Span,
    bad_srun_options,
)


class SrunUnknownOption(Rule):
    """An srun line has an option that srun does not know.

    ## Why
    srun ends with "srun: unrecognized option '--gpu-per-node=8'" or "option '--ntask' is ambiguous", and
    starts nothing.  Without `set -e` the script goes on to its end, and the job counts as completed.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --kill-on-bad-exits=1 python train.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --kill-on-bad-exit=1 python train.py
    ```

    ## Fix
    The name is corrected where just one option of srun is one slip away from it, or the same but for hyphens
    and capitals.

    ## What it can't know
    Options that plugins of the site add to srun, unless a cluster profile or `--known-option` names them: a
    name that is close to none of srun's own is reported with less confidence.

    ## References
    - srun(1), OPTIONS
    """

    code = "SB338"
    name = "srun-unknown-option"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for bad in bad_srun_options(job):
            if bad.span not in seen:
                seen.add(bad.span)
                yield self._report(job, bad)

    def _report(self, job: Job, bad: BadSrunOption) -> Finding:
        sure = bad.meant is not None or bool(bad.possibilities) or bad.of_sbatch
        doubtful = bad.step.doubtful
        what = "is short for several options" if bad.possibilities else "is no option of srun"
        return self.finding(
            bad.span,
            f"srun starts nothing: {bad.name} {what}",
            label="may be " + ", ".join(f"--{name}" for name in bad.possibilities)
            if bad.possibilities
            else "an option of sbatch"
            if bad.of_sbatch
            else "unknown",
            help=f"did you mean --{bad.meant}?"
            if bad.meant is not None
            else "write the name of the option out",
            fix=_fix(job, bad),
            severity=Severity.ERROR if sure and not doubtful else Severity.WARNING,
            confidence=Confidence.HIGH if sure and not doubtful else Confidence.MEDIUM,
        )


def _fix(job: Job, bad: BadSrunOption) -> Fix | None:
    """Correct the name where it is written as it is read: not in an expansion, not as a part of one."""
    if bad.meant is None or bad.possibilities or bad.of_sbatch:
        return None
    word = job.source.slice(bad.span)
    if word.partition("=")[0] != bad.name:
        return None
    name = Span(bad.span.start, bad.span.start + len(bad.name))
    return Fix.safe(f"write --{bad.meant}", Edit(name, f"--{bad.meant}"))
