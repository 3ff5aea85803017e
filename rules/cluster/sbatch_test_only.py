"""SB910 sbatch-test-only."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint_rules.cluster._report import first_directive

from sbatchlint.api import Finding, Job, Rule, Severity, Span, regex

_OPTION = regex(r"--([a-z][a-z0-9-]+)")
_PREFIX = regex(r"^(?:sbatch: )?(?:error: |fatal: )?(?:Batch job submission failed: )?")
_HINTS = {
    "partition": "partition",
    "time limit": "time",
    "Node count": "nodes",
    "node name": "nodelist",
    "feature": "constraint",
    "account": "account",
    "qos": "qos",
    "license": "licenses",
    "array": "array",
    "dependency": "dependency",
    "generic resource": "gres",
    "Memory": "mem",
}
"""Words of the controller's messages, and the option that each is about."""


class SbatchTestOnly(Rule):
    """The cluster's own sbatch refuses the job.

    ## Why
    With `--test-only` sbatchlint asks the `sbatch` of this machine, which asks the controller: with all its
    limits, reservations and job-submit plugins, and the nodes that it has just now.  Nothing is submitted.
    What it says stands beside the other findings, in its own words.

    ## Example
    On a cluster whose sbatch says of the script:

    ```text sbatch
    sbatch: error: invalid partition specified: gpuu
    allocation failure: Invalid partition name specified
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
    Which option is to blame where sbatch does not name one.

    ## References
    - sbatch(1), `--test-only`
    """

    code = "SB910"
    name = "sbatch-test-only"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        answer = job.sbatch_answer
        if answer is None or answer.accepted:
            return
        lines = [line for line in answer.said.splitlines() if line.strip()]
        told = [_PREFIX.sub("", line).removeprefix("allocation failure: ") for line in lines]
        yield self.finding(
            _place(job, answer.said),
            f"sbatch --test-only refuses the job: {told[-1] if told else 'without a reason'}",
            label="",
            help="ask for what the cluster gives",
            notes=lines,
        )


def _place(job: Job, said: str) -> Span:
    """The option that sbatch speaks of, where that can be told; else the first directive."""
    names = [*_OPTION.findall(said), *(name for word, name in _HINTS.items() if word in said)]
    for name in names:
        for use in job.request.all_uses:
            if use.spec.long == name and use.span is not None:
                return use.span
    return first_directive(job)
