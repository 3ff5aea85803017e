"""SB504 container-name-not-job-scoped."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Related,
    Rule,
    Severity,
    Span,
    Text,
    regex,
)

_NAME = regex(r"[A-Za-z0-9._-]+")


class ContainerNameNotJobScoped(Rule):
    r"""A named container is found again by the next job on the node, with what the last one left in it.

    ## Why
    A container with a name outlives its step.  Unless the site keeps names apart by job
    (`container_scope=job`), the next srun that gives the same name takes the container as it is
    ("pyxis: reusing existing container filesystem") and does not look at `--container-image` any more: it
    gets yesterday's image, packages and half-written files.  Two jobs that share a node even join each
    other's running container.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    srun --container-image=/images/rl.sqsh --container-name=rl \  # finding here
        --no-container-mount-home --container-writable python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    srun --container-image=/images/rl.sqsh --container-name=rl-$SLURM_JOB_ID \
        --no-container-mount-home --container-writable python train.py
    ```

    ## Fix
    The job's id is added to the name wherever the script gives it, so that its steps still share it.

    ## What it can't know
    Whether the site keeps the names of jobs apart, unless a cluster profile says so (`container-scope`), or
    removes containers when a job ends.  A name that comes with no image anywhere in the script is a container
    that was made beforehand, and is left alone.

    ## References
    - NVIDIA/pyxis: pyxis_slurmstepd.c, config.c (`container_scope`)
    """

    code = "SB504"
    name = "container-name-not-job-scoped"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        scope = job.cluster.containers.container_scope if job.cluster is not None else None
        if scope == "job":
            return
        uses: dict[str, list[Span]] = {}
        with_image: set[str] = set()
        for step in job.plan.steps:
            option = step.get("container-name")
            value = option.value if option is not None else None
            if value is None or not all(isinstance(segment, Text) for segment in value.segments):
                continue
            name = (value.text or "").partition(":")[0]
            if not _NAME.fullmatch(name) or not _is_written_whole(value.segments[0], name):
                continue
            assert isinstance(value.segments[0], Text)
            assert value.segments[0].span is not None
            start = value.segments[0].span.start
            uses.setdefault(name, []).append(Span(start, start + len(name)))
            if step.get("container-image") is not None:
                with_image.add(name)
        for name in uses:
            if name in with_image:
                yield self._report(job, name, list(dict.fromkeys(uses[name])), scope)

    def _report(self, job: Job, name: str, places: list[Span], scope: str | None) -> Finding:
        return self.finding(
            places[0],
            f"the container {name} of an earlier job may be used again, whatever the image is",
            label="the same name in every job",
            related=[Related(place, "and here") for place in places[1:]],
            help=f"name it {name}-$SLURM_JOB_ID",
            notes=() if scope else ("harmless where the site sets container_scope=job",),
            fix=_fix(job, places),
            confidence=Confidence.MEDIUM,
        )


def _is_written_whole(first: object, name: str) -> bool:
    """Whether the name stands in the script in one piece, letter for letter."""
    return isinstance(first, Text) and first.span is not None and first.text.startswith(name)


def _fix(job: Job, places: list[Span]) -> Fix | None:
    edits = []
    for place in places:
        if not _expands(job, place):
            return None
        edits.append(Edit(Span(place.end, place.end), "-$SLURM_JOB_ID"))
    return Fix.safe("add the job's id to the name", *edits)


def _expands(job: Job, place: Span) -> bool:
    """Whether a variable next to *place* would be expanded: no single quotes on the line, no word goes on."""
    text = job.source.text
    line = job.source.slice(job.source.line_around(place.start))
    follows = text[place.end : place.end + 1]
    return "'" not in line and not re.match(r"[\w\\$`{]", follows)
