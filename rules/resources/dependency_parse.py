"""SB228 dependency-parse."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Edit, Finding, Fix, Fixable, IdFilter, Job, Rule, Severity, Span, job_id_filters


class DependencyParse(Rule):
    """The id of a submitted job is cut out of the sentence that sbatch prints.

    ## Why
    "Submitted batch job 123" is for people.  It becomes "... on cluster x" where several clusters are
    served, and a site's plugin may print lines around it; the id that comes out is then another word, and
    `--dependency` is refused or waits for another job.  `--parsable` prints the id alone.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    first=$(sbatch stage1.sh | cut -d " " -f 4)  # finding here
    sbatch --dependency=afterok:$first --kill-on-invalid-dep=yes stage2.sh
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    first=$(sbatch --parsable stage1.sh)
    sbatch --dependency=afterok:$first --kill-on-invalid-dep=yes stage2.sh
    ```

    ## Fix
    `--parsable` is added and a filter that takes the number goes.  With `--clusters` a `;` and the cluster's
    name follow the id, so nothing is changed there, nor where the filter is not a plain one.

    ## What it can't know
    Whether the output goes to the right place at your site: nothing has to be wrong today.

    ## References
    - sbatch(1), `--parsable`
    - https://github.com/cambiotraining/hpc-intro/issues/33
    """

    code = "SB228"
    name = "dependency-parse"
    severity = Severity.INFO
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for found in job_id_filters(job):
            yield self.finding(
                found.filters,
                "the job id is cut out of a sentence that sbatch may word otherwise",
                label="depends on the words of the message",
                help="sbatch --parsable prints the id alone",
                fix=_fix(found),
            )


def _fix(found: IdFilter) -> Fix | None:
    if not found.replaceable:
        return None
    end = found.sbatch.end
    return Fix.safe(
        "ask for the id alone",
        Edit(Span(end, end), " --parsable"),
        Edit(Span(found.command_end, found.filters.end), ""),
    )
