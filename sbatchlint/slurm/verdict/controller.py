"""What the controller refuses on every cluster alike.

The rules are those of ``_valid_job_part``, ``_test_job_desc_fields`` and ``_job_create`` in
``src/slurmctld/job_mgr.c``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from sbatchlint.slurm.grammar.base import Stage
from sbatchlint.slurm.grammar.features import Constraint
from sbatchlint.slurm.grammar.hosts import HostList
from sbatchlint.slurm.grammar.moments import Moment
from sbatchlint.slurm.grammar.times import Duration
from sbatchlint.slurm.verdict.complaint import Complaint, ComplaintKind
from sbatchlint.slurm.verdict.grounds import about
from sbatchlint.slurm.verdict.settings import Settings

_FAILED = "Batch job submission failed: "
_BAD_NODE_NAME = f"{_FAILED}Invalid node name specified"
_TIME_MIN = f"{_FAILED}Invalid time-min specification (exceeds job's time or other limits)"
_BATCH = f"{_FAILED}Job --batch option is invalid or not a subset of --constraints"
_NOON = datetime(2026, 6, 15, 12, 0, 0)
_STEP = timedelta(hours=317)
"""Apart from one another in the hour, the day and the month."""


def controller_complaints(settings: Settings, *, hetjob: bool) -> Iterator[Complaint]:
    """Say what the controller refuses in a component, whatever the cluster.

    *hetjob* tells whether the component has others beside it.
    """
    array = settings.use("array")
    if hetjob and array is not None and array.value:
        said = f"{_FAILED}Invalid job array specification"
        detail = "a heterogeneous job cannot be an array"
        kind = ComplaintKind.ARRAY_OF_COMPONENTS
        yield about(settings, ("array",), kind, said, detail=detail, stage=Stage.CONTROLLER)
    yield from _least_time(settings)
    yield from _deadline(settings)
    yield from _hosts(settings)
    yield from _batch_features(settings)


def _least_time(settings: Settings) -> Iterator[Complaint]:
    most, least = settings.value("time", Duration), settings.value("time-min", Duration)
    if most is None or least is None or most.minutes is None:
        return
    if least.minutes is None or least.minutes > most.minutes:
        names = ("time-min", "time")
        yield about(settings, names, ComplaintKind.TIME_ORDER, _TIME_MIN, stage=Stage.CONTROLLER)


def _deadline(settings: Settings) -> Iterator[Complaint]:
    """Compare begin and deadline: sbatch does so at that moment, so only what holds at any is said."""
    begin, deadline = settings.value("begin", Moment), settings.value("deadline", Moment)
    if begin is None or deadline is None:
        return
    moments = [_NOON + count * _STEP for count in range(30)]
    if all(deadline.at(now) < begin.at(now) for now in moments):
        said = "Incompatible begin and deadline time specification"
        yield about(settings, ("deadline", "begin"), ComplaintKind.TIME_ORDER, said)


def _hosts(settings: Settings) -> Iterator[Complaint]:
    wanted, excluded = settings.value("nodelist", HostList), settings.value("exclude", HostList)
    if wanted is None or excluded is None:
        return
    both = set(wanted.names() or ()) & set(excluded.names() or ())
    if both:
        detail = f"{min(both)} is both wanted and excluded"
        yield about(
            settings,
            ("nodelist", "exclude"),
            ComplaintKind.HOSTS_EXCLUDED,
            _BAD_NODE_NAME,
            detail=detail,
            stage=Stage.CONTROLLER,
        )


def _batch_features(settings: Settings) -> Iterator[Complaint]:
    batch = settings.use("batch")
    if batch is None or settings.doubtful(("constraint", "prefer")):
        return
    # The controller looks among the preferred features as long as nodes have them.
    constraints = (settings.value(name, Constraint) for name in ("constraint", "prefer"))
    features = {name for one in constraints if one is not None for name in one.names()}
    beyond = [name for name in re.split("[&|]", batch.value or "") if name and name not in features]
    if beyond or not features:
        detail = f"--constraint does not name {beyond[0]}" if beyond else "--batch needs --constraint"
        kind = ComplaintKind.BATCH_FEATURES
        names = ("batch", "constraint")
        yield about(settings, names, kind, _BATCH, detail=detail, stage=Stage.CONTROLLER)
