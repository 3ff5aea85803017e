"""SB401: a per-task variable expanded on the batch host."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Arg,
    Certainty,
    EarlyExpansion,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    differing_values,
    names_made_file,
    reaches_only_steps,
)


class EarlyExpansionRule(Rule):
    r"""A per-task variable is expanded by the batch shell, once, before srun starts the tasks.

    ## Why
    `SLURM_PROCID`, `SLURM_LOCALID` and `SLURM_NODEID` differ by task.  In a string between double quotes,
    and in a here-document with a plain delimiter, the batch shell replaces them as soon as it reads the
    text, and there they are always 0: every node is told `--node_rank=0`.  The launchers then wait for
    ranks that never come ("Timed out ... waiting for clients. 1/2 clients joined"), or every task does
    the work of rank 0.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun bash -c "torchrun --nnodes=2 --nproc_per_node=8 \
        --node_rank=$SLURM_NODEID \  # finding here
        --master_addr=$HEAD --master_port=29400 train.py"
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun bash -c "torchrun --nnodes=2 --nproc_per_node=8 \
        --node_rank=\$SLURM_NODEID \
        --master_addr=$HEAD --master_port=29400 train.py"
    ```

    The string may be built far from the step that runs it.

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=4
    TRAIN_CMD="accelerate launch --config_file two.yaml --num_machines 2 --num_processes 8"
    TRAIN_CMD+=" --machine_rank ${SLURM_PROCID}"  # finding here
    srun bash -c "$TRAIN_CMD train.py"
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=4
    TRAIN_CMD="accelerate launch --config_file two.yaml --num_machines 2 --num_processes 8"
    TRAIN_CMD+=" --machine_rank \${SLURM_PROCID}"
    srun bash -c "$TRAIN_CMD train.py"
    ```

    ## Fix
    A backslash before the `$` hands the expansion to the shell inside the task.  It is offered only where
    exactly one such shell reads the text and nothing on the batch host needs the value (`[ "$RANK" = 0 ]`,
    `mkdir logs_$RANK`); where no shell reads it (`srun python x --rank $SLURM_PROCID`) the command has to
    move into `bash -c '...'`, which is yours to do.

    ## What it can't know
    Whether a program wants the batch host's own number.  A node rank that the launcher ignores anyway (with
    `--rdzv_backend=c10d`) is only an info, and the name of a file that the batch shell has made itself is
    right as it is.  Variables that are the same for the whole job (`SLURM_JOB_ID`, `SLURM_NNODES`,
    `SLURM_JOB_NODELIST`) are right in double quotes and never reported.

    ## References
    - srun(1), OUTPUT ENVIRONMENT VARIABLES
    - bash(1), QUOTING
    """

    code = "SB401"
    name = "early-expansion"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        found: dict[Span, list[tuple[Step, EarlyExpansion]]] = {}
        for step in job.plan.steps:
            for early in step.early:
                if differing_values(step, early.variable) is None or names_made_file(job, step, early):
                    continue
                found.setdefault(early.span, []).append((step, early))
        for span, uses in sorted(found.items()):
            yield self._report(job, span, uses)

    def _report(self, job: Job, span: Span, uses: list[tuple[Step, EarlyExpansion]]) -> Finding:
        step, early = uses[0]
        certain = any(_is_certain(one, early.variable) for one, _ in uses)
        ignored = all(_is_ignored(one, span) for one, _ in uses)
        written = job.source.slice(span)
        # On the batch host the variables are those of the first task; in a shell that somebody types in,
        # whatever that shell has.
        who, gets, zero, by_zero = ("the batch shell", "0", " 0", " by 0")
        if job.interactive:
            who, gets, zero, by_zero = ("your shell", "the same", "", "")
        fix = None
        escapable = all(use.escapable for _, use in uses) and _is_plain(job, span, early.variable)
        if escapable and reaches_only_steps(job, span):
            fix = Fix.safe(f"escape the $ of {written}", Edit(Span(span.start, span.start), "\\"))
        related = []
        if job.source.position(step.span.start).line != job.source.position(span.start).line:
            related.append(Related(step.span, f"{_many(step, early.variable)} get the same{zero} from here"))
        return self.finding(
            span,
            f"{written} is expanded by {who}, so every task gets {gets}",
            label=f"replaced{by_zero} before srun starts anything",
            related=related,
            help=f"write \\{written}" if fix else f"expand it in the task: srun bash -c '... {written} ...'",
            notes=["the launcher ignores its node rank with this rendezvous backend"] if ignored else [],
            fix=fix,
            severity=Severity.INFO if ignored else Severity.ERROR if certain else Severity.WARNING,
        )


def _is_ignored(step: Step, span: Span) -> bool:
    """Tell whether the text is nothing but a launcher's node rank, which dynamic rendezvous ignores.

    torch/distributed/run.py warns of it; ranks are then given out by the rendezvous itself.
    """
    told: list[Arg] = []
    ignored: list[Arg] = []
    for program in step.programs:
        told += program.words
        for layer in program.layers:
            told += [option.value_arg or option.arg for option in layer.options]
        for layer in program.launchers:
            backend, rank = layer.get("rdzv-backend"), layer.get("node-rank", "machine-rank")
            if backend is None or backend.value is None or backend.value.text in (None, "static"):
                continue
            if rank is not None:
                ignored.append(rank.value_arg or rank.arg)
    uses = [arg for arg in told if any(leaf.span == span for leaf in arg.value.leaves())]
    return bool(uses) and all(any(arg is rank for rank in ignored) for arg in uses)


def _is_plain(job: Job, span: Span, variable: str) -> bool:
    """Tell whether the variable itself stands in the file, so that a backslash before it is read once."""
    text = job.source.text
    written = text[span.start : span.end].startswith((f"${variable}", f"${{{variable}"))
    return written and text[span.start - 1 : span.start] != "\\"


def _is_certain(step: Step, variable: str) -> bool:
    count = differing_values(step, variable)
    return count is not None and count.certainty is Certainty.KNOWN and not step.doubtful


def _many(step: Step, variable: str) -> str:
    count = differing_values(step, variable)
    if count is None or not count.value:
        return "all tasks"
    return f"the tasks on {count.value} nodes" if variable == "SLURM_NODEID" else f"{count.value} tasks"
