"""SB235 mem-missing."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, Rule, Severity, default_memory

_LITTLE_PER_GPU = 4096
"""MiB: less than what a process needs on the host to load a framework and talk to its GPU."""


class MemMissing(Rule):
    """No memory is asked for, and the cluster's default is little for the GPUs.

    ## Why
    A job without a memory option gets the cluster's default, often some gigabytes for each CPU.  A process
    that drives a GPU needs several on the host before it has loaded any data, and the loaders need more:
    "slurmstepd: error: Detected 1 oom_kill event".

    ## Example
    On a cluster with this profile:

    ```toml cluster
    [[partitions]]
    name = "gpu"
    nodes = "gpu[01-16]"
    default = true
    default-memory-per-cpu-mib = 1024
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=4
    #SBATCH --gpus-per-node=4  # finding here
    srun python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=4
    #SBATCH --gpus-per-node=4
    #SBATCH --mem=256G
    srun python train.py
    ```

    ## What it can't know
    How much the program needs.  Without a profile of the cluster nothing is reported: three of five public
    scripts for GPUs ask for no memory, and most of them are right.  With one, less than 4 GiB for each GPU
    is reported.

    ## References
    - slurm.conf(5), `DefMemPerCPU` and `DefMemPerNode`
    """

    code = "SB235"
    name = "mem-missing"
    severity = Severity.INFO

    def check(self, job: Job) -> Iterator[Finding]:
        gpus, memory = job.request.gpus_per_node, default_memory(job)
        if gpus is None or not gpus.value or not gpus.spans or memory is None:
            return
        if memory < gpus.value * _LITTLE_PER_GPU:
            yield self.finding(
                gpus.spans[0],
                f"the job gets {memory} MiB on each node, the default, for {gpus.value} GPUs",
                label="no memory is asked for",
                help="add #SBATCH --mem=...",
            )
