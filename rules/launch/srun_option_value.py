"""SB366 srun-option-value."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    BadSrunValue,
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
    bad_srun_values,
    regex,
)

_YES = ("1", "true", "yes", "on", "True", "TRUE")
_MEMORY = regex(r"(?P<number>\d+)(?P<unit>[KMGTkmgt])i[bB]?")


class SrunOptionValue(Rule):
    """An option on an srun line has an argument that srun refuses, or lacks the one that it needs.

    ## Why
    srun reads its options as strictly as sbatch, but only when the job runs: "srun: error: Invalid --time
    specification", "srun: option '--label' doesn't allow an argument".  It starts nothing; without `set -e`
    the script goes on to its end, and the job counts as completed.  An option that needs an argument takes
    the next word for it, the command even: "srun: error: Invalid numeric value "torchrun" for --ntasks."

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --mem=200GiB --label python train.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --mem=200G --label python train.py
    ```

    A switch with an argument:

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --label=1 --kill-on-bad-exit=1 python train.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --label --kill-on-bad-exit=1 python train.py
    ```

    ## Fix
    Memory with a unit of two letters too many (`200GiB`), a switch that is given a yes (`--label=1`), and a
    yes where a 1 is wanted (`--kill-on-bad-exit=yes`).

    ## What it can't know
    Only what srun itself refuses, in every supported release or the one given, is reported: not what the
    controller has against a step.  Words from the first on that the script does not tell are not looked at.
    Names that are no options of srun are SB338's, the values of Pyxis's options the container rules', and
    values that somebody has yet to fill in (`<N>`, `HH:MM:SS`) are left alone.

    ## References
    - srun(1), OPTIONS; the option table in Slurm's src/common/slurm_opt.c; getopt_long(3)
    """

    code = "SB366"
    name = "srun-option-value"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for bad in bad_srun_values(job):
            if bad.span not in seen:
                seen.add(bad.span)
                yield self._report(job, bad)

    def _report(self, job: Job, bad: BadSrunValue) -> Finding:
        sure = bad.known and not bad.step.doubtful
        meant = _meant(bad)
        written = bad.name if bad.glued or not bad.value else f"{bad.long}={bad.value}"
        fix = _fix(job, bad, meant)
        return self.finding(
            bad.span,
            f"srun starts nothing: it refuses {written}",
            label=bad.fault or "no value that srun can read",
            related=[] if bad.step.span == bad.span else [Related(bad.step.span, "this srun")],
            notes=tuple(f"srun: {line}" for line in bad.said),
            help=_help(bad, meant),
            fix=fix,
            severity=Severity.ERROR if sure else Severity.WARNING,
            confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        )


def _help(bad: BadSrunValue, meant: str | None) -> str:
    if bad.long_word:
        return f"a long name needs two dashes: write {bad.long_word}"
    return "" if meant is None else f"write {meant}"


def _meant(bad: BadSrunValue) -> str | None:
    """What to write in place of the argument, or of the option where it takes none; None if not clear."""
    if bad.glued:
        return bad.name
    memory = _MEMORY.fullmatch(bad.value)
    if memory is not None and bad.long in ("--mem", "--mem-per-cpu", "--mem-per-gpu", "--tmp"):
        return memory["number"] + memory["unit"].upper()
    return "1" if bad.long == "--kill-on-bad-exit" and bad.value in _YES else None


def _fix(job: Job, bad: BadSrunValue, meant: str | None) -> Fix | None:
    if meant is None:
        return None
    if not bad.glued:
        same = job.source.slice(bad.span) == bad.value
        return Fix.safe(f"write {meant}", Edit(bad.span, meant)) if same else None
    start = bad.span.start - len(bad.name) - 1
    whole = Span(start, bad.span.end)
    if bad.value not in _YES or start < 0 or job.source.slice(whole) != f"{bad.name}={bad.value}":
        return None
    return Fix.safe(f"write {meant}", Edit(whole, meant))
