"""SB903 partition-not-open."""

from __future__ import annotations

from sbatchlint_rules.cluster._report import ClusterRule

from sbatchlint.api import MisfitKind


class PartitionNotOpen(ClusterRule):
    """The partition does not take the job, or starts none.

    ## Why
    A partition may be closed, down, for reservations only, or for some accounts and QOS.  A job for one that
    is down is accepted, and waits until somebody opens it.

    ## Example
    On a cluster with this profile:

    ```toml cluster
    [[partitions]]
    name = "gpu"
    default = true

    [[partitions]]
    name = "old"
    state = "DOWN"
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --partition=old  # finding here
    #SBATCH --nodes=1
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --partition=gpu
    #SBATCH --nodes=1
    srun hostname
    ```

    ## What it can't know
    Anything without a cluster profile (`--cluster FILE`), and whatever that profile leaves out.  A profile
    that is out of date makes findings that are.

    ## References
    - slurm.conf(5); Slurm's src/slurmctld/job_mgr.c
    """

    code = "SB903"
    name = "partition-not-open"
    kinds = (
        MisfitKind.PARTITION_CLOSED,
        MisfitKind.PARTITION_DOWN,
        MisfitKind.RESERVATION_NEEDED,
        MisfitKind.ACCOUNT_NOT_ALLOWED,
        MisfitKind.QOS_NOT_ALLOWED,
        MisfitKind.NODE_OUTSIDE_PARTITION,
    )
