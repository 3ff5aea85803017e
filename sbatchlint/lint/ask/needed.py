"""Whether the files that a job needs are there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sbatchlint.lint.job import Job
from sbatchlint.needs.need import NeededPath, PathKind
from sbatchlint.needs.paths import is_of_machine

_PARTS = (".bin", ".idx", "_text_document.bin")
"""What Megatron puts behind the name of its data."""


def absent_paths(job: Job) -> Iterator[NeededPath]:
    """Yield the paths that were looked for and are not there; nothing where nobody was asked to look."""
    look = job.options.look
    if look is not None:
        yield from (one for one in job.needs.paths if is_there(one, look) is False)


def is_there(needed: NeededPath, look: Callable[[str], bool | None]) -> bool | None:
    """Tell whether a path is there, as *look* sees it; None where nobody can tell from here.

    That is so of what an image holds, of names that are not known, and of folders that each machine has of
    its own, such as ``/tmp``.
    """
    path = None if needed.host is None else needed.host.lookup
    if path is None or is_of_machine(path):
        return None
    found = look(path)
    if found is False and needed.kind is PathKind.DATA:
        return any(look(path + part) for part in _PARTS)
    return found


__all__ = ["absent_paths", "is_there"]
