"""SB110 option-optional-arg."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Argument,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Rule,
    Severity,
    Span,
    StrayText,
    stray_texts,
)


class OptionOptionalArg(Rule):
    """The value of an option that need not have one stands behind a blank.

    ## Why
    `--exclusive`, `--nice`, `--propagate`, `--no-kill` and a few more may stand alone, so their value has to
    be glued to them: `--exclusive=user`.  Behind a blank it is a word of its own, and sbatch refuses the
    script: "sbatch: error: Invalid directive found in batch script: user".

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --exclusive user  # finding here
    #SBATCH --nice 100  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --exclusive=user
    #SBATCH --nice=100
    srun hostname
    ```

    ## Fix
    The blank becomes `=`, where sbatch would take the value.

    ## References
    - getopt_long(3): optional arguments; sbatch(1)
    - https://github.com/reframe-hpc/reframe/issues/2745
    """

    code = "SB110"
    name = "option-optional-arg"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for stray in stray_texts(job):
            use = stray.after
            if use is None or use.span is None or not stray.wants_value:
                continue
            if use.spec.argument("sbatch") is not Argument.OPTIONAL:
                continue
            word, name = stray.words[0], f"--{use.spec.long}"
            known = job.takes(use.spec, word)
            yield self.finding(
                stray.problem.span,
                f"sbatch refuses the script: the value of {name} has to be glued to it"
                if known
                else f"sbatch refuses the script: {word!r} belongs to no option",
                label="a word of its own" if known else f"no value that {name} takes",
                help=f"write {name}={word}" if known else f"write {name} alone, or put # before a remark",
                notes=(f"sbatch: error: Invalid directive found in batch script: {word}",),
                fix=_fix(job, stray),
            )


def _fix(job: Job, stray: StrayText) -> Fix | None:
    use = stray.after
    assert use is not None and use.span is not None
    written = job.source.slice(use.span)
    if len(stray.words) > 1 and not stray.words[1].startswith("-"):
        return None
    if not job.takes(use.spec, stray.words[0]):
        return None
    glue = "=" if written.startswith("--") else ""
    return Fix.safe(f"glue the value to {written}", Edit(Span(use.span.end, stray.problem.span.start), glue))
