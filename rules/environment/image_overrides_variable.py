"""SB614 image-overrides-variable."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Container,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    Variable,
    regex,
    settings_of,
    uv_installs,
    variables,
)

_NEMO_IMAGE = regex(
    r"(?i)(?:nvcr\.io[#/]nvidia/nemo[:/+]|(?:^|/)(?:nvidia\+)?nemo[-_+])(?P<year>2\d)\.(?P<month>\d\d)"
)
_SINCE = (26, 2)
"""The first image that is known to be built from the public Dockerfile that sets them."""
_CACHE = "UV_CACHE_DIR"
_FOLDERS = frozenset(("ENROOT_DATA_PATH", "ENROOT_CACHE_PATH", "ENROOT_RUNTIME_PATH", "ENROOT_TEMP_PATH"))
"""The business of enroot-path-home, which knows what to set instead."""


class ImageOverridesVariable(Rule):
    r"""A variable that the script sets does not reach the container: Pyxis lets the image's own win.

    ## Why
    Pyxis starts a container with the variables of the image and adds those of the job that the image has not.
    NeMo Framework images set `UV_CACHE_DIR=/opt/uv_cache`, `UV_PROJECT_ENVIRONMENT=/opt/venv` and
    `UV_LINK_MODE=copy`, so another value of the batch script is lost without a word: uv fills a folder of the
    container that is thrown away, or "error: Failed to install ... Read-only file system".  Enroot's own
    settings (`ENROOT_MAX_CONNECTIONS` and the like) Pyxis takes from the site's configuration alone.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export UV_PROJECT_ENVIRONMENT=/lustre/proj/venv  # finding here
    srun --container-image=nvcr.io/nvidia/nemo:26.04 \
      --no-container-mount-home uv run --no-sync python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export UV_PROJECT_ENVIRONMENT=/lustre/proj/venv
    srun --container-env=UV_PROJECT_ENVIRONMENT --container-image=nvcr.io/nvidia/nemo:26.04 \
      --no-container-mount-home uv run --no-sync python train.py
    ```

    ## Fix
    `--container-env=NAME` is added to the srun, on request (`--unsafe-fixes`): old releases of Pyxis do not
    know the option.

    ## What it can't know
    What other images set.  An image is taken for one of NeMo's by its name and release; a release before
    26.02, whose Dockerfile is not public, is an info.  `UV_CACHE_DIR` on several nodes is the business of
    cache-not-shared, and enroot's folders that of enroot-path-home.

    ## References
    - NVIDIA/pyxis@10751994: README.md (`--container-env`), pyxis_slurmstepd.c (`spank_import_container_env`,
      `enroot_deny_env`)
    - NVIDIA-NeMo/Megatron-Bridge@067f987d: docker/Dockerfile.fw_base
    """

    code = "SB614"
    name = "image-overrides-variable"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        set_by_batch = {setting.span for setting in settings_of(job)}
        for step in job.plan.steps:
            container = step.container
            if container is None or container.runtime != "pyxis":
                continue
            for program in step.programs:
                for known in variables():
                    span = program.environment_spans.get(known.name)
                    if span is None or span in seen or span not in set_by_batch:
                        continue
                    finding = self._by_image(job, step, container, program, known, span)
                    finding = finding or self._by_pyxis(job, container, known, span)
                    if finding is not None:
                        seen.add(span)
                        yield finding

    def _by_image(
        self, job: Job, step: Step, container: Container, program: Program, known: Variable, span: Span
    ) -> Finding | None:
        value, image = program.environment.get(known.name), _NEMO_IMAGE.search(container.image.text or "")
        if image is None or not known.nemo_image or known.name in container.kept_variables or value is None:
            return None
        if value.text == known.nemo_image or (known.name == _CACHE and _is_shared_cache(step, program)):
            return None
        sure = (int(image["year"]), int(image["month"])) >= _SINCE
        return self.finding(
            span,
            f"the container keeps the image's {known.name}={known.nemo_image}; this value does not reach it",
            label="lost",
            related=[Related(container.span, "variables of the image win")]
            if container.span is not None
            else [],
            help=f"add --container-env={known.name} to srun, or set it in the container",
            fix=_fix(job, step, known.name),
            severity=Severity.WARNING if sure else Severity.INFO,
            confidence=Confidence.MEDIUM,
        )

    def _by_pyxis(self, job: Job, container: Container, known: Variable, span: Span) -> Finding | None:
        if not known.pyxis_ignores or known.name in _FOLDERS:
            return None
        if re.search(r"\benroot[ \t]+\w", job.source.text):
            return None
        return self.finding(
            span,
            f"Pyxis does not take {known.name} from the job",
            label="without effect on srun --container-image",
            related=[Related(container.span, "started by Pyxis")] if container.span is not None else [],
            help="remove it; the site sets it in enroot.conf",
            severity=Severity.INFO,
            confidence=Confidence.MEDIUM,
        )


def _is_shared_cache(step: Step, program: Program) -> bool:
    """Whether SB601 tells of it: a cache that several nodes fill."""
    nodes = step.geometry.nodes
    return nodes is not None and nodes.value > 1 and uv_installs(program)


def _fix(job: Job, step: Step, name: str) -> Fix | None:
    if job.source.slice(step.span) != "srun" or step.get("container-env") is not None:
        return None
    place = Span(step.span.end, step.span.end)
    return Fix.unsafe("let the job's value win", Edit(place, f" --container-env={name}"))
