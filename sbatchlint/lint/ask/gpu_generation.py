"""Which generation of GPUs a job gets, as far as its request, the cluster's profile or its text tell."""

from __future__ import annotations

from enum import Enum

from sbatchlint.lint.ask.once import asked_once
from sbatchlint.lint.job import Job
from sbatchlint.regex import regex

_BLACKWELL = regex(
    r"(?i)(?<![a-z0-9])(?:g?b[123]00|blackwell|rtx_?pro_?6000|v?r[12]00|rubin)(?:x\d+|nvl\d*)?(?![a-z0-9])"
)
_BEFORE = regex(
    r"(?i)(?<![a-z0-9])(?:g?h[128]00|h20|hopper|a30|a[18]00|a[45]000|a6000|a40|ampere|v100s?l?|l40s?|l4|p100|t4|"
    r"mi[23]\d\da?x?)(?![a-z0-9])"
)
_OPTIONS = (
    "gres",
    "gpus",
    "gpus-per-node",
    "gpus-per-task",
    "gpus-per-socket",
    "constraint",
    "prefer",
    "partition",
    "qos",
)


class GpuGeneration(Enum):
    """What matters of a GPU's age: Blackwell changed how streams are queued."""

    BEFORE_BLACKWELL = "before Blackwell"
    BLACKWELL = "Blackwell or later"
    MAYBE_BLACKWELL = "perhaps Blackwell"
    """Its text speaks of Blackwell somewhere, or its options name several generations."""
    UNKNOWN = "unknown"


def gpu_generation(job: Job) -> GpuGeneration:
    """Tell which GPUs *job* gets: by its options, the types of the profile's nodes, then by its text."""
    (generation,) = _answer(job)
    return generation


@asked_once
def _answer(job: Job) -> tuple[GpuGeneration]:
    return (_generation(job),)


def _generation(job: Job) -> GpuGeneration:
    steps = (option for step in job.plan.steps for option in step.options)
    values = [use.value or "" for use in job.request.uses if use.spec.long in _OPTIONS]
    values += [o.value.show() for o in steps if o.name in _OPTIONS and o.value is not None]
    by_options = _of(values)
    if by_options is not GpuGeneration.UNKNOWN:
        return by_options
    if job.cluster is not None:
        types = [name for node in job.cluster.node_types or () for name in node.gpu_types or {}]
        by_profile = _of(types)
        if by_profile is not GpuGeneration.UNKNOWN:
            return by_profile
    spoken_of = _BLACKWELL.search(job.source.text) is not None
    return GpuGeneration.MAYBE_BLACKWELL if spoken_of else GpuGeneration.UNKNOWN


def _of(texts: list[str]) -> GpuGeneration:
    new = any(_BLACKWELL.search(text) for text in texts)
    old = any(_BEFORE.search(text) for text in texts)
    if new and old:
        return GpuGeneration.MAYBE_BLACKWELL
    if new:
        return GpuGeneration.BLACKWELL
    return GpuGeneration.BEFORE_BLACKWELL if old else GpuGeneration.UNKNOWN
