"""SB206 option-conflict."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint_rules.resources._refused import refused

from sbatchlint.api import ComplaintKind, Finding, Job, Rule, Severity, complaints


class OptionConflict(Rule):
    """Two options exclude each other.

    ## Why
    Some options say the same thing in two ways, and sbatch refuses to choose: "sbatch: fatal: --mem,
    --mem-per-cpu, and --mem-per-gpu are mutually exclusive."  Which pairs are refused has grown with the
    releases: `--exclusive` with `--oversubscribe` since 23.02, `--gres=gpu:N` with `--gpus-per-node` since
    26.05.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --mem=32G  # finding here
    #SBATCH --mem-per-cpu=4G
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --mem-per-cpu=4G
    srun hostname
    ```

    ## What it can't know
    Which release the cluster runs: what only some refuse is a warning, unless `--slurm-version` tells.

    ## References
    - Slurm's src/common/slurm_opt.c (`validate_options_salloc_sbatch_srun`)
    - https://github.com/bessagroup/f3dasm/issues/352
    """

    code = "SB206"
    name = "option-conflict"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint in complaints(job, ComplaintKind.EXCLUSIVE_OPTIONS):
            names = " and ".join(f"--{name}" for name in complaint.options)
            what, help = f"{names} exclude each other", "keep one of them"
            yield refused(self, job, complaint, what, label="one of them", other="the other", help=help)
