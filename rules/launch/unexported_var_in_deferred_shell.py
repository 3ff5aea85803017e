"""SB320 unexported-var-in-deferred-shell."""

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
    VariableSetting,
    may_be_exported,
    may_switch_on,
    reads_settings,
    regex,
    settings_of,
    task_codes,
)

_GIVEN = regex(r"SLURM|SBATCH|PATH$|^(HOME|USER|SHELL|TMPDIR|LANG|LC_|HOSTNAME|PWD|OLDPWD|TERM|LOGNAME|_)")
_EVAL = regex(r"\beval\b")
"""A shell on the batch host may read the text as code as well."""
_WHOLE = ("", "#", "##", "%", "%%", "/", "//")


class UnexportedVarInDeferredShell(Rule):
    r"""A shell in the tasks reads a variable that the batch script has set but not exported.

    ## Why
    In single quotes, and in a here-document with a quoted delimiter, the batch shell expands nothing: the
    shell in each task does.  That one is another process and knows exported variables only.  Everything
    else is empty there: `--master_addr=` without an address, `[: -eq: unary operator expected`.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)  # finding here
    srun bash -c 'torchrun --nnodes=2 --nproc_per_node=8 --node_rank=$SLURM_NODEID \
        --master_addr=$HEAD train.py'
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun bash -c 'torchrun --nnodes=2 --nproc_per_node=8 --node_rank=$SLURM_NODEID \
        --master_addr=$HEAD train.py'
    ```

    ## Fix
    `export` before the assignment.

    ## What it can't know
    Whether the shell that submits the job exports a variable of that name, which keeps it exported.  Nothing
    is reported where `set -a`, an `export`, `--export` or a `NAME=value` before the command may hand it on,
    nor for a variable that the task's code sets itself or has a default for.  Where the script, or the
    task's code, sources another file the finding has less confidence.

    ## References
    - bash(1), ENVIRONMENT
    - https://github.com/PrimeIntellect-ai/prime-rl/pull/3225
    """

    code = "SB320"
    name = "unexported-var-in-deferred-shell"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        if may_switch_on(job, "allexport") or _EVAL.search(job.source.text):
            return
        settings: dict[str, VariableSetting] = {}
        for one in settings_of(job):
            settings.setdefault(one.name, one)
        for name, uses in sorted(_uses(job).items()):
            setting = settings.get(name)
            if setting is None or setting.value is None or _handed_on(job, name):
                continue
            if any(setting.span in code for code in _codes(job)) or setting.span.start > uses[0].start:
                continue
            codes = [code for code in task_codes(job) if any(use in code.span for use in uses)]
            sourced = reads_settings(job) or any(code.sources for code in codes)
            sure = not (setting.conditional or sourced)
            yield self.finding(
                setting.span,
                f"{name} is empty in the tasks: it is not exported",
                label="set for the batch shell alone",
                related=[Related(use, "expanded by a shell in the task") for use in uses[:2]],
                help=f"export {name}",
                fix=_fix(job, setting),
                severity=Severity.ERROR if sure else Severity.WARNING,
                confidence=Confidence.MEDIUM if sourced else Confidence.HIGH,
            )


def _codes(job: Job) -> list[Span]:
    return [code.span for code in task_codes(job)]


def _uses(job: Job) -> dict[str, list[Span]]:
    """Where code of the tasks reads variables that it does not set: by name."""
    found: dict[str, list[Span]] = {}
    for code in task_codes(job):
        for read in code.reads:
            whole = read.operator in _WHOLE and not read.prefix and read.name.isidentifier()
            if whole and read.name not in code.sets and not _GIVEN.search(read.name):
                found.setdefault(read.name, []).append(read.span)
    return found


def _handed_on(job: Job, name: str) -> bool:
    """Whether anything in the script may put *name* in a task's environment."""
    if may_be_exported(job, name):
        return True
    return any(name in program.environment for step in job.plan.steps for program in step.programs)


def _fix(job: Job, setting: VariableSetting) -> Fix | None:
    start = setting.span.start
    line = job.source.line_around(start)
    if job.source.text[line.start : start].strip() or setting.conditional:
        return None
    return Fix.safe(f"export {setting.name}", Edit(Span(start, start), "export "))
