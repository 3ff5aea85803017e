"""ACME001 job-name-without-project."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, Rule, Severity

from ._site import PROJECTS


class JobNameWithoutProject(Rule):
    """The job's name does not begin with its project.

    ## Why
    The monthly report of the cluster adds up GPU hours by the first word of the job's name.  Hours under a
    name like `test` are counted for nobody, and the staff asks whose they are.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --job-name=my-test  # finding here
    #SBATCH --time=00:10:00
    hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --job-name=llm-test
    #SBATCH --time=00:10:00
    hostname
    ```

    ## What it can't know
    A name that is given to sbatch when the job is submitted wins over the one in the script, and a script
    without a name gets that of its file: nothing is said of either.

    ## References
    - ACME handbook, "Naming jobs"
    """

    code = "ACME001"
    name = "job-name-without-project"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        """Yield a finding for a name, written in the script, that no project begins."""
        given = job.request.get("job-name")
        if given is None or not given.value or given.value_span is None:
            return
        if given.value.split("-")[0] not in PROJECTS:
            yield self.finding(
                given.value_span,
                f"the hours of {given.value} will be counted for no project",
                label="begins with no project",
                help=f"begin the name with {' or '.join(f'{project}-' for project in PROJECTS)}",
            )
