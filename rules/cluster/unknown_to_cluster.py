"""SB901 unknown-to-cluster."""

from __future__ import annotations

from sbatchlint_rules.cluster._report import ClusterRule

from sbatchlint.api import MisfitKind


class UnknownToCluster(ClusterRule):
    """The job names something that the cluster does not have.

    ## Why
    A partition, a node, a feature, a licence or another resource of that name does not exist.  The controller
    refuses the job: "invalid partition specified: gpuu", "Invalid feature specification".

    ## Example
    On a cluster with this profile:

    ```toml cluster
    [[partitions]]
    name = "gpu"
    nodes = "gpu[01-16]"
    default = true
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --partition=gpuu  # finding here
    #SBATCH --nodes=2
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --partition=gpu
    #SBATCH --nodes=2
    srun hostname
    ```

    ## What it can't know
    Anything without a cluster profile (`--cluster FILE`), and whatever that profile leaves out.  A profile
    that is out of date makes findings that are.

    ## References
    - slurm.conf(5); Slurm's src/slurmctld/job_mgr.c
    """

    code = "SB901"
    name = "unknown-to-cluster"
    kinds = (
        MisfitKind.UNKNOWN_PARTITION,
        MisfitKind.UNKNOWN_NODE,
        MisfitKind.UNKNOWN_FEATURE,
        MisfitKind.UNKNOWN_GRES,
        MisfitKind.UNKNOWN_LICENSE,
        MisfitKind.UNKNOWN_ACCOUNT,
        MisfitKind.UNKNOWN_QOS,
    )
