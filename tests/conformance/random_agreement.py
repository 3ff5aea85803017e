"""Where our verdict on a random script, or our reading of it, is not that of a live Slurm."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sbatchlint.slurm.request import JobRequest
from sbatchlint.slurm.verdict import Complaint, judge
from sbatchlint.source import Source
from tests.conformance.live_submitter import Answer
from tests.slurm.shown_job import differences

CLUSTER = re.compile(
    r"Node count specification invalid|Requested time limit is invalid|Requested node configuration"
    r"|Requested partition configuration|More processors requested than permitted"
    r"|Invalid feature specification|Invalid license specification|invalid partition specified"
    r"|Requested nodes not in this partition|Invalid node name specified|Requested reservation is invalid"
    r"|Invalid job array specification|Invalid generic resource|Job size specification|Invalid account"
    r"|Invalid preferred feature specification|error opening file|Invalid qos|can't be reached now"
    r"|Memory required by task is not available|CPU count per node can not be satisfied"
)
"""Refusals that may rest on what this one cluster has: we may say nothing of them."""
CLOCK = "Incompatible begin and deadline time specification"
"""It depends on the time of day whether teatime comes before tomorrow: we say what holds at any time."""


FEATURES = ("h100", "ib", "nvme")
"""What the nodes of this cluster have."""
NO_NODES = "Batch job submission failed: Node count specification invalid"
"""``--nodes=0``: the controller takes a held job with it, and refuses it without the hold."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One script of which Slurm and we think differently."""

    answer: Answer
    ours: tuple[Complaint, ...]
    fields: dict[str, tuple[object, object]]

    def __str__(self) -> str:
        """Say what was asked and what each answered."""
        submission = self.answer.submission
        lines = [repr(submission.text), f"  args {submission.arguments} env {submission.environment}"]
        lines.append(f"  slurm: {'accepted' if self.answer.accepted else self.answer.said}")
        lines.append(f"  ours: {[(one.kind.value, one.said or one.detail) for one in self.ours]}")
        return "\n".join([*lines, *([f"  fields: {self.fields}"] if self.fields else [])])


def disagreement(answer: Answer, release: str, name: str) -> Disagreement | None:
    """Compare one answer with ours; None where both say the same."""
    submission = answer.submission
    verdict = judge(
        Source.from_bytes(submission.text.encode(), name),
        release,
        sbatch_args=submission.arguments,
        environment=submission.environment,
    )
    if answer.accepted == verdict.refused:
        if answer.accepted and all(one.said == NO_NODES for one in verdict.refusals):
            return None
        if not verdict.refused and _of_the_cluster(answer, verdict.request):
            return None
        return Disagreement(answer, verdict.refusals, {})
    if not answer.accepted:
        return None
    fields: dict[str, tuple[object, object]] = {}
    for request, job in zip(verdict.request.components, answer.components, strict=False):
        fields |= differences(request, job)
    if verdict.request.hetjob:
        # The controller keeps the components of a heterogeneous job off one another's hosts.
        fields.pop("ExcNodeList", None)
        if len(verdict.request.components) != len(answer.components):
            fields["components"] = (len(verdict.request.components), len(answer.components))
    return Disagreement(answer, (), fields) if fields else None


def _of_the_cluster(answer: Answer, request: JobRequest) -> bool:
    """Tell whether Slurm refused for what only this cluster makes of the request."""
    if "Invalid time-min specification" in answer.said:
        return any(component.time_limit is None for component in request.components)
    if CLOCK in answer.said:
        return True
    if "Job --batch option is invalid" in answer.said:
        wanted = [name for one in request.components if one.constraint for name in one.constraint.names()]
        return any(name not in FEATURES for name in wanted)
    return CLUSTER.search(answer.said) is not None
