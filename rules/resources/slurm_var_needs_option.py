"""SB223 slurm-var-needs-option."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from sbatchlint.api import (
    Certainty,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Mention,
    Rule,
    Severity,
    Span,
    expects_missing,
    is_template,
    job_variables,
    sets_variable,
    slurm_mentions,
    variables_of,
)

_OPTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "SLURM_CPUS_PER_TASK": ("cpus-per-task",),
        "SLURM_CPUS_PER_GPU": ("cpus-per-gpu",),
        "SLURM_GPUS": ("gpus",),
        "SLURM_GPUS_PER_NODE": ("gpus-per-node",),
        "SLURM_GPUS_PER_TASK": ("gpus-per-task",),
        "SLURM_NTASKS": ("ntasks", "ntasks-per-node"),
        "SLURM_NPROCS": ("ntasks", "ntasks-per-node"),
        "SLURM_NTASKS_PER_NODE": ("ntasks-per-node",),
        "SLURM_NTASKS_PER_GPU": ("ntasks-per-gpu",),
    }
)
_SIZES = (
    "ntasks ntasks-per-node ntasks-per-gpu cpus-per-task gpus gpus-per-node gpus-per-task gres cpus-per-gpu"
).split()
_GPUS = "gpus gpus-per-node gpus-per-task gpus-per-socket gres cpus-per-gpu ntasks-per-gpu".split()
_GIVES_MORE_CPUS = ("cpus-per-gpu", "exclusive", "mem-per-cpu", "threads-per-core", "ntasks-per-core", "hint")


class SlurmVarNeedsOption(Rule):
    """A variable is read that Slurm sets only where an option is given, and the job does not give it.

    ## Why
    `SLURM_CPUS_PER_TASK`, `SLURM_NTASKS_PER_NODE`, `SLURM_GPUS_PER_NODE` and their like repeat what was
    asked for; they are no measurements.  Without the option they are missing: `OMP_NUM_THREADS` is empty and
    each task starts as many threads as there are cores, `--nproc_per_node=` ends with "Unsupported
    nproc_per_node value", and a product becomes 0 or "syntax error: operand expected".  GPUs that were asked
    for by `--gres` do not set `SLURM_GPUS_PER_NODE`.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=4
    #SBATCH --gres=gpu:4
    export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK  # finding here
    export WORLD_SIZE=$((SLURM_NNODES * SLURM_GPUS_PER_NODE))  # finding here
    srun python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=4
    #SBATCH --gres=gpu:4
    export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}
    export WORLD_SIZE=$((SLURM_NNODES * SLURM_GPUS_ON_NODE))
    srun python train.py
    ```

    ## Fix
    One CPU per task is what Slurm gives without `--cpus-per-task`, so that is the default to write; not where
    whole nodes or CPUs by GPU are asked for.  `SLURM_GPUS_ON_NODE` counts GPUs however they were asked for.
    For the others the option has to be added, which is yours to decide.

    ## What it can't know
    Options on sbatch's command line, unless they are given to sbatchlint too.  A script without any
    directive for tasks, CPUs or GPUs is taken to get them there and is not reported, nor a variable of GPUs
    in one that asks for none, nor is one that sets the variable, tests it, has a default for it or only
    prints it.

    ## References
    - sbatch(1), OUTPUT ENVIRONMENT VARIABLES
    - Slurm's src/sbatch/opt.c and src/common/env.c, tried with Slurm 22.05.8
    - https://github.com/reframe-hpc/reframe/pull/831
    """

    code = "SB223"
    name = "slurm-var-needs-option"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        if is_template(job) or job.request.hetjob or not _asks_for_sizes(job):
            return
        variables = variables_of(job)
        for mention in slurm_mentions(job):
            variable = variables.get(mention.name)
            if mention.name not in _OPTIONS or variable is None or variable.set is not False:
                continue
            if "GPU" in mention.name and not any(map(job.request.get, _GPUS)):
                continue  # they come from the command line, perhaps by the option that sets it
            if (
                variable.certainty is not Certainty.KNOWN
                or mention.printed
                or _is_set_elsewhere(job, mention)
            ):
                continue
            yield self._report(job, mention)

    def _report(self, job: Job, mention: Mention) -> Finding:
        options = " or ".join(f"--{name}" for name in _OPTIONS[mention.name])
        fix = _fix(job, mention)
        return self.finding(
            mention.span,
            f"{mention.name} is not set: the job does not ask for {options}",
            label="counts as 0 here" if mention.bare else "an empty word",
            help=fix.title if fix is not None else f"add #SBATCH {options.replace(' or ', '=... or ')}=...",
            fix=fix,
        )


def _asks_for_sizes(job: Job) -> bool:
    return any(job.request.get(name) is not None for name in _SIZES)


def _is_set_elsewhere(job: Job, mention: Mention) -> bool:
    """Whether the script knows of the gap, or a step may close it."""
    if expects_missing(job, mention.name) or sets_variable(job, mention.name):
        return True
    if not mention.deferred:
        return False
    options = _OPTIONS[mention.name]
    return mention.name in ("SLURM_NTASKS", "SLURM_NPROCS") or any(
        not step.options_complete or step.effective(name) is not None
        for step in job.plan.steps
        for name in options
    )


def _fix(job: Job, mention: Mention) -> Fix | None:
    request = job.request
    if not mention.plain or mention.deferred:
        return None
    if mention.name == "SLURM_CPUS_PER_TASK" and not any(map(request.get, _GIVES_MORE_CPUS)):
        return _replace(mention.span, "${SLURM_CPUS_PER_TASK:-1}")
    if mention.name != "SLURM_GPUS_PER_NODE":
        return None
    counted = job_variables(request).get("SLURM_GPUS_ON_NODE")
    if counted is None or counted.value is None or counted.certainty is not Certainty.KNOWN:
        return None
    return _replace(mention.span, job.source.slice(mention.span).replace(mention.name, "SLURM_GPUS_ON_NODE"))


def _replace(span: Span, text: str) -> Fix:
    return Fix.safe(f"write {text}", Edit(span, text))
