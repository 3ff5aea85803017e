"""SB501 container-options."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Complaint,
    ComplaintKind,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    OptionUse,
    Related,
    Rule,
    Severity,
    Span,
    complaints,
    said,
    severity_of,
    use_of,
    who_does,
)

_HELP = {
    "container-mounts": "write SRC:DST[:FLAG+FLAG], parted by commas, with paths that begin with / or .",
    "container-name": "write NAME, or NAME:FLAG with auto, create, exec or no_exec for FLAG",
}


class ContainerOptions(Rule):
    """Pyxis refuses a container option of the job, or two that contradict each other.

    ## Why
    Mounts are `SRC:DST[:FLAGS]`, parted by commas; each begins with `/` or `.`, flags are joined by `+`, and
    a comma too many makes an empty mount.  An image, a name or a working folder may be given once only:
    the command line does not override a directive.  `--container-mount-home` and its `--no-` form exclude
    each other.  In all these cases sbatch says what Pyxis found and submits nothing.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --container-image=/images/train.sqsh
    #SBATCH --container-mounts=/data:/data,  # finding here
    #SBATCH --container-mount-home  # finding here
    #SBATCH --no-container-mount-home
    python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --container-image=/images/train.sqsh
    #SBATCH --container-mounts=/data:/data
    #SBATCH --no-container-mount-home
    python train.py
    ```

    ## Fix
    A comma at the end of a list of mounts goes.

    ## What it can't know
    Whether sbatch of the site takes Pyxis's options at all (SB101 speaks of that).

    ## References
    - NVIDIA/pyxis: args.c, pyxis_alloc.c
    """

    code = "SB501"
    name = "container-options"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint in complaints(job, ComplaintKind.CONTAINER_OPTIONS):
            names = " and ".join(f"--{name}" for name in complaint.options)
            if len(complaint.options) > 1:
                what, help = f"{names} contradict each other", "keep one of them"
            else:
                what, help = f"{names} is given twice", f"give {names} once"
            yield self._report(job, complaint, what, help)
        for complaint in complaints(job, ComplaintKind.BAD_VALUE):
            use = use_of(job, complaint)
            if use is not None and use.spec.plugin == "pyxis":
                what, help = f"the value of --{use.spec.long} can't be read", _HELP.get(use.spec.long, "")
                yield self._report(job, complaint, what, help, _fix(job, use))

    def _report(
        self, job: Job, complaint: Complaint, what: str, help: str, fix: Fix | None = None
    ) -> Finding:
        assert complaint.span is not None
        return self.finding(
            complaint.span,
            f"{who_does(job, complaint)} refuses the job: {what}",
            label=complaint.detail,
            related=[Related(span, "the other") for span in complaint.related],
            help=help,
            notes=said(complaint),
            fix=fix,
            severity=severity_of(job, complaint),
        )


def _fix(job: Job, use: OptionUse) -> Fix | None:
    """Take off a comma that begins an empty mount."""
    value = use.value or ""
    if use.value_span is None or not value.endswith(",") or len(value) != len(use.value_span):
        return None
    if not job.takes(use.spec, value.rstrip(",")):
        return None
    end = use.value_span.end
    return Fix.safe("take off the comma", Edit(Span(end - len(value) + len(value.rstrip(",")), end), ""))
