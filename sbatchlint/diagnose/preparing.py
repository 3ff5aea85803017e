"""Trouble while the script sets its stage: the cause, or only something that stands above the cause.

A batch script mostly goes on where ``module load`` or ``conda activate`` fails.  Where the program then
does not start, or misses a part of itself, that is why; where it starts and fails of another matter, or
somebody ends it, it is not.
"""

from __future__ import annotations

from collections.abc import Sequence

from sbatchlint.diagnose.candidates import Candidate
from sbatchlint.diagnose.facts import Facts
from sbatchlint.diagnose.signatures import Signature
from sbatchlint.regex import regex

_MISSES = regex(r"([\w.]*\.)?(Import|OS|FileNotFound|Attribute|Syntax)Error\b|.*(CUDA_HOME|nvcc)")
"""Exceptions of a program that may have met other software than it was made for."""
_MET = ("nccl-watchdog", "nccl-watchdog-state", "nccl-remote-closed")
"""What only ranks say that had found each other."""


def that_matter(found: Sequence[Candidate], facts: Facts) -> list[Candidate]:
    """Return *found* without the trouble of setting the stage behind which the program ran all the same."""
    return [one for one in found if not _was_passed(one, found, facts)]


def _was_passed(one: Candidate, found: Sequence[Candidate], facts: Facts) -> bool:
    signature = one.signature
    if signature is None or not signature.brings or one.seen is None:
        return False
    line = one.seen.place
    if any(pulse.place.file == line.file and line < pulse.place for pulse in facts.pulses):
        return True
    if any(facts.counts[name] for name in _MET):
        return True
    return any(other is not one and not _brought(other, signature) for other in found)


def _brought(other: Candidate, by: Signature) -> bool:
    """Tell whether *other* may come of the trouble *by*, or says too little to tell."""
    if other.signature is None:
        return not other.exception or _MISSES.match(other.exception) is not None
    return other.id in by.brings or bool(other.signature.brings)
