"""SB208 gres-format."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint_rules.resources._refused import refused_value

from sbatchlint.api import Finding, Job, OptionUse, Rule, Severity, bad_values


class GresFormat(Rule):
    """A request for GPUs or other generic resources that Slurm can't read.

    ## Why
    `--gres` takes `name`, `name:count` or `name:type:count`, parted by commas, and the name of GPUs is `gpu`.
    `--gpus` and its like take a count, or `type:count`.  Else: "Invalid generic resource (gres)
    specification".

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --gpus-per-node=h100:  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --gpus-per-node=h100:8
    srun hostname
    ```

    ## What it can't know
    Which resources and types the nodes have: a cluster profile tells.

    ## References
    - sbatch(1), `--gres` and `--gpus`; Slurm's src/interfaces/gres.c
    """

    code = "SB208"
    name = "gres-format"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint, use in bad_values(
            job, "gres", "gpu_count", "gpus_per_task", "tres", "tres_bind", "licenses"
        ):
            if use.spec.long != "gres" and re.match(r"gpus?:[A-Za-z][\w.-]*:\d+$", use.value or ""):
                continue  # SB211 has its say
            yield refused_value(self, job, complaint, use, help=_help(use))


def _help(use: OptionUse) -> str:
    if use.spec.long == "gres":
        return "write gpu:8, or gpu:h100:8 with a type"
    if use.spec.long == "licenses":
        return "write name or name:count, parted by commas"
    if use.spec.long == "tres-per-task":
        return "write gres/gpu:2 or cpu=4,gres/gpu:1"
    return "write 8, or h100:8 with a type"
