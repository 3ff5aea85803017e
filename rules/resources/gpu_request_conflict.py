"""SB231 gpu-request-conflict."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, GresRequest, Job, OptionUse, Related, Rule, Severity


class GpuRequestConflict(Rule):
    """The GPUs of a node are asked for twice, with different numbers.

    ## Why
    Slurm gives the job as many as `--gres` says, and every srun in it asks for as many as `--gpus-per-node`
    says.  Where that is more, no step starts: "Step requested gres_per_node=gpu:8 is more than the job's
    gres_per_node=gpu:4".  Where it is less, the other GPUs are paid for and never used.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --gres=gpu:4
    #SBATCH --gpus-per-node=8  # finding here
    srun nvidia-smi
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --gpus-per-node=8
    srun nvidia-smi
    ```

    ## What it can't know
    Which of the two was meant.  Equal numbers do no harm and are not reported here; numbers that Slurm
    refuses are SB210's.  Releases since 26.05 refuse both options together (SB206).

    ## References
    - Slurm's src/sbatch/opt.c and src/srun/opt.c, tried with Slurm 22.05.8
    """

    code = "SB231"
    name = "gpu-request-conflict"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        for request in job.request.components:
            by_gres, by_node = request.get("gres"), request.get("gpus-per-node")
            if by_gres is None or by_node is None or by_node.span is None:
                continue
            held, used = (request.value(use.spec.long, GresRequest) for use in (by_gres, by_node))
            if held is None or used is None or held.types() != used.types():
                continue
            if held.count() and used.count() and held.count() != used.count():
                yield self._report(by_gres, by_node, held.count(), used.count())

    def _report(self, by_gres: OptionUse, by_node: OptionUse, held: int, used: int) -> Finding:
        assert by_node.span is not None
        idle = held - used
        return self.finding(
            by_node.span,
            f"{idle} of {held} GPUs on each node stay idle: srun asks for {used}"
            if idle > 0
            else f"srun asks for {used} GPUs on each node, and the job has {held}: no step starts",
            label="what srun asks for",
            related=[Related(by_gres.span, "what the job is given")] if by_gres.span is not None else (),
            help="keep one of the two",
        )
