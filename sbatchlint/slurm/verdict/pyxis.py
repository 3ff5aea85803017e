"""What the Pyxis plugin has against container options that contradict each other.

The rules are those of ``args.c`` and ``pyxis_alloc.c`` in NVIDIA/pyxis 0.24.  The plugin sees each use of an
option, in directives and on the command line alike, and none overrides another.
"""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.slurm.option_use import OptionUse
from sbatchlint.slurm.request import JobRequest
from sbatchlint.slurm.verdict.complaint import Complaint, ComplaintKind, Effect
from sbatchlint.slurm.verdict.grounds import of_uses

_ONCE = ("container-image", "container-name", "container-save", "container-workdir")
_OPPOSITES = ("mount-home", "remap-root", "entrypoint")
_NEEDS_CONTAINER = ("container-mounts", "container-workdir", "container-save", "container-env")


def container_complaints(request: JobRequest) -> Iterator[Complaint]:
    """Say which container options of a component contradict each other, or have nothing to act on."""
    uses: dict[str, list[OptionUse]] = {}
    for use in request.uses:
        if use.spec.plugin == "pyxis":
            uses.setdefault(use.spec.long, []).append(use)
    if not uses:
        return
    kind = ComplaintKind.CONTAINER_OPTIONS
    for name in _ONCE:
        several = uses.get(name, [])
        for use in several[1:]:
            if use.value != several[0].value:
                said = f"pyxis: --{name} specified multiple times\nInvalid --{name} argument: {use.value}"
                yield of_uses([use, several[0]], kind, said)
                break
    for what in _OPPOSITES:
        pair = (f"container-{what}", f"no-container-{what}")
        if all(name in uses for name in pair):
            said = f"pyxis: both --{pair[0]} and --{pair[1]} were specified"
            yield of_uses([uses[name][-1] for name in pair], kind, said)
    if "container-writable" in uses and "container-readonly" in uses:
        said = "pyxis: both --container-writable and --container-readonly were specified"
        yield of_uses([uses[name][-1] for name in ("container-writable", "container-readonly")], kind, said)
    yield from _without_container(uses)


def _without_container(uses: dict[str, list[OptionUse]]) -> Iterator[Complaint]:
    if "container-image" in uses or "container-name" in uses:
        return
    for name in _NEEDS_CONTAINER:
        for use in uses.get(name, [])[-1:]:
            said = f"pyxis: ignoring --{name} because neither --container-image nor --container-name is set"
            yield of_uses([use], ComplaintKind.OPTION_WITHOUT_EFFECT, said, effect=Effect.WARNED)
