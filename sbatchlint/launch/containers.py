"""The container of a step, from Pyxis's options (NVIDIA/pyxis: args.c, pyxis_alloc.c)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.launch.plan import Container, LayerOption
from sbatchlint.launch.values import Choice, Segment, Text, Value, text_value
from sbatchlint.source import Span

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
        mounts_complete=all(
            not option.arg.optional and not _has_unknown_list(option.value) for option in mounts
        ),
        mounts_home=_home(names),
        kept_variables=frozenset(name.strip() for value in kept for name in value.show().split(",")),
    )


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


def _has_unknown_list(value: Value | None) -> bool:
    """Tell whether an unknown piece stands where a whole mount may (``$MOUNTS``, ``/a:/b,$MORE``)."""
    if value is None:
        return True
    before = ""
    for segment in value.segments:
        if not isinstance(segment, Text) and before[-1:] in ("", ","):
            return True
        before = segment.text if isinstance(segment, Text) else "?"
    return False


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
