"""SB212 ntasks-inconsistent."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, Related, Rule, Severity, Span


class NtasksInconsistent(Rule):
    """The number of tasks is not that of the nodes times the tasks on each.

    ## Why
    With `--ntasks` given, `--ntasks-per-node` is only an upper limit.  `--nodes=4 --ntasks=8
    --ntasks-per-node=8` starts eight tasks, not thirty-two: the program runs on a quarter of the GPUs, or
    waits for ranks that never come.  More tasks than the nodes may hold never start at all.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --ntasks=8  # finding here
    #SBATCH --ntasks-per-node=8
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --ntasks-per-node=8
    srun hostname
    ```

    ## What it can't know
    Whether fewer tasks than the limit allows are wanted.  Nothing is said where the last node alone would be
    less than full.

    ## References
    - sbatch(1), `--ntasks-per-node`
    - https://github.com/Lightning-AI/pytorch-lightning/issues/20391
    """

    code = "SB212"
    name = "ntasks-inconsistent"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        for request in job.request.components:
            use, each = request.get("ntasks"), request.get("ntasks-per-node")
            if use is None or use.span is None or each is None or each.span is None:
                continue
            tasks, per_node, nodes = request.ntasks, request.ntasks_per_node, request.node_count
            if tasks is None or per_node is None or nodes is None or nodes.low != nodes.high:
                continue
            yield from self._compare(use.span, each.span, tasks.value, per_node.value, nodes.low)

    def _compare(self, span: Span, each: Span, tasks: int, per_node: int, nodes: int) -> Iterator[Finding]:
        full = nodes * per_node
        sum_ = f"{nodes} nodes x {per_node} tasks a node = {full}"
        if tasks > full:
            yield self.finding(
                span,
                f"the job never starts: it wants {tasks} tasks, and {sum_} is the most",
                label="more than the nodes may hold",
                related=[Related(each, "the limit of each node")],
                help="drop --ntasks",
                severity=Severity.WARNING,
            )
        elif nodes <= tasks <= full - per_node:
            twice = tasks == per_node
            yield self.finding(
                span,
                f"only {tasks} tasks start: with --ntasks given, {sum_} is only a limit",
                label="the number of all tasks",
                related=[Related(each, "tasks on each node, at most")],
                help="drop --ntasks",
                severity=None if twice else Severity.WARNING,
            )
