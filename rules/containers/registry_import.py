"""SB512 registry-import."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Confidence, Finding, Job, Rule, Severity, Span, regex

_REGISTRY = regex(r"(?:\w+://)?(?:[\w.@-]+[#/])?[\w.-]+(?:/[\w.-]+)*(?::[\w.-]+)?")
_HOST = regex(r"localhost|[\w-]+(?:\.[\w-]+)+")
"""A registry by its host: the first part of a name without a dot is a user or a group of Docker Hub."""


class RegistryImport(Rule):
    """Every node of the job fetches and unpacks the image from the registry by itself.

    ## Why
    An image that is named after a registry is imported when the step starts, on each node: tens of gigabytes
    are fetched and unpacked N times while all GPUs wait.  Registries slow down or refuse so many requests
    at once (`toomanyrequests`, `429`), and one node that fails ends the step.  A file that was made once,
    `enroot import -o train.sqsh docker://...`, on a shared file system is only opened.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --container-image=nvcr.io/nvidia/nemo:25.07 --no-container-mount-home python t.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --container-image=/lustre/images/nemo-25.07.sqsh --no-container-mount-home python t.py
    ```

    ## Fix
    None: import the image once and name the file.

    ## What it can't know
    Whether the site keeps a cache of images or a registry of its own.

    ## References
    - NVIDIA/enroot: doc/cmd/import.md
    - [NVIDIA/pyxis](https://github.com/NVIDIA/pyxis)
    """

    code = "SB512"
    name = "registry-import"
    severity = Severity.INFO

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span | str] = set()
        for step in job.plan.steps:
            container, nodes = step.container, step.geometry.nodes
            if container is None or container.runtime != "pyxis" or nodes is None or nodes.value < 2:
                continue
            image, span = container.image.text, container.span
            if image is None or span is None or not _is_in_registry(image) or seen & {span, image}:
                continue
            seen |= {span, image}
            yield self.finding(
                span,
                f"each of {nodes.value} nodes will fetch and unpack {image}",
                label="imported when the step starts",
                help=f"import it once: enroot import -o image.sqsh {_address(image)}",
                confidence=Confidence.MEDIUM,
            )


def _address(image: str) -> str:
    """The image as enroot takes it: ``docker://REGISTRY#NAME``, where Docker writes ``REGISTRY/NAME``."""
    scheme, _, name = image.rpartition("://")
    registry, slash, rest = name.partition("/")
    if slash and "#" not in name and _HOST.fullmatch(registry.rpartition("@")[2]) is not None:
        name = f"{registry}#{rest}"
    return f"{scheme or 'docker'}://{name}"


def _is_in_registry(image: str) -> bool:
    """Whether it is the name of an image and no file; a bare word may be the name of a container."""
    named = any(sign in image for sign in ":#/")
    return named and not image.endswith("sqsh") and _REGISTRY.fullmatch(image) is not None
