"""SB507 container-image-path."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Rule,
    Severity,
    Span,
    Text,
    Value,
    regex,
)

_FILE = regex(r"(?!\w+://)[^./#$@][^#$@]*\.(?:sqsh|sqfs|squashfs)")


class ContainerImagePath(Rule):
    """An image file is named without a path and is looked for in a registry.

    ## Why
    Pyxis takes an image for a file only if its name begins with `/` or `.`; everything else is a name in a
    registry.  `--container-image=nemo.sqsh` asks Docker Hub for an image called `nemo.sqsh`, and the step
    ends with `pyxis: failed to import docker image` (`unauthorized` or `404` in what enroot printed).

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    srun --container-image=nemo-25.07.sqsh nvidia-smi -L  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    srun --container-image=./nemo-25.07.sqsh nvidia-smi -L
    ```

    ## Fix
    `./` is put before the name: the file in the folder that srun is called in.

    ## What it can't know
    Whether a registry has an image with such a name; none is known that has.

    ## References
    - [NVIDIA/pyxis issue 127](https://github.com/NVIDIA/pyxis/issues/127)
    - NVIDIA/pyxis: pyxis_slurmstepd.c
    """

    code = "SB507"
    name = "container-image-path"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for image, span, certain in _images(job):
            text = image.text
            if text is None or not _FILE.fullmatch(text) or span in seen:
                continue
            seen.add(span)
            yield self.finding(
                span,
                f"{text} is looked for in a registry: a file is named with a path",
                label="begins with neither / nor .",
                help=f"write ./{text}, or the whole path",
                fix=_fix(job, image),
                severity=Severity.ERROR if certain else Severity.WARNING,
            )


def _images(job: Job) -> Iterator[tuple[Value, Span, bool]]:
    for use in job.request.uses:
        if use.spec.long == "container-image" and use.value_span is not None and use.value:
            yield Value((Text(use.value, use.value_span),)), use.value_span, True
    for step in job.plan.steps:
        option = step.get("container-image")
        if option is not None and option.value is not None:
            span = option.value.span or option.arg.place or step.span
            yield option.value, span, option.certain and not step.doubtful


def _fix(job: Job, image: Value) -> Fix | None:
    first = image.segments[0]
    if not isinstance(first, Text) or first.span is None or len(first.span) != len(first.text):
        return None
    if job.source.slice(first.span) != first.text:
        return None
    return Fix.safe("name the file in this folder", Edit(Span(first.span.start, first.span.start), "./"))
