"""SB114 placeholder-left."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Finding,
    Job,
    Placeholder,
    Rule,
    Severity,
    is_given_when_submitted,
    is_template,
    placeholders,
    unfilled,
)


class PlaceholderLeft(Rule):
    """A directive, a container or a path still holds a placeholder.

    ## Why
    `--account=<your account>` was meant to be filled in.  Nothing in a directive is expanded, so sbatch takes
    the text as it stands: with a blank in it the script is refused ("Invalid directive found in batch
    script"), else the account, the partition or the reservation is unknown, or a log file has a strange
    name.

    `CHANGE_ME` and its like are looked for in srun's container options and in the paths of what the job
    starts, too, also where a variable brings them: there is no such image, and no such folder.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --account=<project>  # finding here
    #SBATCH --partition=YOUR_PARTITION  # finding here
    #SBATCH --nodes=2
    IMAGE=/images/CHANGE_ME.sqsh  # finding here
    srun --container-image="$IMAGE" hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --account=p200
    #SBATCH --partition=gpu
    #SBATCH --nodes=2
    IMAGE=/images/nemo.sqsh
    srun --container-image="$IMAGE" hostname
    ```

    ## What it can't know
    Whether a name only looks like a placeholder.  Files that a program fills in (`{{ nodes }}`, `@@nodes`,
    `#NODES#`, several values like `{nodes}`, a name in `.j2`, `.tmpl` or `.in`, a name with "template" and
    several values like `<NODES>`, a comment at the head that says "this file is a template") are no scripts
    yet and are passed over.  Where a comment shows how to submit the script with this option
    (`# sbatch --partition=gpu job.sh`) it is an info.  A default (`${IMAGE:-CHANGE_ME}`) is not reported:
    whoever submits the job may give another value.

    ## References
    - Slurm's src/sbatch/opt.c (`get_argument`: no expansion)
    - https://github.com/neu-spiral/Discovery-Cluster/issues/14
    """

    code = "SB114"
    name = "placeholder-left"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        if is_template(job):
            return
        last: Placeholder | None = None
        for place in placeholders(job):
            if last is not None and not _apart(job, last, place):
                continue
            last = place
            text = job.source.slice(place.span)
            sure = " " in text and text[0] in "<{["
            taken = "sees no more of it than <" if text.startswith("<#") else "takes it as it stands"
            yield self.finding(
                place.span,
                f"{text} is still to be filled in: sbatch {taken}",
                label="a placeholder",
                help="write the value, or give the option on sbatch's command line and take it out here",
                severity=_severity(job, place, sure),
            )
        for mark in unfilled(job):
            yield self.finding(
                mark.span,
                f"{job.source.slice(mark.span)} is still to be filled in: it becomes part of {mark.used}",
                label="a placeholder",
                help="write the value",
                severity=Severity.WARNING,
            )


def _severity(job: Job, place: Placeholder, sure: bool) -> Severity:
    """An error where sbatch surely refuses it; of no weight where the option comes from the command line."""
    held = (use for use in job.request.uses if use.value_span and use.value_span.overlaps(place.span))
    if any(is_given_when_submitted(job, use) for use in held):
        return Severity.INFO
    return Severity.ERROR if sure else Severity.WARNING


def _apart(job: Job, one: Placeholder, next_one: Placeholder) -> bool:
    """Tell whether two placeholders stand in words of their own; ``<first>.<last>@x.org`` is one value."""
    between = job.source.text[one.span.end : next_one.span.start]
    return any(character.isspace() for character in between)
