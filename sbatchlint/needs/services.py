"""The outside services that a job calls while it runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sbatchlint.certainty import Certainty
from sbatchlint.launch.plan import Program
from sbatchlint.needs.commands import Call, called_by
from sbatchlint.needs.images import UsedImage, registry_host
from sbatchlint.needs.need import ImageKind, Service, ServiceKind
from sbatchlint.needs.started import Started
from sbatchlint.needs.switches import setting_of, switches
from sbatchlint.needs.training_options import told_by_options
from sbatchlint.source import Span


def services_of(programs: Iterable[Started], images: Iterable[UsedImage]) -> list[Service]:
    """Return the calls of services in the order of the script; what a loop repeats is one call."""
    found: dict[tuple[object, ...], Service] = {}
    for service in (*_of_images(images), *_of_programs(programs)):
        key = (service.kind, service.host, service.by, service.place, service.independent)
        found.setdefault(key, service)
    return sorted(found.values(), key=lambda one: _FIRST if one.place is None else one.place)


_FIRST = Span(0, 0)


def _of_images(images: Iterable[UsedImage]) -> Iterator[Service]:
    for image in images:
        if image.kind is not ImageKind.REGISTRY:
            continue
        # What has been pulled before is found on the node; of these runtimes the cache is the rule.
        stored = image.runtime not in ("pyxis", "apptainer", "singularity")
        yield Service(
            kind=ServiceKind.REGISTRY,
            host=registry_host(image.value.show()),
            by=image.value.show(),
            certainty=max(image.certainty, Certainty.ASSUMED) if stored else image.certainty,
            switches=(),
            place=image.span,
            conditional=image.conditional,
            step=image.step,
            program=image.program,
        )


def _of_programs(programs: Iterable[Started]) -> Iterator[Service]:
    for one in programs:
        for call in (*called_by(one.program), *told_by_options(one.program, one.words)):
            yield _service(call, one)


def _service(call: Call, one: Started) -> Service:
    program = one.program
    own = [option for layer in program.layers if layer.name == "uv" for option in layer.options]
    setting = setting_of(program, one.container, own)
    grade = Certainty.KNOWN if call.sure and not program.assumed else Certainty.ASSUMED
    return Service(
        kind=call.kind,
        host=call.host,
        by=call.by,
        certainty=grade,
        switches=switches(call.switches, setting),
        place=_place(call, program),
        conditional=program.conditional,
        step=one.step,
        program=program,
    )


def _place(call: Call, program: Program) -> Span | None:
    """The option that tells of the call, else the command."""
    name = call.by.partition(" ")[0]
    if name in program.environment_spans:
        return program.environment_spans[name]
    for word in program.arguments:
        if name and word.value.show().partition("=")[0] == name:
            return word.place or program.span
    layer = next((one for one in program.layers if call.by == "uv run" and one.name == "uv"), None)
    return (layer.span if layer is not None else None) or program.span
