"""The containers that a program runs in, whatever started them."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.launch.containers import split_at_commas
from sbatchlint.launch.plan import Container, Layer, LayerKind, LayerOption, Program, Step
from sbatchlint.launch.values import Value

_MOUNTS = {
    "apptainer": ("B", "bind", "mount"),
    "singularity": ("B", "bind", "mount"),
    "docker": ("v", "volume", "mount"),
    "podman": ("v", "volume", "mount"),
    "podman-hpc": ("v", "volume", "mount"),
    "enroot": ("m", "mount"),
    "shifter": ("V", "volume"),
    "sarus": ("mount",),
}
_LISTS = ("B", "bind")
"""Options that hold several mounts with commas between them."""


def containers(step: Step | None, program: Program) -> Iterator[Container]:
    """Yield the containers around *program* from the outside in."""
    if step is not None and step.container is not None:
        yield step.container
    for layer in program.layers:
        if layer.kind is LayerKind.CONTAINER:
            yield _of_layer(layer)


def _of_layer(layer: Layer) -> Container:
    image = layer.get("image", "i")
    given = layer.all(*_MOUNTS.get(layer.name, ()))
    return Container(
        runtime=layer.name,
        image=image.value if image is not None and image.value is not None else Value(),
        span=image.arg.place if image is not None else layer.span,
        mounts=tuple((mount, mount.span or use.arg.place) for use in given for mount in _listed(use)),
        mounts_complete=layer.complete and all(option.certain for option in given),
        mounts_home=_home(layer),
    )


def _listed(option: LayerOption) -> list[Value]:
    if option.value is None:
        return []
    return split_at_commas(option.value) if option.name in _LISTS else [option.value]


def _home(layer: Layer) -> bool | None:
    """Apptainer mounts the home folder unless the site or an option says no; the others do not."""
    if layer.name in ("apptainer", "singularity"):
        return False if layer.get("no-home", "contain", "c", "containall", "C") is not None else None
    return None if layer.name in ("shifter", "sarus") else False
