"""The door to the needs of a job."""

from __future__ import annotations

from sbatchlint.launch.plan import LaunchPlan
from sbatchlint.launch.values import Value
from sbatchlint.needs.credentials import credentials_of
from sbatchlint.needs.images import UsedImage, used_images
from sbatchlint.needs.need import Image, Needs
from sbatchlint.needs.paths import PathFinder
from sbatchlint.needs.services import services_of
from sbatchlint.needs.started import started
from sbatchlint.shell.syntax import Script
from sbatchlint.slurm.request import JobRequest

__all__ = ["needs_of"]


def needs_of(script: Script, request: JobRequest, plan: LaunchPlan) -> Needs:
    """Return what the job needs from outside, as far as script and plan tell.

    Of jobs that the script submits nothing is told but their scripts' names.
    """
    text = request.source.text
    images = list(used_images(plan, text))
    programs = started(plan)
    services = tuple(services_of(programs, images))
    return Needs(
        credentials=tuple(credentials_of(text, script, request, plan, services)),
        services=services,
        images=tuple(_distinct(images)),
        paths=tuple(PathFinder(text, request, plan, programs).paths(images)),
    )


def _distinct(images: list[UsedImage]) -> list[Image]:
    found: dict[tuple[Value, str], Image] = {}
    for one in images:
        image = Image(one.kind, one.value.show(), one.runtime, one.certainty, one.span)
        found.setdefault((one.value, one.runtime), image)
    return list(found.values())
