"""SB352 srun-steps-serialised."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, Related, Rule, Severity, queued_steps


class SrunStepsSerialised(Rule):
    """Steps that are started side by side run one after the other: each takes whole nodes.

    ## Why
    Since Slurm 20.11 a step has the CPUs of its nodes for itself, all of them, however few tasks it has.  The
    next `srun ... &` waits: "srun: Job 4711 step creation temporarily disabled, retrying (Requested nodes are
    busy)". Ten runs that should take an hour together take ten, or are cut off by the time limit; steps that
    wait for each other (a server and its clients) never meet.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks=4
    #SBATCH --gpus-per-node=4
    for seed in 1 2 3 4; do
      srun -n1 --gpus=1 python run.py --seed $seed &  # finding here
    done
    wait
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks=4
    #SBATCH --gpus-per-node=4
    for seed in 1 2 3 4; do
      srun -n1 --gpus=1 --exact --mem=60G python run.py --seed $seed &
    done
    wait
    ```

    ## What it can't know
    Whether steps are meant to take turns.  Steps on hosts that are named, with CPUs of their own (`-c`), or
    with `--exact` or `--overlap` are left alone, although GPUs and memory may keep them waiting too.

    ## References
    - srun(1), `--exact`, `--overlap`
    - tried with Slurm 22.05.8: two steps of one second took 2.1 s, with `--exact` 1.1 s
    """

    code = "SB352"
    name = "srun-steps-serialised"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        for queue in queued_steps(job):
            spans = list(dict.fromkeys(step.span for step in queue.steps))
            whole = "the whole node" if queue.nodes == 1 else f"{queue.each} of the {queue.nodes} nodes"
            if queue.each == queue.nodes > 1:
                whole = f"all {queue.nodes} nodes"
            yield self.finding(
                spans[0],
                f"these steps run one after the other: each takes {whole} for itself",
                related=[Related(span, "has to wait") for span in spans[1:]],
                help="give each its share: --exact with -n, -c, --gpus and --mem; or --overlap to share all",
            )
