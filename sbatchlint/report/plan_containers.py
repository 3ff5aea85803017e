"""The containers that a program runs in, whatever started them."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.launch.layer_containers import container_of_layer
from sbatchlint.launch.plan import Container, LayerKind, Program, Step
from sbatchlint.launch.values import Text


def containers(step: Step | None, program: Program) -> Iterator[Container]:
    """Yield the containers around *program* from the outside in."""
    if step is not None and step.container is not None:
        yield step.container
    for layer in program.layers:
        if layer.kind is LayerKind.CONTAINER:
            yield container_of_layer(layer, program.environment)


def may_mount_more(step: Step | None, container: Container) -> bool:
    """Tell whether a reader should reckon with mounts that are not named.

    ``$HOME/code:/code`` could hold a comma, which the plan takes into account; nobody else does.
    """
    if container.mounts_complete or step is None or container.runtime != "pyxis":
        return not container.mounts_complete
    uses = [option for option in step.options if option.name == "container-mounts"]
    return not all(option.certain for option in uses) or not all(
        any(isinstance(leaf, Text) and ":" in leaf.text for leaf in mount.leaves())
        for mount, _ in container.mounts
    )
