"""SB332 lightning-job-name."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Program,
    Related,
    Rule,
    Severity,
    Step,
    option_numbers,
    regex,
)

_NAMES = ("bash", "interactive")
_LIGHTNING = regex(r"(?i)lightning|(^|_)pl_")
_OPTIONS = ("trainer.devices", "trainer.num_nodes")


class LightningJobName(Rule):
    """The job has a name by which Lightning takes it for an interactive shell.

    ## Why
    Lightning does not look at Slurm's tasks in a job that is called `bash` or `interactive`, the names that
    jobs of srun and salloc have.  Each of the tasks then starts processes of its own for all devices, or
    trains alone.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --job-name=interactive  # finding here
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=4
    #SBATCH --gpus-per-node=4
    srun python fit_lightning.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --job-name=lightning-train
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=4
    #SBATCH --gpus-per-node=4
    srun python fit_lightning.py
    ```

    ## Fix
    Another name.

    ## What it can't know
    Whether a program uses Lightning: without its name or its options it is for information only.

    ## References
    - lightning/fabric/plugins/environments/slurm.py (`_is_slurm_interactive_mode`)
    - https://github.com/Lightning-AI/pytorch-lightning/issues/19762
    """

    code = "SB332"
    name = "lightning-job-name"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        name = job.request.get("job-name")
        if name is None or name.value not in _NAMES or name.span is None or name.value_span is None:
            return
        candidates = [(step, program) for step in job.plan.steps for program in step.programs]
        found = [(step, program) for step, program in candidates if _may_be(step, program)]
        certain = [(step, program) for step, program in found if _is_lightning(program)]
        for step, _ in (certain or found)[:1]:
            yield self.finding(
                name.span,
                f"Lightning takes a job that is called {name.value} for an interactive shell",
                label="not the name of a batch job",
                related=[Related(step.span, "Lightning does not look at these tasks")],
                help="give the job another name",
                fix=Fix.safe("give the job another name", Edit(name.value_span, "lightning-train"))
                if certain
                else None,
                severity=Severity.WARNING if certain else Severity.INFO,
                confidence=Confidence.HIGH if certain else Confidence.LOW,
            )


def _may_be(step: Step, program: Program) -> bool:
    tasks = step.geometry.tasks
    several = tasks is None or tasks.value > 1
    return several and not program.launchers and program.has_layer("python")


def _is_lightning(program: Program) -> bool:
    return bool(_LIGHTNING.search(program.target.show()) or option_numbers(program, _OPTIONS))
