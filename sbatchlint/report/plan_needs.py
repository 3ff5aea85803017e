"""What a job needs from outside, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from sbatchlint.certainty import Certainty
from sbatchlint.needs.need import Credential, How, Image, ImageKind, NeededPath, PathKind, Service, Side
from sbatchlint.report.plan_program import ProgramWriter
from sbatchlint.source import Span

_HOW = {
    How.GUARDED: "must be set",
    How.READ: "read",
    How.PASSED: "handed on",
    How.CALLED: "asked for by what is started",
}
_IMAGES = {
    ImageKind.FILE: "a file",
    ImageKind.REGISTRY: "from a registry",
    ImageKind.LOCAL: "a name that is known on the node",
    ImageKind.UNKNOWN: "not known",
}
_MOST_CALLS = 3
_MOST_PATHS = 24
_MOST_OF_ONE_PLACE = 2


def needs_block(writer: ProgramWriter) -> Iterator[str]:
    """Write the credentials, services, images and files of the job; nothing where it needs none."""
    needs = writer.file.needs
    if not needs:
        return
    yield ""
    yield "  " + writer.rows.style.strong("needs") + ", from outside"
    yield from _rows(writer, "credentials", (_credential(writer, one) for one in needs.credentials))
    yield from _rows(writer, "services", _services(writer, needs.services))
    yield from _rows(writer, "images", (_image(writer, one) for one in needs.images))
    files = [one for one in needs.paths if one.kind is not PathKind.IMAGE or not _is_shown(one, needs.images)]
    entries = list(_paths(writer, files))
    more = len(entries) - _MOST_PATHS
    if more > 0:
        entries[_MOST_PATHS:] = [(f"and {more} more", [])]
    yield from _rows(writer, "files", entries)


Entry = tuple[str, "list[str]"]
"""A line, and the marks behind it."""


def _rows(writer: ProgramWriter, label: str, entries: Iterable[Entry]) -> Iterator[str]:
    for text, marks in entries:
        *lines, last = writer.rows.text(label, text)
        yield from [*lines, last + writer.rows.marks(marks)]
        label = ""


def _credential(writer: ProgramWriter, one: Credential) -> Entry:
    how = " and ".join(_HOW[each] for each in one.how)
    return f"{writer.speller.text(one.name)}: {how}{_at(writer, one.place)}", []


def _services(writer: ProgramWriter, services: Sequence[Service]) -> Iterator[Entry]:
    """Put together the calls of one service that the same switches decide on."""

    def key(one: Service) -> tuple[str, str, bool]:
        return one.kind.value, one.host, one.independent

    first = {key(one): number for number, one in reversed([*enumerate(services)])}
    ordered = sorted(services, key=lambda one: first[key(one)])
    for (kind, host, independent), group in groupby(ordered, key):
        calls = list(group)
        told = [_call(writer, one) for one in calls[:_MOST_CALLS]]
        if len(calls) > _MOST_CALLS:
            told.append(f"and {len(calls) - _MOST_CALLS} more")
        head = f"{writer.speller.text(host)}, {kind}" if host else kind
        marks = [] if any(not one.conditional for one in calls) else ["may not be called"]
        yield f"{head}: {'; '.join(told)}{_switched(writer, calls[0], independent)}", marks


def _call(writer: ProgramWriter, one: Service) -> str:
    return writer.speller.text(one.by) + _at(writer, one.place)


def _switched(writer: ProgramWriter, one: Service, independent: bool) -> str:
    if not one.switches:
        return ""
    if independent:
        switch = next(each for each in one.switches if each.is_set)
        return f"; not called with {switch.name} as it is set{_at(writer, switch.place)}"
    unsure = [each.name for each in one.switches if each.is_set is None]
    if unsure:
        return f"; {unsure[0]} decides"
    advised = one.switches[0]
    return (
        f"; {advised.spelled} would do without it" if advised.value else f"; {advised.name} can name a mirror"
    )


def _image(writer: ProgramWriter, one: Image) -> Entry:
    name = writer.speller.text(one.name)
    path = next((path for path in writer.file.needs.paths if _is_shown(path, (one,))), None)
    marks = _assumed(one.certainty is Certainty.ASSUMED) + ([] if path is None else _missing(writer, path))
    return f"{name}: {_IMAGES[one.kind]}{_at(writer, one.place)}", marks


def _is_shown(path: NeededPath, images: Iterable[Image]) -> bool:
    """Whether a path is that of one of *images*, which are written at the same place."""
    return path.kind is PathKind.IMAGE and any(one.place == path.place for one in images)


def _paths(writer: ProgramWriter, paths: Sequence[NeededPath]) -> Iterator[Entry]:
    """Write each; of those that a loop makes of one word the first few."""
    for _, group in groupby(paths, lambda one: (one.kind, one.place)):
        alike = list(group)
        few = alike if len(alike) <= _MOST_OF_ONE_PLACE + 1 else alike[:_MOST_OF_ONE_PLACE]
        yield from (_path(writer, one) for one in few)
        if len(few) < len(alike):
            yield f"and {len(alike) - len(few)} more of these{_at(writer, alike[0].place)}", []


def _path(writer: ProgramWriter, one: NeededPath) -> Entry:
    side = ""
    if one.side is Side.CONTAINER:
        host = (
            "" if one.host is None or one.host.shown == one.path.shown else f", {one.host.shown} on the host"
        )
        side = f", in the container{writer.speller.text(host)}"
    what = one.kind.value if one.must else f"perhaps {one.kind.value}"
    text = f"{writer.speller.text(one.path.shown)}: {what}{_at(writer, one.place)}{side}"
    return text, _assumed(one.path.by_default) + _missing(writer, one)


def _assumed(assumed: bool) -> list[str]:
    return ["rests on a default"] if assumed else []


def _missing(writer: ProgramWriter, one: NeededPath) -> list[str]:
    return ["missing"] if writer.file.is_there(one) is False else []


def _at(writer: ProgramWriter, span: Span | None) -> str:
    line = writer.line(span)
    return f", {line}" if line else ""


__all__ = ["needs_block"]
