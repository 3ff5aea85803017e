"""SB902 over-limit."""

from __future__ import annotations

from sbatchlint_rules.cluster._report import ClusterRule

from sbatchlint.api import MisfitKind


class OverLimit(ClusterRule):
    """The job asks for more than the cluster lets one job have.

    ## Why
    Partitions and QOS limit the time, the nodes and the memory of a job, and the cluster the size of an
    array.  With `EnforcePartLimits` set the controller refuses what is over a limit ("Requested time limit is
    invalid (missing or exceeds some limit)"); without it, which is the default, the job is accepted and waits
    for ever.

    ## Example
    On a cluster with this profile:

    ```toml cluster
    [settings]
    enforce-part-limits = "ALL"

    [[partitions]]
    name = "gpu"
    default = true
    max-time = "2-00:00:00"
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --partition=gpu
    #SBATCH --nodes=2
    #SBATCH --time=3-00:00:00  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --partition=gpu
    #SBATCH --nodes=2
    #SBATCH --time=2-00:00:00
    srun hostname
    ```

    ## What it can't know
    Anything without a cluster profile (`--cluster FILE`), and whatever that profile leaves out.  A profile
    that is out of date makes findings that are.

    ## References
    - slurm.conf(5); Slurm's src/slurmctld/job_mgr.c
    """

    code = "SB902"
    name = "over-limit"
    kinds = (
        MisfitKind.TIME_LIMIT,
        MisfitKind.TOO_MANY_NODES,
        MisfitKind.TOO_FEW_NODES,
        MisfitKind.MEMORY_LIMIT,
        MisfitKind.QOS_LIMIT,
        MisfitKind.ARRAY_INDEX,
        MisfitKind.TOO_MANY_LICENSES,
    )
