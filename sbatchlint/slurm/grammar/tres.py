"""Trackable resources per task: ``--tres-per-task`` (23.02 and later).

Sources: ``_validate_tres_per_task`` of ``src/common/slurm_opt.c``, ``slurm_get_next_tres`` of
``slurm_protocol_defs.c`` and, for 23.02, ``valid_tres_cnt`` of ``src/slurmctld/job_mgr.c``.
"""

from __future__ import annotations

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused, Stage
from sbatchlint.slurm.grammar.c_text import leading_integer, lower
from sbatchlint.slurm.grammar.gres_items import (
    INVALID_TRES,
    READS_AS_TRES,
    GresRequest,
    gres_request,
    plain_number,
    tres_words,
)
from sbatchlint.slurm.grammar.licenses import License
from sbatchlint.slurm.options import Release

_FORBIDDEN = ("mem", "energy", "node", "billing", "fs", "vmem", "pages", "bb")
"""In the order in which Slurm looks for them, wherever an item begins so."""
_KINDS = frozenset({"cpu", "gres", "license", "ic"})
"""Kinds of resource that can be asked for per task; the others are forbidden above."""
_CPU_EQUALS = (24, 5)


@dataclass(frozen=True, slots=True)
class TresRequest:
    """What each task asks for."""

    cpus: int | None
    """None where CPUs are not named."""
    gres: GresRequest
    licenses: tuple[License, ...] = ()


def _tres(text: str, context: Context) -> TresRequest:
    release = context.release
    _check_forbidden(text, release)
    _check_cpus(text, release)
    cpus: int | None = None
    gres: list[str] = []
    licenses: list[License] = []
    for item in filter(None, text.split(",")):
        kind, rest = _kind(item, release)
        if kind == "gres" and rest:
            gres.append(rest)
        elif kind == "license" and rest:
            name, _, count = tres_words(rest) if release >= READS_AS_TRES else _named(rest)
            licenses.append(License(name, count))
        elif kind == "cpu":
            cpus = _cpus(rest, release) or cpus
        elif kind not in _KINDS:
            raise Refused(INVALID_TRES, f"{kind} is no kind of resource", stage=Stage.CONTROLLER)
    return TresRequest(cpus, gres_request(gres, release), tuple(licenses))


def _kind(item: str, release: Release) -> tuple[str, str]:
    """Split an item into the kind of its resource and the rest."""
    if release < READS_AS_TRES:
        kind, colon, rest = item.partition(":")
        if not colon:
            raise Refused(INVALID_TRES, "in 23.02 only : separates", stage=Stage.CONTROLLER)
        return kind, rest
    for prefix in ("license", "gres"):
        if item.startswith(f"{prefix}:"):
            return prefix, item[len(prefix) + 1 :]
    for separator in "/:=":
        if separator in item:
            kind, _, rest = item.partition(separator)
            return kind, rest if separator == "/" else separator + rest
    return item, ""


def _cpus(rest: str, release: Release) -> int | None:
    if release < READS_AS_TRES:
        return plain_number(rest)
    return tres_words(rest)[2] if rest else None


def _named(rest: str) -> tuple[str, None, int]:
    name, _, number = rest.partition(":")
    return name, None, (plain_number(number) or 0) if number else 1


def _check_forbidden(text: str, release: Release) -> None:
    folded = lower(text)
    for kind in _FORBIDDEN:
        if release >= READS_AS_TRES:
            found = folded.startswith(kind) or f",{kind}" in folded
        else:
            found = f"={kind}:" in folded or f",{kind}:" in folded
        if found:
            raise Refused(f"Invalid TRES for --tres-per-task: {kind}", f"{kind} can't be asked for per task")


def _check_cpus(text: str, release: Release) -> None:
    """Refuse a count of CPUs that is not above zero, wherever ``cpu`` stands."""
    word = "cpu" if release >= _CPU_EQUALS else "cpu:"
    at = lower(text).find(word)
    if at < 0:
        return
    count = leading_integer(text[at + 4 :])[0]
    if count <= 0:
        separator = "=" if release >= _CPU_EQUALS else ":"
        raise Refused(f"Invalid --tres-per-task=cpu{separator}{count}", "a task needs one CPU or more")


TRES = Grammar(
    "tres",
    "CPUs, generic resources and licences per task",
    (
        ("cpu=N", "CPUs (cpu:N in 23.02)"),
        ("gres/NAME=N", "generic resources (gres:NAME:N in 23.02)"),
        ("gres/NAME:TYPE=N", "of one type"),
        ("license/NAME=N", "licences"),
        ("ITEM,ITEM", "all of them"),
    ),
    ("cpu:4", "gres:gpu:2", "cpu:4,gres:gpu:2", "gres:gpu:h100:2", ""),
    ("cpu:0", "cpu:1,mem:4", "gpu:2", "gres:gpu:"),
    _tres,
    (
        "23.02 takes only `:` between name and count; from 23.11 on `=` is the usual sign.",
        "mem, energy, node, billing, fs, vmem, pages and bb are refused.",
    ),
)
