"""The container of a step, from Pyxis's options (NVIDIA/pyxis: args.c, pyxis_alloc.c)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from sbatchlint.launch.plan import Container, LayerOption
from sbatchlint.launch.values import Choice, Segment, Text, Value, text_value
from sbatchlint.source import Span

_FOLDERS = ("$HOME", "$PWD", "$SLURM_SUBMIT_DIR")
"""Variables that are never empty and hold one folder."""

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.slurm.request import JobRequest


def container_of(machine: Machine, options: Sequence[LayerOption]) -> Container | None:
    """The Pyxis container that a step runs in, or None for none.

    A directive's container options reach every srun of the job through its environment; mounts of
    both places add up, image and name of the step's own line are used.
    """
    directives = _of_directives(machine.session.request)
    images = [option for option in options if option.name in ("container-image", "container-name")]
    given = [option for option in options if option.name.startswith(("container-", "no-container-"))]
    names = {option.name for option in given} | set(directives)
    if images:
        image, span = images[0].value, images[0].arg.place
    elif "container-image" in directives or "container-name" in directives:
        image, span = directives.get("container-image") or directives["container-name"]
    else:
        return None
    mounts = [option for option in given if option.name == "container-mounts" and option.value is not None]
    listed = [
        (item, item.span or option.arg.place)
        for option in mounts
        for item in split_at_commas(option.value or Value())
    ]
    if "container-mounts" in directives:
        value, place = directives["container-mounts"]
        listed += [(item, place) for item in split_at_commas(value)]
    kept = [option.value for option in given if option.name == "container-env" and option.value is not None]
    return Container(
        runtime="pyxis",
        image=image or Value(),
        span=span,
        mounts=tuple(listed),
        mounts_complete=all(not option.arg.optional for option in mounts)
        and all(is_one_mount(item) for item, _ in listed),
        mounts_home=_home(names),
        workdir=_workdir(given, directives),
        kept_variables=frozenset(name.strip() for value in kept for name in value.show().split(",")),
    )


def _workdir(
    given: Sequence[LayerOption], directives: Mapping[str, tuple[Value, Span | None]]
) -> Value | None:
    """The folder that the tasks start in; the line's own option counts before a directive's."""
    own = [option.value for option in given if option.name == "container-workdir"]
    return own[-1] if own else directives.get("container-workdir", (None, None))[0]


def _of_directives(request: JobRequest) -> dict[str, tuple[Value, Span | None]]:
    return {
        use.spec.long: (text_value(use.value or "", use.value_span), use.span)
        for use in request.uses
        if use.spec.long.startswith(("container-", "no-container-"))
    }


def _home(names: Iterable[str]) -> bool | None:
    names = set(names)
    if "no-container-mount-home" in names:
        return False
    return True if "container-mount-home" in names else None


def is_one_mount(item: Value) -> bool:
    """Tell whether an item of a list of mounts is one mount, of which it is known what it is mounted over.

    ``$HOME/data:/data`` is one though its source is not known; ``$MOUNTS`` may be any number of them.
    """
    target = list(item.segments)
    for index, segment in enumerate(item.segments):
        if isinstance(segment, Text) and ":" in segment.text:
            after = segment.slice(segment.text.index(":") + 1, len(segment.text))
            target = [*([after] if after.text else []), *item.segments[index + 1 :]]
            break
    if not target or isinstance(target[0], Text):
        return bool(target)
    if isinstance(target[0], Choice):
        return all(is_one_mount(Value((*option.segments, *target[1:]))) for option in target[0].options)
    return target[0].name in _FOLDERS and len(target) > 1


def split_at_commas(value: Value) -> list[Value]:
    """Cut a list at its commas; a choice with commas in it is cut inside each alternative."""
    items: list[Value] = []
    current: list[Segment] = []
    for segment in value.segments:
        if isinstance(segment, Choice) and any("," in option.show() for option in segment.options):
            for option in segment.options:
                items.extend(split_at_commas(option))
            continue
        if not isinstance(segment, Text):
            current.append(segment)
            continue
        at = 0
        for index, piece in enumerate(segment.text.split(",")):
            if index:
                items.append(Value(tuple(current)))
                current = []
            if piece:
                current.append(segment.slice(at, at + len(piece)))
            at += len(piece) + 1
    items.append(Value(tuple(current)))
    return [item for item in items if item.segments]
