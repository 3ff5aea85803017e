"""SB341 submit-line-option."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    BadSubmitOption,
    Confidence,
    Finding,
    Job,
    Related,
    Rule,
    Severity,
    Span,
    bad_submit_options,
)


class SubmitLineOption(Rule):
    """A salloc or sbatch line in the script has an option that the command refuses.

    ## Why
    The options on a line of salloc or sbatch are read as strictly as directives: "salloc: unrecognized option
    '--gpu-per-node=8'", "salloc: error: Invalid --time specification".  No job is asked for, and what stands
    below the line runs without one, on the machine where the line was typed.

    ## Example
    A name that sbatch does not know, and a time that it can't read:

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    sbatch --nodes=2 --gpu-per-node=8 --time=04:00:00 pretrain.sbatch  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    sbatch --nodes=2 --gpus-per-node=8 --time=04:00:00 pretrain.sbatch
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    sbatch --nodes=2 --gpus-per-node=8 --time=4hours pretrain.sbatch  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    sbatch --nodes=2 --gpus-per-node=8 --time=04:00:00 pretrain.sbatch
    ```

    ## What it can't know
    Options that plugins of the site add, unless a cluster profile or `--known-option` names them: a name that
    is close to none of the command's own is reported with less confidence.  Only what the command itself
    refuses is reported, in every supported release or the one given, not what the controller has against the
    job.  Words from the first on that the script does not tell, and values that somebody has yet to fill in,
    are left alone.

    ## References
    - salloc(1), sbatch(1), OPTIONS; getopt_long(3)
    """

    code = "SB341"
    name = "submit-line-option"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for bad in bad_submit_options(job):
            if bad.span not in seen:
                seen.add(bad.span)
                yield self._report(bad)

    def _report(self, bad: BadSubmitOption) -> Finding:
        sure = bad.sure and bad.known
        what = "submits nothing" if bad.command == "sbatch" else "gets no allocation"
        value = bool(bad.said)
        return self.finding(
            bad.span,
            f"{bad.command} {what}: it refuses {bad.written}"
            if value
            else f"{bad.command} {what}: {bad.written} {bad.fault}",
            label=_label(bad),
            related=[] if bad.line.overlaps(bad.span) else [Related(bad.line, f"this {bad.command}")],
            notes=[f"{bad.command}: {line}" for line in bad.said],
            help=_help(bad),
            severity=Severity.ERROR if sure else Severity.WARNING,
            confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        )


def _label(bad: BadSubmitOption) -> str:
    if bad.possibilities:
        return "may be " + ", ".join(f"--{name}" for name in bad.possibilities)
    if bad.said:
        return bad.fault or f"no value that {bad.command} can read"
    return "unknown" if bad.meant is not None or not bad.sure else "an option of another command"


def _help(bad: BadSubmitOption) -> str:
    if bad.meant is not None:
        return f"write {bad.meant}" if bad.said else f"did you mean {bad.meant}?"
    return "" if bad.said else "write the name of the option out" if bad.possibilities else "leave it out"
