"""SB321 escaped-dollar-in-single-quotes."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    PER_TASK_RANKS,
    Arg,
    Certainty,
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    LayerKind,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    command_name,
    is_deferred,
    regex,
)

_LITERAL = regex(r"(?:^|[=:,])(?P<whole>\$(?:\{(?P<braced>\w+)\}|(?P<plain>\w+)))")


class EscapedDollarInSingleQuotes(Rule):
    r"""A program is handed the text `$SLURM_NODEID` itself, because nothing expands it.

    ## Why
    Between single quotes the batch shell leaves everything as it is, the backslash too.  The shell in the
    task then reads `\$SLURM_NODEID` as a dollar sign that is not to be expanded: the program gets the name
    instead of the number ("argument --node_rank: invalid int value: '$SLURM_NODEID'").  The backslash is
    needed between double quotes only.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun bash -c 'torchrun --nnodes=2 --nproc_per_node=8 \
        --node_rank=\$SLURM_NODEID \  # finding here
        --master_addr=$HEAD train.py'
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun bash -c 'torchrun --nnodes=2 --nproc_per_node=8 \
        --node_rank=$SLURM_NODEID \
        --master_addr=$HEAD train.py'
    ```

    ## Fix
    The backslash goes, where it stands between single quotes, or in a here-document with a quoted delimiter.

    ## What it can't know
    Whether a program expands such names itself: only Slurm's variables and those that the script sets are
    looked at, and only as a whole word or behind `=`, `:` and commas.  A rank is a number, so a name in its
    place is an error; where a text may stand (`--rdzv_id`) the program can run with it, and it is a warning.

    ## References
    - bash(1), QUOTING
    - https://github.com/pytorch/torchx/issues/503
    """

    code = "SB321"
    name = "escaped-dollar-in-single-quotes"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for step in job.plan.steps:
            for program in step.programs:
                if not _is_python(program):
                    continue
                for arg in program.words:
                    for span, name in _literal_names(job, arg):
                        if span not in seen:
                            seen.add(span)
                            yield self._report(job, program, arg, span, name, step.span)

    def _report(self, job: Job, program: Program, arg: Arg, span: Span, name: str, step: Span) -> Finding:
        text = job.source.text
        slashed = text[span.start - 1] == "\\"
        before = Span(span.start - 1, span.start)
        fix = None
        if slashed and is_deferred(job, before):
            fix = Fix.safe("take the backslash away", Edit(before, ""))
        doubtful = program.doubtful or arg.value.certainty is not Certainty.KNOWN
        why = "the backslash keeps the task's shell from expanding it" if slashed else "no shell reads it"
        return self.finding(
            span,
            f"{_receiver(program, arg)} gets the text ${name}, not its value",
            label=why,
            related=[Related(step, "started here")],
            help="take the backslash away" if slashed else "start it in a shell: srun bash -c '...'",
            fix=fix,
            severity=Severity.ERROR if name in PER_TASK_RANKS and not doubtful else Severity.WARNING,
            confidence=Confidence.MEDIUM if doubtful else Confidence.HIGH,
        )


def _is_python(program: Program) -> bool:
    kinds = (LayerKind.LAUNCHER, LayerKind.INTERPRETER)
    return any(layer.kind in kinds for layer in program.layers)


def _receiver(program: Program, arg: Arg) -> str:
    """Name what reads the word: the program itself, or the launcher before it."""
    own = any(arg is one for one in program.arguments)
    launcher = program.launcher
    return (program.name if own or launcher is None else command_name(program, launcher)) or "the program"


def _literal_names(job: Job, arg: Arg) -> Iterator[tuple[Span, str]]:
    """Yield the variables whose names stand in the final text of a word, and where the dollar sign is."""
    text, at = arg.value.text, 0
    if text is None or "$" not in text or any(blank in text for blank in " \n;"):
        return
    for leaf in arg.value.leaves():
        written, span = getattr(leaf, "text", ""), leaf.span
        for match in _LITERAL.finditer(text):
            start = match.start("whole") - at
            name = match["braced"] or match["plain"]
            # ${name} may be Hydra's own, $name is a shell's.
            own = match["plain"] is not None and name in job.plan.variables
            known = own or name.startswith("SLURM_")
            if known and span is not None and 0 <= start < len(written):
                place = span.end - 1 if written == "$" else span.start + start
                if job.source.text[place] == "$":
                    yield Span(place, place + 1), name
        at += len(written)
