"""Images of containers, and the registries that they come from.

Sources: README of NVIDIA/pyxis (``--container-image``), NVIDIA/enroot's doc/cmd/import.md, apptainer-pull(1),
docker-pull(1): a first component with a dot, a colon or the name localhost is the registry's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.certainty import Certainty
from sbatchlint.launch.plan import Container, LaunchPlan, Layer, LayerKind, Program, Step
from sbatchlint.launch.values import Text, Value
from sbatchlint.needs.locating import container_around, place_of
from sbatchlint.needs.need import ImageKind
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.source import Span

_FILE = regex(r"\.(?:sqsh|sqfs|squashfs|sif|simg|img)$")
_SCHEME = regex(r"([a-z]\w*)://")
_DAEMONS = ("dockerd", "podman", "docker-daemon", "docker-archive", "oci", "oci-archive", "instance")
_APPTAINER = ("apptainer", "singularity")
_DOCKER = ("docker", "podman", "nvidia-docker", "podman-hpc")
_EXEC = regex(r"(?:[ \t]+-\S+)*[ \t]+(?:container[ \t]+)?exec\b")
_OTHER_HOSTS = {"library": "cloud.sylabs.io", "shub": "singularity-hub.org"}
DOCKER_HUB = "Docker Hub"


@dataclass(frozen=True, slots=True)
class UsedImage:
    """One image, and who needs it."""

    kind: ImageKind
    value: Value
    runtime: str
    certainty: Certainty
    span: Span | None
    conditional: bool
    step: Step | None
    program: Program | None

    @property
    def folder(self) -> str:
        """The folder on the host that the container is started in."""
        if self.step is not None:
            return self.step.folder
        return "" if self.program is None else self.program.folder


def used_images(plan: LaunchPlan, text: str) -> Iterator[UsedImage]:
    """Yield the image of each container, an image that may be one of several as each of them.

    *text* is the script: what ``docker exec`` names there is a container and no image.
    """
    for step in plan.steps:
        if step.container is not None and step.container.image.text != "":
            named = step.effective("container-image") is None and step.get("container-name") is not None
            if not named:
                yield from _each(step.container, step.conditional, step, None)
    for step_, program in plan.programs():
        layers: tuple[Layer, ...] = ()
        for layer in program.layers:
            layers = (*layers, layer)
            if layer.kind is LayerKind.CONTAINER:
                container = container_around(step_, layers, program)
                if container is not None and container.image and not _is_running(layer, container, text):
                    yield from _each(container, program.conditional, step_, program)


def _is_running(layer: Layer, container: Container, text: str) -> bool:
    """Tell whether the line goes into a container that somebody has started before."""
    if layer.name not in _DOCKER or layer.span is None or container.span is None:
        return False
    return _EXEC.match(text, layer.span.end) is not None


def _each(
    container: Container, conditional: bool, step: Step | None, program: Program | None
) -> Iterator[UsedImage]:
    values = container.image.alternatives(4) or [container.image]
    for value in values:
        grade = max(value.certainty, Certainty.ASSUMED) if len(values) > 1 else value.certainty
        yield UsedImage(
            kind=_kind_of(value, container.runtime),
            value=value,
            runtime=container.runtime,
            certainty=grade,
            span=place_of(value, container.span),
            conditional=conditional or len(values) > 1,
            step=step,
            program=program,
        )


def _kind_of(value: Value, runtime: str) -> ImageKind:
    """Tell what *runtime* takes an image of this name for."""
    shown = value.show()
    scheme = _SCHEME.match(shown)
    if scheme is not None:
        return ImageKind.LOCAL if scheme[1] in _DAEMONS else ImageKind.REGISTRY
    if shown.startswith(("/", "./", "../", "~")) or (runtime != "pyxis" and _FILE.search(shown)):
        return ImageKind.FILE
    if not value.segments or not isinstance(value.segments[0], Text):
        rooted = re.match(r"\$\{?\w+\}?/|<?\$\(", shown)
        return ImageKind.FILE if rooted and _FILE.search(shown) else ImageKind.UNKNOWN
    if runtime in _APPTAINER:
        return ImageKind.FILE
    if runtime == "pyxis" or runtime in _DOCKER:
        return ImageKind.REGISTRY if _registry_name(shown) else ImageKind.UNKNOWN
    return ImageKind.LOCAL


def _registry_name(shown: str) -> bool:
    return re.match(r"[\w.@-]", shown) is not None and not shown.startswith("localhost/")


def registry_host(shown: str) -> str:
    """The host that an image of this name is fetched from; empty where it is not known."""
    scheme = _SCHEME.match(shown)
    name = shown if scheme is None else shown[scheme.end() :]
    if scheme is not None and scheme[1] in _OTHER_HOSTS:
        return _OTHER_HOSTS[scheme[1]]
    if "#" in name:
        name = name.replace("#", "/", 1).rpartition("@")[2]
    first, slash, _ = name.partition("/")
    if "$" in first:
        return ""
    own = bool(slash) and ("." in first or ":" in first or first == "localhost")
    return first.rpartition("@")[2] if own else DOCKER_HUB
