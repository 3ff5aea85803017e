"""Complaints about what sbatch passes over, or takes otherwise than it looks, without a word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sbatchlint.regex import regex
from sbatchlint.slurm.directives import DirectiveLine
from sbatchlint.slurm.option_use import OptionUse, Origin
from sbatchlint.slurm.options import Release
from sbatchlint.slurm.request import JobRequest
from sbatchlint.slurm.submit_environment import unread
from sbatchlint.slurm.verdict.complaint import Complaint, ComplaintKind, Effect
from sbatchlint.slurm.verdict.grounds import of_uses
from sbatchlint.slurm.verdict.settings import Settings

_TRAPS = frozenset({"tasks", "cores", "sockets", "threads"})
"""Words that look like options of their own but are taken for the beginning of another's name."""
_ADD_UP = frozenset({"verbose", "gres-flags", "container-mounts", "container-env", "container-unshare"})
_ADDED_UP_BEFORE: dict[str, Release] = {"mail-type": (25, 5)}
"""``arg_set_mail_type`` in ``src/common/slurm_opt.c``: ``|=`` up to 24.11, ``=`` since."""
_ONCE_ONLY = frozenset({"container-image", "container-name", "container-workdir", "container-save"})
"""Pyxis refuses a second value of these; nothing is overridden."""
_NAME = regex(r"--([A-Za-z0-9_-]+)(?:=|\s|$)")


def line_complaints(request: JobRequest) -> Iterator[Complaint]:
    """Say what of the directive lines is lost."""
    for line in request.directives.lines:
        yield from _lost(request, line)
    for line in request.directives.late:
        yield Complaint(
            ComplaintKind.LATE_DIRECTIVE,
            Effect.IGNORED,
            detail=f"sbatch stops reading at the command in line {request.directives.stop}",
            span=line.span,
            line=line.number,
        )


def _lost(request: JobRequest, line: DirectiveLine) -> Iterator[Complaint]:
    text = request.source.text
    begin = line.span.start + len(line.prefix)
    if line.comment is not None and line.comment.start > begin and not text[line.comment.start - 1].isspace():
        detail = "an unquoted # begins a comment, even inside a word"
        yield Complaint(
            ComplaintKind.CUT_WORD, Effect.DIFFERENT, detail=detail, span=line.comment, line=line.number
        )
    if line.lost is not None:
        if line.separator:
            kind, detail = ComplaintKind.LOST_AFTER_SEPARATOR, "what follows hetjob on its line is dropped"
        else:
            kind, detail = ComplaintKind.LOST_TEXT, "an empty quoted word ends the line"
        yield Complaint(
            kind, Effect.IGNORED, detail=detail, span=line.lost, line=line.number, component=line.component
        )
    if line.separator and text[begin : line.span.end].lstrip().lower().startswith("packjob"):
        said = 'The "packjob" component separator is deprecated. Please use "hetjob" instead.'
        yield Complaint(ComplaintKind.OLD_SEPARATOR, Effect.WARNED, said, span=line.span, line=line.number)


def option_complaints(request: JobRequest, component: int) -> Iterator[Complaint]:
    """Say which options of one component are idle or not what they seem."""
    for use in _own(request, component):
        yield from _odd(request, use)


def _own(request: JobRequest, component: int) -> list[OptionUse]:
    """Return the uses that were written for *component*, and not inherited from one before."""
    lines = {line.number for line in request.directives.lines if line.component == component}
    return [
        use
        for use in request.uses
        if (use.origin is Origin.DIRECTIVE and use.line in lines)
        or (use.origin is Origin.FOREIGN and component == 0)
    ]


def _odd(request: JobRequest, use: OptionUse) -> Iterator[Complaint]:
    if use.spec.first_pass_only:
        detail = "sbatch looks for it on its command line only"
        yield of_uses([use], ComplaintKind.FIRST_PASS_ONLY, effect=Effect.IGNORED, detail=detail)
    if use.spec.long == "test-only":
        detail = "sbatch only tells when the job would start"
        yield of_uses([use], ComplaintKind.NEVER_SUBMITTED, effect=Effect.DIFFERENT, detail=detail)
    if use.spec.long == "gres" and (use.value or "").lower() == "help":
        detail = "sbatch only prints which resources there are"
        yield of_uses([use], ComplaintKind.NEVER_SUBMITTED, effect=Effect.DIFFERENT, detail=detail)
    if use.span is not None and (use.value or "").startswith("=") and use.origin is Origin.DIRECTIVE:
        written = request.source.slice(use.span)
        if written.startswith(f"-{use.spec.short}="):
            detail = f"after a single letter = is no separator: the value is {use.value}"
            yield of_uses([use], ComplaintKind.EQUALS_IN_VALUE, effect=Effect.DIFFERENT, detail=detail)
    match = None if use.span is None else _NAME.match(request.source.slice(use.span))
    if match is not None and match[1] in _TRAPS and use.origin is Origin.DIRECTIVE:
        detail = f"--{match[1]} is short for --{_full_name(match[1], use)}"
        yield of_uses([use], ComplaintKind.ABBREVIATED, effect=Effect.DIFFERENT, detail=detail)


def _full_name(prefix: str, use: OptionUse) -> str:
    """Return the name that the abbreviation is completed to: an alias may be nearer than the option's own."""
    return use.spec.long if use.spec.long.startswith(prefix) else f"{prefix}-per-node"


def override_complaints(settings: Settings, component: int) -> Iterator[Complaint]:
    """Say which options of one component are given again with another value, so that the last one counts."""
    last: dict[str, OptionUse] = {}
    for use in reversed(_own(settings.request, component)):
        name = use.spec.long
        winner = last.setdefault(name, use)
        if winner is use or name in _ADD_UP or name in _ONCE_ONLY or winner.value == use.value:
            continue
        if name in _ADDED_UP_BEFORE and not settings.since(_ADDED_UP_BEFORE[name]):
            continue
        complaint = of_uses([use, winner], ComplaintKind.OVERRIDDEN, effect=Effect.IGNORED)
        yield complaint


def variable_complaints(
    environment: Iterable[tuple[str, str]], release: Release | None
) -> Iterator[Complaint]:
    """Say which variables of the submitting shell look like options but are not read."""
    for name, spec in unread(environment, release):
        yield Complaint(
            ComplaintKind.UNREAD_VARIABLE,
            Effect.IGNORED,
            detail=f"sbatch reads no {name}; --{spec.long} can be given in a directive",
            options=(spec.long,),
            origin=Origin.ENVIRONMENT,
            variable=name,
        )
