"""The container of a layer that starts one by its own command: Apptainer, Docker and their like.

Sources: apptainer-exec(1) and the appendix of Apptainer's user guide on variables; docker-run(1),
podman-run(1); the documentation of enroot, shifter, sarus and Charliecloud.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sbatchlint.launch.containers import is_one_mount, split_at_commas
from sbatchlint.launch.options import tail
from sbatchlint.launch.plan import Container, Layer, LayerOption
from sbatchlint.launch.values import Value
from sbatchlint.records import dataclass
from sbatchlint.source import Span

Named = tuple[str, Value, "Span | None"]


@dataclass(frozen=True, slots=True)
class _Runtime:
    """What one runtime calls what; names without dashes."""

    mounts: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    """Of the options for mounts those that hold several, with commas between them."""
    workdir: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    variable_lists: bool = False
    mount_variables: tuple[str, ...] = ()
    """Variables of the environment that hold mounts."""
    prefixes: tuple[str, ...] = ()
    """What variables of the environment begin with that are set in the container without it."""


_APPTAINER = _Runtime(
    ("B", "bind", "mount"),
    ("B", "bind"),
    ("cwd", "pwd"),
    ("env",),
    True,
    ("APPTAINER_BIND", "APPTAINER_BINDPATH", "SINGULARITY_BIND", "SINGULARITY_BINDPATH"),
    ("APPTAINERENV_", "SINGULARITYENV_"),
)
_DOCKER = _Runtime(("v", "volume", "mount"), (), ("w", "workdir"), ("e", "env"))
_RUNTIMES = {
    "apptainer": _APPTAINER,
    "singularity": _APPTAINER,
    "docker": _DOCKER,
    "nvidia-docker": _DOCKER,
    "podman": _DOCKER,
    "podman-hpc": _DOCKER,
    "enroot": _Runtime(("m", "mount"), (), (), ("e", "env")),
    "shifter": _Runtime(("V", "volume"), (), ("w", "workdir"), ("e", "env")),
    "sarus": _Runtime(("mount",), (), ("w", "workdir"), ("e", "env")),
    "ch-run": _Runtime(("b", "bind"), (), ("c", "cd"), ("set-env",)),
}


def container_of_layer(layer: Layer, environment: Mapping[str, Value]) -> Container:
    """Return the container that *layer* starts; *environment* is what the script sets for its command."""
    runtime = _RUNTIMES.get(layer.name, _Runtime())
    image = layer.get("image", "i")
    given = layer.all(*runtime.mounts)
    mounts = [(mount, mount.span or use.arg.place) for use in given for mount in _listed(use, runtime)]
    for name in runtime.mount_variables:
        if name in environment:
            mounts += [(mount, mount.span) for mount in split_at_commas(environment[name])]
    workdir = layer.get(*runtime.workdir)
    certain = layer.complete and all(option.certain for option in given)
    return Container(
        runtime=layer.name,
        image=image.value if image is not None and image.value is not None else Value(),
        span=image.arg.place if image is not None else layer.span,
        mounts=tuple(mounts),
        mounts_complete=certain and all(is_one_mount(mount) for mount, _ in mounts),
        mounts_home=_home(layer),
        workdir=None if workdir is None else workdir.value,
        environment=tuple(_variables(layer, runtime, environment)),
    )


def _listed(option: LayerOption, runtime: _Runtime) -> list[Value]:
    if option.value is None:
        return []
    return split_at_commas(option.value) if option.name in runtime.lists else [option.value]


def _variables(layer: Layer, runtime: _Runtime, environment: Mapping[str, Value]) -> Iterator[Named]:
    """Yield the variables that are set in the container; a name without a value hands on one of outside."""
    for name, value in environment.items():
        for prefix in runtime.prefixes:
            if name.startswith(prefix) and len(name) > len(prefix):
                yield name[len(prefix) :], value, value.span
    for option in layer.all(*runtime.variables):
        if option.value is None:
            continue
        for item in split_at_commas(option.value) if runtime.variable_lists else [option.value]:
            name, equals, _ = item.show().partition("=")
            if equals:
                yield name, tail(item, len(name) + 1), item.span or option.arg.place
            elif name in environment:
                yield name, environment[name], item.span or option.arg.place


def _home(layer: Layer) -> bool | None:
    """Apptainer mounts the home folder unless the site or an option says no; the others do not."""
    if layer.name in ("apptainer", "singularity"):
        return False if layer.get("no-home", "contain", "c", "containall", "C") is not None else None
    return None if layer.name in ("shifter", "sarus", "ch-run") else False


__all__ = ["container_of_layer"]
