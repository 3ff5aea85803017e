"""All variables of an expression for one component of one job."""

from __future__ import annotations

import os.path
from collections.abc import Iterable
from typing import Any

from sbatchlint.certainty import Certainty
from sbatchlint.lint.job import Job
from sbatchlint.policy.job_values import JobValues
from sbatchlint.policy.plan_values import PlanValues
from sbatchlint.policy.trust import Trust
from sbatchlint.policy.values import UNKNOWN, Object, cel
from sbatchlint.policy.variables import CLUSTER


def variables_of(job: Job, roots: Iterable[str], component: int, worst: Certainty) -> dict[str, Any]:
    """Return the variables called *roots*; what is less sure than *worst* is unknown in them.

    They are kept with the job, since many policies may ask for the same.
    """
    found: dict[str, Any] = {}
    for root in roots:
        key = ("policy", root, component, worst)
        if key not in job.answers:
            job.answers[key] = (_variable(job, root, component, Trust(worst)),)
        (found[root],) = job.answers[key]
    return found


def _variable(job: Job, root: str, component: int, trust: Trust) -> Any:
    if root == "job":
        return JobValues(job, job.request.components[component], component, trust).made()
    if root == "script":
        return _script(job)
    return _cluster(job) if root == "cluster" else getattr(PlanValues(job, trust), root)


def _script(job: Job) -> Object:
    path = job.source.path
    unnamed = path in ("", "-")
    return Object(
        {
            "path": UNKNOWN if unnamed else cel(os.path.abspath(path)),
            "name": UNKNOWN if unnamed else cel(os.path.basename(path)),
            "text": cel(job.source.text),
            "shebang": cel(_shebang(job.source.line(1))),
        }
    )


def _shebang(line: str) -> str:
    line = line.removeprefix("\ufeff")
    return line[2:].strip() if line.startswith("#!") else ""


def _cluster(job: Job) -> Object:
    profile = job.cluster
    if profile is None:
        return Object({field.name: UNKNOWN for field in CLUSTER.fields})
    partitions = profile.partitions or ()
    default = next((partition.name for partition in partitions if partition.default), None)
    return Object(
        {
            "name": UNKNOWN if profile.name is None else cel(profile.name),
            "partitions": cel([partition.name for partition in partitions]) if partitions else UNKNOWN,
            "default_partition": UNKNOWN if default is None else cel(default),
        }
    )
