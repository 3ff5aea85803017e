"""Asking every release what it makes of a script."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from sbatchlint.slurm.getopt import Problem
from sbatchlint.slurm.grammar.base import Stage
from sbatchlint.slurm.options import SUPPORTED_RELEASES, Release, parse_release
from sbatchlint.slurm.request import JobRequest, RequestProblem, RequestReader
from sbatchlint.slurm.verdict.complaint import Complaint, ComplaintKind, Verdict
from sbatchlint.slurm.verdict.controller import controller_complaints
from sbatchlint.slurm.verdict.exclusions import exclusions, overrules_hint
from sbatchlint.slurm.verdict.gpus import gpu_complaints
from sbatchlint.slurm.verdict.grounds import of_uses
from sbatchlint.slurm.verdict.misread import misread_values
from sbatchlint.slurm.verdict.pyxis import container_complaints
from sbatchlint.slurm.verdict.reading import (
    file_complaints,
    getopt_complaints,
    hides_options,
    split_complaints,
)
from sbatchlint.slurm.verdict.settings import Settings
from sbatchlint.slurm.verdict.sizes import work_out
from sbatchlint.slurm.verdict.unnoticed import (
    line_complaints,
    option_complaints,
    override_complaints,
    variable_complaints,
)
from sbatchlint.source import Source


def judge(
    source: Source,
    release: str | None = None,
    *,
    sbatch_args: Sequence[str] = (),
    environment: Iterable[tuple[str, str]] = (),
    known_options: Collection[str] = (),
) -> Verdict:
    """Say what Slurm has against ``sbatch SBATCH_ARGS SCRIPT``.

    *release* (``24.05``) is the one to ask; without it all of :data:`SUPPORTED_RELEASES` are, and each
    complaint tells for which of them it holds.  *environment* holds variables of the submitting shell, of
    which ``SBATCH_*`` count.  *known_options* are long names, without dashes, that a plugin of the site adds.
    Raises ValueError for a release that is none.
    """
    return judge_read(RequestReader(source, sbatch_args, environment), release, known_options)


def judge_read(
    reader: RequestReader, release: str | None = None, known_options: Collection[str] = ()
) -> Verdict:
    """Say what Slurm has against a script that is being read for other ends, too: see :func:`judge`."""
    asked = SUPPORTED_RELEASES
    only = parse_release(release)
    if only is not None:
        asked = (only,)
    found = _Merging()
    for request, releases in reader.groups(asked[::-1]):
        for complaint in _of_request(request, known_options):
            found.add(complaint, releases)
        for one, complaints in _by_release(request, releases, known_options):
            for complaint in (*variable_complaints(reader.environment, one), *complaints):
                found.add(complaint, (one,))
    return Verdict(found.complaints(), reader.read(release), asked)


class _Merging:
    """Complaints by what makes them the same, each with the releases that it holds for."""

    def __init__(self) -> None:
        self._found: dict[tuple[object, ...], tuple[Complaint, set[Release]]] = {}

    def add(self, complaint: Complaint, releases: Iterable[Release]) -> None:
        self._found.setdefault(complaint.identity, (complaint, set()))[1].update(releases)

    def complaints(self) -> tuple[Complaint, ...]:
        merged = (one.holding_for(tuple(sorted(releases))) for one, releases in self._found.values())
        return tuple(sorted(merged, key=_place))


def _place(complaint: Complaint) -> tuple[int, int, int]:
    """Sort by place in the file; what has none comes last."""
    if complaint.span is None:
        return (1, 0, complaint.component)
    return (0, complaint.span.start, complaint.span.end)


def _of_request(request: JobRequest, known_options: Collection[str]) -> Iterator[Complaint]:
    """Return what follows from the words alone."""
    yield from file_complaints(request.source)
    yield from split_complaints(request)
    yield from getopt_complaints(request, known_options)
    yield from line_complaints(request)
    for number, component in enumerate(request.components):
        for complaint in option_complaints(component, number):
            yield replace(complaint, component=number)
        for complaint in container_complaints(component):
            yield replace(complaint, component=number)


def _by_release(
    request: JobRequest, releases: Iterable[Release], known_options: Collection[str]
) -> Iterator[tuple[Release, list[Complaint]]]:
    """Yield what each release has against values and their combinations.

    Most releases say the same of most scripts: one is judged anew only where it may differ.
    """
    judged: list[tuple[list[Settings], list[Complaint]]] = []
    for release in releases:
        settings = [Settings(component, release) for component in request.components]
        for known, complaints in judged:
            if all(one.speaks_for(other) for one, other in zip(known, settings, strict=True)):
                yield release, complaints
                break
        else:
            complaints = list(_of_release(request, settings, known_options))
            judged.append((settings, complaints))
            yield release, complaints


def _of_release(
    request: JobRequest, components: Sequence[Settings], known_options: Collection[str]
) -> Iterator[Complaint]:
    """Return what one release has against values and their combinations."""
    seen: set[tuple[object, ...]] = set()
    hidden: list[RequestProblem | Problem] = [*request.problems, *request.argument_problems]
    for number, settings in enumerate(components):
        component = settings.request
        sums = not hides_options(hidden, known_options, number) and not component.foreign_problems
        for complaint in override_complaints(settings, number):
            yield replace(complaint, component=number)
        for complaint in _of_component(settings, sums, request.hetjob):
            # What a component inherits has been complained about already.
            if complaint.identity not in seen:
                seen.add(complaint.identity)
                yield replace(complaint, component=number)


def _of_component(settings: Settings, sums: bool, hetjob: bool) -> Iterator[Complaint]:
    for use, refused in settings.refusals:
        if use.spec.long == "hint" and overrules_hint(settings):
            continue
        kind = ComplaintKind.BAD_VALUE
        yield of_uses([use], kind, refused.said, detail=refused.detail, stage=refused.stage)
    yield from misread_values(settings)
    yield from exclusions(settings)
    yield from controller_complaints(settings, hetjob=hetjob)
    sizes = work_out(settings) if sums else None
    if sizes is not None:
        yield from sizes.complaints
        blocked = any(one.refused and one.stage is Stage.CLIENT for one in sizes.complaints)
        if not blocked and not settings.given("clusters"):
            yield from gpu_complaints(settings, sizes)
