"""SB214 fewer-tasks-than-nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import Complaint, ComplaintKind, Finding, Job, Related, Rule, Severity, complaints, said


class FewerTasksThanNodes(Rule):
    """The job asks for more nodes than tasks, and gets as many nodes as tasks.

    ## Why
    A node without a task would be idle, so sbatch cuts the number of nodes down to that of the tasks and
    warns: "can't run 2 processes on 4 nodes, setting nnodes to 2".  A launcher that counts on the nodes asked
    for (`torchrun --nnodes=4`) then waits for the missing ones until it times out.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=4  # finding here
    #SBATCH --ntasks=2
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --ntasks=4
    srun hostname
    ```

    ## References
    - Slurm's src/sbatch/opt.c (`_opt_verify`)
    """

    code = "SB214"
    name = "fewer-tasks-than-nodes"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint in complaints(job, ComplaintKind.FEWER_TASKS_THAN_NODES):
            assert complaint.span is not None
            yield self.finding(
                complaint.span,
                _title(complaint),
                label="cut down to the number of tasks",
                related=[Related(span, "fewer tasks than nodes") for span in complaint.related],
                help="ask for at least one task on each node: --ntasks-per-node=1",
                notes=tuple(note.replace("error: ", "") for note in said(complaint)),
            )


def _title(complaint: Complaint) -> str:
    numbers = re.search(r"run (\d+) processes on (\d+) nodes", complaint.said)
    if numbers is None:
        return "the job gets fewer nodes than it asks for: there are not enough tasks"
    tasks, nodes = numbers.groups()
    return f"the job gets {tasks} of the {nodes} nodes that it asks for: there are not more tasks"
