"""SB359 nested-srun-layout."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, Related, Rule, Severity, Step

_SHARING = ("overlap", "exact", "exclusive", "cpus-per-task", "jobid", "pty")


class NestedSrunLayout(Rule):
    """srun is called inside a step that holds all the CPUs that it asks for.

    ## Why
    The outer step has the CPUs of its nodes for itself, so the step inside it can't start: "srun: Job 4711
    step creation temporarily disabled, retrying (Requested nodes are busy)".  It retries until the time
    limit.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks=2
    srun -n1 bash -c 'srun -n2 ./simulate'  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks=2
    srun -n1 bash -c 'srun --overlap -n2 ./simulate'
    ```

    ## What it can't know
    What a script that the step runs does: only an srun in the text itself is seen.

    ## References
    - srun(1), `--overlap`
    - tried with Slurm 22.05.8: the inner step never started, with `--overlap` on either line it did
    """

    code = "SB359"
    name = "nested-srun-layout"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        outer: Step | None = None
        seen = set()
        for step in job.plan.steps:
            if not step.nested:
                outer = step
            elif outer is not None and step.span not in seen and not _share(outer, step):
                seen.add(step.span)
                yield self.finding(
                    step.span,
                    "this srun waits for CPUs that the step around it holds",
                    related=[Related(outer.span, "the step around it")],
                    help="give one of the two --overlap, or start the steps from the script itself",
                )


def _share(outer: Step, inner: Step) -> bool:
    """Whether one of the two leaves room for the other, or may do so."""
    if outer.container is not None or not (outer.options_complete and inner.options_complete):
        return True
    return any(step.effective(name) is not None for step in (outer, inner) for name in _SHARING)
