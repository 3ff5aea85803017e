"""Which of the candidates is the cause."""

from __future__ import annotations

from collections.abc import Sequence

from sbatchlint.diagnose.candidates import Candidate
from sbatchlint.diagnose.facts import TaskEnd
from sbatchlint.diagnose.stamps import Clock

_AT_ONCE = 120.0
"""Seconds within which what Slurm did itself goes before what Python says: that may be the echo of it."""
_TOLD = (143, 137)
"""Exit codes of tasks that were told to stop, and of those that did not obey."""
_LATER = 60.0
"""Seconds after which a line that tells why speaks of another matter than one that only tells that."""


def choose(found: Sequence[Candidate], clock: Clock, ends: Sequence[TaskEnd] = ()) -> Candidate | None:
    """Return the cause among *found*, which stand in the order of time; None where there are none.

    *ends* are srun's lines about tasks that ended.
    """
    own = _first_own([one for one in found if not one.authority])
    slurm = [one for one in found if one.authority]
    acted = next((one for one in slurm if not one.umbrella), next(iter(slurm), None))
    if own is None or acted is None:
        return own or acted
    if _died_before(own, acted, ends):
        return own
    first, second = _seconds(own, clock), _seconds(acted, clock)
    if first is not None and second is not None and own.seen is not None:
        wait = 0.0 if acted.umbrella else _AT_ONCE
        return own if first + wait < second or (acted.umbrella and first <= second) else acted
    if acted.umbrella:
        return own if own.place < acted.place else acted
    return acted


def _died_before(own: Candidate, acted: Candidate, ends: Sequence[TaskEnd]) -> bool:
    """Tell whether a task died by itself between what Python says and what Slurm did to the whole job."""
    if acted.seen is None or acted.signature is None or acted.signature.scope != "job":
        return False
    return any(
        own.place < (end.seen.place.file, end.seen.place.line) < acted.place
        and own.place[0] == end.seen.place.file == acted.place[0]
        and end.code not in (None, 0, *_TOLD)
        for end in ends
    )


def _first_own(found: Sequence[Candidate]) -> Candidate | None:
    """Return the first that tells why; one that only says that something failed if it is much earlier."""
    why = next((one for one in found if not one.umbrella), None)
    that = next((one for one in found if one.umbrella), None)
    if why is None or that is None:
        return why or that
    if why.seconds is not None and that.seconds is not None and that.seconds + _LATER < why.seconds:
        return that
    return why


def _seconds(one: Candidate, clock: Clock) -> float | None:
    return one.seconds if one.seconds is not None else clock.seconds(one.stamp)
