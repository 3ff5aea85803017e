"""SB809 rm-saved-runs."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Confidence, Finding, Job, Related, RemovedRuns, Rule, Severity, removed_runs


class RmSavedRuns(Rule):
    """The script removes `nemo_experiments`, and with it the checkpoints of earlier runs or of its own.

    ## Why
    `rm -rf nemo_experiments` keeps a run from going on where an old one has stopped.  But it removes the
    checkpoints of all runs of that folder each time the job starts: when it is submitted again to go on after
    its time limit, when Slurm requeues it, and when somebody runs it for another reason.  Behind the training
    it removes what the training has just saved.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    cd /lustre/Megatron-Bridge || exit 1
    rm -rf nemo_experiments  # finding here
    srun python scripts/training/run_recipe.py --recipe llama3_8b_pretrain_config
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    cd /lustre/Megatron-Bridge || exit 1
    if [ "${FRESH:-0}" = 1 ]; then rm -rf nemo_experiments; fi
    srun python scripts/training/run_recipe.py --recipe llama3_8b_pretrain_config
    ```

    ## Fix
    None: what is removed does not come back.  Name a folder for each run (`checkpoint.save`), or remove the
    old one only where somebody asks for it.

    ## What it can't know
    Whether anything in the folder is needed: it is an info before the run, and a warning behind it.  A
    removal behind a condition, and between several runs, is left alone.

    ## References
    - NVIDIA-NeMo/Megatron-Bridge: src/megatron/bridge/training/config.py (CheckpointConfig)
    """

    code = "SB809"
    name = "rm-saved-runs"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        restarts = job.request.requeue is True  # what is lost then is requeue-not-idempotent's to tell
        for found in removed_runs(job):
            if not job.interactive and (found.behind or not restarts):
                yield self._report(found)

    def _report(self, found: RemovedRuns) -> Finding:
        return self.finding(
            found.span,
            "this removes what the run has just saved"
            if found.behind
            else "each start of the job removes the checkpoints of the runs before",
            label="without asking",
            related=[Related(found.run, "saves there")],
            help="keep what you need first, or leave this to a job of its own"
            if found.behind
            else 'remove it only on demand: if [ "${FRESH:-0}" = 1 ]; then ...; fi',
            severity=Severity.WARNING if found.behind else Severity.INFO,
            confidence=Confidence.MEDIUM,
        )
