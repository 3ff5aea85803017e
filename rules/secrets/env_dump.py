"""SB804 env-dump."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Finding,
    Job,
    Rule,
    Severity,
    Span,
    dumps_of_environment,
    names_secrets,
)


class EnvDump(Rule):
    """All environment variables are printed into the log, tokens and keys among them.

    ## Why
    sbatch hands the whole environment of the submitting shell to the job: HF_TOKEN, WANDB_API_KEY, cloud
    credentials, whatever was exported that day.  `env`, `printenv`, `export -p` or a bare `set` writes all of
    it into a file that the project can read, and which is the first thing to be pasted into an issue.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    source "$HOME/.train_secrets"
    env | sort  # finding here
    srun python rl.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    source "$HOME/.train_secrets"
    env | grep -E '^(SLURM|NCCL|CUDA|MASTER)_' | sort
    srun python rl.py
    ```

    ## Fix
    None: choose what is worth printing: `env | grep -E '^(SLURM|NCCL|CUDA)_'`.

    ## What it can't know
    What the submitting shell exports.  It is surer where the script itself speaks of secrets.  A dump that
    goes through `grep`, `sed` or `awk`, or to `/dev/null`, is left alone.

    ## References
    - sbatch(1), `--export`
    - [NVIDIA-NeMo/RL pull request 2763](https://github.com/NVIDIA-NeMo/RL/pull/2763)
    """

    code = "SB804"
    name = "env-dump"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for command, span in dumps_of_environment(job):
            if span in seen:
                continue
            seen.add(span)
            yield self.finding(
                span,
                f"{command} writes every variable of the job, secrets included, into the log",
                label="prints all of the environment",
                help=f"print what is needed: {command} | grep -E '^(SLURM|NCCL|CUDA)_'",
                confidence=Confidence.HIGH if names_secrets(job) else Confidence.MEDIUM,
            )
