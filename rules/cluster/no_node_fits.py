"""SB904 no-node-fits."""

from __future__ import annotations

from sbatchlint_rules.cluster._report import ClusterRule

from sbatchlint.api import MisfitKind


class NoNodeFits(ClusterRule):
    """No node of the cluster, or too few of them, can run the job.

    ## Why
    Eight tasks of thirty-two CPUs do not fit a node of 128, four nodes of a type of which there are two never
    come together, and no node has GPUs of a type that is not there.  The controller says "Requested node
    configuration is not available", or lets the job wait.

    ## Example
    On a cluster with this profile:

    ```toml cluster
    [[partitions]]
    name = "gpu"
    nodes = "gpu[01-16]"
    default = true

    [[node-types]]
    hosts = "gpu[01-16]"
    cpus = 128
    gpus = { h100 = 8 }
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --partition=gpu
    #SBATCH --nodes=2
    #SBATCH --gpus-per-node=h200:8  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --partition=gpu
    #SBATCH --nodes=2
    #SBATCH --gpus-per-node=h100:8
    srun hostname
    ```

    ## What it can't know
    Anything without a cluster profile (`--cluster FILE`), and whatever that profile leaves out.  A profile
    that is out of date makes findings that are.

    ## References
    - slurm.conf(5); Slurm's src/slurmctld/job_mgr.c
    """

    code = "SB904"
    name = "no-node-fits"
    kinds = (
        MisfitKind.NOT_ENOUGH_NODES,
        MisfitKind.FEATURES,
        MisfitKind.GPU_TYPE,
        MisfitKind.GPUS_PER_NODE,
        MisfitKind.GRES_PER_NODE,
        MisfitKind.MEMORY_PER_NODE,
        MisfitKind.CPUS_PER_NODE,
        MisfitKind.TMP_DISK,
        MisfitKind.NODE_SHAPE,
        MisfitKind.TASKS_PER_NODE,
        MisfitKind.TOTAL_CPUS,
        MisfitKind.TOTAL_GPUS,
        MisfitKind.TOTAL_MEMORY,
        MisfitKind.TOGETHER,
    )
