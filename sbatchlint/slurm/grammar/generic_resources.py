"""Requests for GPUs and other generic resources: ``--gres``, ``--gpus`` and its like.

A name or type that the cluster does not have is not refused here: only the cluster knows.
"""

from __future__ import annotations

from sbatchlint.slurm.grammar.base import Context, Grammar
from sbatchlint.slurm.grammar.c_text import leading_integer, lower, wrap
from sbatchlint.slurm.grammar.gres_items import (
    CHECKS_TRES,
    READS_AS_TRES,
    Gres,
    GresRequest,
    gres_request,
)
from sbatchlint.slurm.grammar.licenses import LICENSES
from sbatchlint.slurm.grammar.tres import TRES
from sbatchlint.slurm.options import Release

__all__ = ["GRAMMARS", "Gres", "GresRequest"]

_LISTS_PER_TASK = (25, 5)
"""From here on every item of ``--gpus-per-task`` counts; in 23.11 to 24.11 only the first."""
_EQUALS_PER_TASK = (24, 5)


def _gres(text: str, context: Context) -> GresRequest:
    release = context.release
    if lower(text) in ("help", "list"):
        return GresRequest((), help=True)
    if lower(text) == "none":
        return GresRequest(())
    return gres_request(_unprefixed(text, release), release)


def _unprefixed(text: str, release: Release) -> list[str]:
    """Split a list and take ``gres:`` or ``gres/`` from its items, where the release adds that itself."""
    items = text.split(",")
    if release < CHECKS_TRES:
        return items
    prefix = "gres/" if release >= READS_AS_TRES else "gres:"
    return [_without(item, prefix) for item in items]


def _without(item: str, prefix: str) -> str:
    while item.startswith(prefix):
        item = item[len(prefix) :]
    return item


def _gpu_count(text: str, context: Context) -> GresRequest:
    return gres_request((f"gpu:{item}" for item in text.split(",") if item), context.release)


def _gpus_per_task(text: str, context: Context) -> GresRequest:
    if context.release < READS_AS_TRES:
        return _gpu_count(text, context)
    return gres_request(_per_task_items(text, context.release), context.release)


def _per_task_items(text: str, release: Release) -> list[str]:
    """Rewrite ``--gpus-per-task`` as sbatch itself does before it sends it, into items of ``gres/``."""
    separators = ":=" if release >= _EQUALS_PER_TASK else ":"
    items = []
    rest = text
    while rest:
        separator = next((one for one in separators if one in rest), "")
        kind, found, number = rest.partition(separator) if separator else ("", "", rest)
        count = wrap(leading_integer(number)[0], 32)
        items.append((f"gpu:{kind}" if found else "gpu") + f"={count}")
        more = found and release >= _LISTS_PER_TASK
        rest = number.partition(",")[2] if more else ""
    return [item for item in items if not item.endswith("=0")]


_ITEM_NOTES = (
    "The same name with and without a type (`h100:1,1`) is refused.",
    "A type that begins with a digit needs a count in 21.08 to 23.02: `2080ti:1`, not `2080ti`.",
)
_GPU_NOTES = (
    "`gpu:8` asks for eight GPUs of the *type* gpu, which no node has: write 8.",
    *_ITEM_NOTES,
)
_GPU_FORMS = (
    ("COUNT", "so many of any type"),
    ("TYPE:COUNT", "so many of this type"),
    ("TYPE", "one of this type"),
    ("ITEM,ITEM", "all of them"),
)

GRAMMARS = (
    Grammar(
        "gres",
        "generic resources per node, by name, type and count",
        (
            ("NAME", "one of it"),
            ("NAME:COUNT", "so many; k, m, g may follow (1024, 1024 times 1024 ...)"),
            ("NAME:TYPE", "one of this type"),
            ("NAME:TYPE:COUNT", "so many of this type"),
            ("ITEM,ITEM", "all of them"),
            ("none", "for a step: none of the job's"),
            ("help", "print the names that the cluster has, and submit nothing"),
        ),
        ("gpu", "gpu:8", "gpu:h100", "gpu:h100:8", "gpu:0", "nvme:1,gpu:2", "gpu:1k", "none", "help", "NONE"),
        ("gpu:", "gpu:h100:", "gpu:a:b", ":2", "gpu:1,gpu:h100:1", "gpu:1,shard:2"),
        _gres,
        (
            "`gpu=8` is taken from 23.11 on and refused before.",
            "`gres:gpu:8` is taken in 21.08 to 23.02 alone, `gres/gpu:8` from 23.11 on.",
            "Of the same name and type twice the last counts: they do not add up.",
            *_ITEM_NOTES,
        ),
    ),
    Grammar(
        "gpu_count",
        "GPUs, by type and count",
        _GPU_FORMS,
        ("8", "h100:8", "h100:1,a100:2", "gpu:8", "0", "8,", ""),
        ("h100:1,1", "h100:"),
        _gpu_count,
        _GPU_NOTES,
    ),
    Grammar(
        "gpus_per_task",
        "GPUs per task, by type and count",
        _GPU_FORMS,
        ("8", "h100:8", "gpu:8", "0", ""),
        (),
        _gpus_per_task,
        (
            *_GPU_NOTES,
            "A type without a count asks for nothing from 23.11 on.",
            "Of a list only the first item counts in 23.11 to 24.11.",
        ),
    ),
    TRES,
    LICENSES,
)
