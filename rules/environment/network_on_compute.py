"""SB607 network-on-compute."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Finding,
    Job,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    contained,
    environment_is_own,
    install_command,
)

_URL = re.compile(r"(?:https?|ftp|git|ssh)://|^git@")
_HERE = re.compile(r"://(?:localhost|127\.|0\.0\.0\.0|\$|\[?::1|10\.|192\.168\.|169\.254\.)")
_OFFLINE = re.compile(
    r"--(?:offline|no-index|no-deps|find-links|no-build-isolation)\b|\s-f\s|(?:^|\s)(?:-e|--editable)\s"
)
_HUB = frozenset(("huggingface-cli", "hf"))
_MOST = 5
"""How many more places a finding names."""
_IMAGE = re.compile(r"(?:docker|oras|library|shub)://")


class NetworkOnCompute(Rule):
    """The job fetches something from the internet while its GPUs wait.

    ## Why
    Compute nodes of many clusters have no way out: `pip install` ends in `Temporary failure in name
    resolution`, `git clone` and `docker://` hang until a time-out.  Where there is a way, each job and each
    task downloads the same again, hubs answer `429 Too Many Requests`, and what was installed today may be
    another version tomorrow.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=4
    pip install -U transformers  # finding here
    srun python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=4
    source /lustre/proj/venv/bin/activate
    srun python train.py
    ```

    ## Fix
    None: install into the environment or the image, and fetch data and images, before the job is submitted.

    ## What it can't know
    Whether the nodes have a way out, a proxy, a mirror of the package index, or a cache of the image.  It is
    an info for that reason, and a warning only where several tasks of a step fetch one image each.

    ## References
    - [TETools issue 22](https://github.com/Dfam-consortium/TETools/issues/22)
    - [Hugging Face: offline mode](https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables)
    """

    code = "SB607"
    name = "network-on-compute"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        found: dict[Span, tuple[str, bool]] = {}
        for step, program in job.plan.programs():
            what, span = _fetches(program), program.span
            if what is not None and span is not None and not _is_tried(job, span):
                found.setdefault(span, (what, step is not None))
        if found:
            (first, (what, in_task)), *rest = sorted(found.items())
            yield self.finding(
                first,
                f"{what} needs the internet while the job runs",
                label="fetched in each task" if in_task else "fetched in each job",
                related=[Related(span, f"{other}, too") for span, (other, _) in rest[:_MOST]],
                help="do it before the job is submitted",
                severity=Severity.INFO,
                confidence=Confidence.MEDIUM,
            )
        seen = set(found)
        yield from self._images(job, seen)

    def _images(self, job: Job, seen: set[Span]) -> Iterator[Finding]:
        for place in contained(job):
            layer, image = place.layer, place.container.image.show()
            span = place.container.span
            if layer is None or span is None or span in seen or not _IMAGE.match(image):
                continue
            seen.add(span)
            number = _tasks(place.step)
            file = image.partition("://")[2].rsplit("/", 1)[-1].partition(":")[0] + ".sif"
            yield self.finding(
                span,
                f"{number} tasks will each fetch and convert {image}"
                if number > 1
                else f"{image} is fetched and converted while the job runs",
                label="not a file",
                help=f"make a file of it once: {layer.name} pull {file} {image}",
                severity=Severity.WARNING if number > 1 else Severity.INFO,
                confidence=Confidence.HIGH if number > 1 else Confidence.MEDIUM,
            )


def _tasks(step: Step | None) -> int:
    tasks = step.geometry.tasks if step is not None else None
    return 1 if tasks is None else tasks.value


def _fetches(program: Program) -> str | None:
    """What *program* fetches from the internet, as a person would say it."""
    words = [argument.value.show() for argument in program.arguments]
    text = " ".join(words)
    command = install_command(program)
    if command is not None and command not in ("uv sync", "uv add"):
        local = _OFFLINE.search(text) or environment_is_own(program) or _installs_files(words)
        return None if local or command.endswith(("env", "create")) else command
    name = program.name or ""
    if name in ("wget", "curl"):
        return name if _URL.search(text) and not _HERE.search(text) else None
    if name == "git" and words[:1] == ["clone"]:
        return "git clone" if _URL.search(text) else None
    if name in _HUB and words[:1] == ["download"]:
        return f"{name} download"
    pulls = (
        name in ("apptainer", "singularity") and words[:1] in (["pull"], ["build"]) and "docker://" in text
    )
    return f"{name} {words[0]}" if pulls else None


def _installs_files(words: list[str]) -> bool:
    named = [word for word in words[1:] if not word.startswith("-")]
    return bool(named) and all(word.startswith((".", "/", "$")) or word.endswith(".whl") for word in named)


def _is_tried(job: Job, span: Span) -> bool:
    """Whether the script is ready for it to fail."""
    line = job.source.line_span(job.source.position(span.start).line)
    return "||" in job.source.text[span.start : line.end]
