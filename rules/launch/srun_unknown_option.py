"""SB338 srun-unknown-option."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import BadSrunOption, Confidence, Finding, Job, Rule, Severity, Span, bad_srun_options


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

    ## What it can't know
    Options that plugins of the site add to srun, unless a cluster profile or `--known-option` names them: a
    name that is close to none of srun's own is reported with less confidence.

    ## References
    - srun(1), OPTIONS
    """

    code = "SB338"
    name = "srun-unknown-option"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for bad in bad_srun_options(job):
            if bad.span not in seen:
                seen.add(bad.span)
                yield self._report(bad)

    def _report(self, bad: BadSrunOption) -> Finding:
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
            severity=Severity.ERROR if sure and not doubtful else Severity.WARNING,
            confidence=Confidence.HIGH if sure and not doubtful else Confidence.MEDIUM,
        )
