"""SB607 network-on-compute."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import (
    Certainty,
    Confidence,
    Finding,
    Job,
    Program,
    Related,
    Rule,
    ServiceKind,
    Severity,
    Span,
    Step,
    contained,
    environment_is_own,
    install_command,
    regex,
    services_out_of_reach,
)

_URL = regex(r"(?:https?|ftp|git|ssh)://|(?:^|\s)git@")
_HERE = regex(
    r"://(?:localhost|127\.|0\.0\.0\.0|\$|\[?::1|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)"
)
_PULLING = ("docker", "podman", "enroot", "skopeo")
_WITHOUT_DOMAIN = regex(r"(?:[\w-]+|[\w.-]+\.(?:local|internal|lan|localdomain|cluster))")
"""Names of hosts that only a site's own network has."""
_HOST = regex(r"(?:://|@)(?:[^/@\s]*@)?(\$?[\w.-]+)")
_OFFLINE = regex(
    r"--(?:offline|no-index|no-deps|find-links|no-build-isolation)\b|\s-f\s|(?:^|\s)(?:-e|--editable)\s"
)
_HUB = frozenset(("huggingface-cli", "hf"))
_MOST = 5
"""How many more places a finding names."""
_IMAGE = regex(r"(?:docker|oras|library|shub)://")
_MIRRORS = {
    "pip": "pypi",
    "uv": "pypi",
    "poetry": "pypi",
    "conda": "conda",
    "mamba": "conda",
    "micromamba": "conda",
    "pixi": "conda",
    "huggingface-cli": "huggingface",
    "hf": "huggingface",
    "apptainer": "docker",
    "singularity": "docker",
}
"""The mirror in the cluster's profile that serves a program."""


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

    With `compute-internet = false` in the cluster's profile each call is a warning, and so is an image of
    Pyxis that is no file, and what the programs call by themselves (W&B, a model hub), unless a switch such
    as `WANDB_MODE=offline` is set; what one of the profile's mirrors serves is left out.  With
    `compute-internet = true` nothing is said but of images that several tasks fetch each.

    ## Fix
    None: install into the environment or the image, and fetch data and images, before the job is submitted.

    ## What it can't know
    Without a cluster profile: whether the nodes have a way out, a proxy, a mirror of the package index, or a
    cache of the image.  It is an info for that reason, and a warning only where several tasks of a step fetch
    one image each.

    ## References
    - [TETools issue 22](https://github.com/Dfam-consortium/TETools/issues/22)
    - [Hugging Face: offline mode](https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables)
    """

    code = "SB607"
    name = "network-on-compute"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        open_ = job.cluster.compute_internet if job.cluster is not None else None
        found: dict[Span, tuple[str, bool]] = {}
        for step, program in job.plan.programs():
            what, span = _fetches(program), program.span
            if what is None or span is None or _is_tried(job, span) or _is_served(job, program, what):
                continue
            found.setdefault(span, (what, step is not None))
        if open_ is False:
            yield from (self._cut_off(span, what) for span, (what, _) in sorted(found.items()))
            yield from self._registry_images(job)
            yield from self._services(job, set(found))
        elif open_ is None and found:
            yield self._together(found)
        yield from self._images(job, set(found), open_)

    def _cut_off(self, span: Span, what: str) -> Finding:
        return self.finding(
            span,
            f"{what} needs the internet, which the compute nodes do not have",
            label="fails or hangs here",
            help="do it before the job is submitted",
        )

    def _services(self, job: Job, told: set[Span]) -> Iterator[Finding]:
        """What is called besides: a tracker, a hub, ``git pull``."""
        for service in services_out_of_reach(job):
            span, program = service.place, service.program
            if span is None or program is None or _fetches(program) is not None:
                continue
            image = service.kind is ServiceKind.REGISTRY and program.name not in _PULLING
            if image or any(span.overlaps(other) for other in told):
                continue
            told.add(span)
            sure = service.certainty is Certainty.KNOWN and not service.conditional
            tried = _is_tried(job, span)
            ways = [switch.spelled for switch in service.switches if switch.value]
            yield self.finding(
                span,
                f"{service.by} needs {service.host or 'the internet'}, which the compute nodes do not reach",
                label=f"a {service.kind.value}",
                help=f"set {ways[0]}" if ways else "do it before the job is submitted",
                confidence=Confidence.HIGH if sure and not tried else Confidence.MEDIUM,
            )

    def _together(self, found: dict[Span, tuple[str, bool]]) -> Finding:
        (first, (what, in_task)), *rest = sorted(found.items())
        return self.finding(
            first,
            f"{what} needs the internet while the job runs",
            label="fetched in each task" if in_task else "fetched in each job",
            related=[Related(span, f"{other}, too") for span, (other, _) in rest[:_MOST]],
            help="do it before the job is submitted",
            severity=Severity.INFO,
            confidence=Confidence.MEDIUM,
        )

    def _registry_images(self, job: Job) -> Iterator[Finding]:
        """Images that Pyxis has to fetch on each node."""
        seen: set[Span] = set()
        for step in job.plan.steps:
            container = step.container
            span = container.span if container is not None else None
            if container is None or container.runtime != "pyxis" or span is None or span in seen:
                continue
            image = container.image.text
            if image is not None and _is_of_registry(image) and not _is_mirrored(job, image):
                seen.add(span)
                yield self._cut_off(span, f"the image {image}")

    def _images(self, job: Job, seen: set[Span], open_: bool | None) -> Iterator[Finding]:
        cached = job.cluster is not None and job.cluster.containers.image_cache is not None
        for place in contained(job):
            layer, image = place.layer, place.container.image.show()
            span = place.container.span
            if layer is None or span is None or span in seen or not _IMAGE.match(image):
                continue
            seen.add(span)
            number = 1 if cached else _tasks(place.step)
            if number == 1 and open_ is True:
                continue
            cut_off = open_ is False and not cached and not _is_mirrored(job, image)
            sure = number > 1 or cut_off
            file = image.partition("://")[2].rsplit("/", 1)[-1].partition(":")[0] + ".sif"
            yield self.finding(
                span,
                f"{image} needs the internet, which the compute nodes do not have"
                if cut_off
                else f"{number} tasks will each fetch and convert {image}"
                if number > 1
                else f"{image} is fetched and converted while the job runs",
                label="not a file",
                help=f"make a file of it once: {layer.name} pull {file} {image}",
                severity=Severity.WARNING if sure else Severity.INFO,
                confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
            )


def _is_of_registry(image: str) -> bool:
    """Whether Pyxis takes *image* for one of a registry: it begins with no path (pyxis: ``enroot.c``)."""
    on_host = image.startswith(("/", "./", "../", "~", "dockerd://", "podman://"))
    return bool(image) and not on_host and not image.endswith((".sqsh", ".squashfs", ".sif"))


def _is_mirrored(job: Job, image: str) -> bool:
    """Whether compute nodes get *image* from a registry of the site."""
    host = re.split(r"[/#]", image.partition("://")[2] or image)[0].rpartition("@")[2].partition(":")[0]
    mirrored = job.cluster is not None and job.cluster.mirrors.docker is not None
    return mirrored or _is_reached(job, host)


def _is_served(job: Job, program: Program, what: str) -> bool:
    """Whether *program* fetches from what compute nodes reach, by the cluster's profile or by the name."""
    words = [argument.value.show() for argument in program.arguments]
    images = [word for word in words if _IMAGE.match(word)]
    if images:
        return all(_is_mirrored(job, image) for image in images)
    hosts = _HOST.findall(" ".join(words))
    if hosts:
        return all(_WITHOUT_DOMAIN.fullmatch(host) or _is_reached(job, host) for host in hosts)
    mirrors = None if job.cluster is None else job.cluster.mirrors
    return getattr(mirrors, _MIRRORS.get(what.partition(" ")[0], ""), None) is not None


def _is_reached(job: Job, host: str) -> bool:
    names = () if job.cluster is None else job.cluster.mirrors.host_names
    return any(host == name or (name.startswith(".") and host.endswith(name)) for name in names)


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
    line = job.source.line_around(span.start)
    return "||" in job.source.text[span.start : line.end]
