"""SB011 crlf."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Fix, Fixable, Job, Rule, Severity


class Crlf(Rule):
    r"""The lines end as on Windows, and sbatch refuses the script.

    ## Why
    sbatch looks for the two characters carriage return and line feed before it reads anything else, and one
    such line is enough: "sbatch: error: Batch script contains DOS line breaks (\r\n)", "instead of expected
    UNIX line breaks (\n)".  An editor on Windows, or git with `core.autocrlf`, has written them.

    ## Example
    A carriage return is shown as ␍.

    ```sbatch bad
    #!/bin/bash␍  # finding here
    #SBATCH --nodes=1␍
    #SBATCH --time=00:10:00␍
    srun hostname␍
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --time=00:10:00
    srun hostname
    ```

    ## Fix
    Every carriage return before a line end goes; nothing else is touched.

    ## References
    - Slurm's src/sbatch/sbatch.c (`_get_script_buffer`)
    - https://github.com/earthlab/rslurm/issues/84
    """

    code = "SB011"
    name = "crlf"
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS

    def check(self, job: Job) -> Iterator[Finding]:
        lines = job.source.crlf_lines
        if not lines:
            return
        first = job.source.line_span(min(lines))
        count = "this line ends" if len(lines) == 1 else f"{len(lines)} lines end"
        yield self.finding(
            first,
            "sbatch refuses the script: it has DOS line ends",
            label=f"{count} in a carriage return and a line feed",
            help="save it with Unix line ends",
            notes=("sbatch: error: Batch script contains DOS line breaks (\\r\\n)",),
            fix=Fix.line_ends("change DOS line ends to Unix ones"),
        )
