"""SB501 container-options."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Complaint,
    ComplaintKind,
    Finding,
    Job,
    Related,
    Rule,
    Severity,
    complaints,
    said,
    severity_of,
    use_of,
    who_does,
)


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

    ## What it can't know
    Whether sbatch of the site takes Pyxis's options at all (SB101 speaks of that).

    ## References
    - NVIDIA/pyxis: args.c, pyxis_alloc.c
    """

    code = "SB501"
    name = "container-options"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint in complaints(job, ComplaintKind.CONTAINER_OPTIONS):
            names = " and ".join(f"--{name}" for name in complaint.options)
            what = (
                f"{names} contradict each other" if len(complaint.options) > 1 else f"{names} is given twice"
            )
            yield self._report(job, complaint, what)
        for complaint in complaints(job, ComplaintKind.BAD_VALUE):
            use = use_of(job, complaint)
            if use is not None and use.spec.plugin == "pyxis":
                yield self._report(job, complaint, f"the value of --{use.spec.long} can't be read")

    def _report(self, job: Job, complaint: Complaint, what: str) -> Finding:
        assert complaint.span is not None
        return self.finding(
            complaint.span,
            f"{who_does(job, complaint)} refuses the job: {what}",
            label=complaint.detail,
            related=[Related(span, "the other") for span in complaint.related],
            help="give each container option once, in the form that Pyxis reads",
            notes=said(complaint),
            severity=severity_of(job, complaint),
        )
