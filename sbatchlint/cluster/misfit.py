"""What keeps a job from running on a cluster."""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from sbatchlint.certainty import Certainty
from sbatchlint.records import dataclass
from sbatchlint.source import Span


class MisfitKind(Enum):
    """What the matter is."""

    # The cluster has no such thing.
    UNKNOWN_PARTITION = "unknown partition"
    UNKNOWN_NODE = "unknown node"
    UNKNOWN_FEATURE = "unknown feature"
    UNKNOWN_GRES = "unknown generic resource"
    UNKNOWN_LICENSE = "unknown licence"
    UNKNOWN_ACCOUNT = "unknown account"
    UNKNOWN_QOS = "unknown QOS"
    TOO_MANY_LICENSES = "too many licences"
    ARRAY_INDEX = "array index too large"
    QOS_LIMIT = "over a limit of the QOS"
    # The partition does not allow it.
    PARTITION_CLOSED = "partition takes no jobs"
    PARTITION_DOWN = "partition starts no jobs"
    RESERVATION_NEEDED = "partition for reservations only"
    TIME_LIMIT = "over the time limit"
    TOO_MANY_NODES = "more nodes than allowed"
    TOO_FEW_NODES = "fewer nodes than allowed"
    MEMORY_LIMIT = "over the memory limit"
    ACCOUNT_NOT_ALLOWED = "account not allowed"
    QOS_NOT_ALLOWED = "QOS not allowed"
    NODE_OUTSIDE_PARTITION = "node of another partition"
    # No nodes, or too few of them, can do it.
    NOT_ENOUGH_NODES = "not enough nodes"
    FEATURES = "no node with the features"
    GPU_TYPE = "no node with this type of GPU"
    GPUS_PER_NODE = "more GPUs than a node has"
    GRES_PER_NODE = "more of a resource than a node has"
    MEMORY_PER_NODE = "more memory than a node has"
    CPUS_PER_NODE = "more CPUs than a node has"
    TMP_DISK = "more disk than a node has"
    NODE_SHAPE = "no node built so"
    TASKS_PER_NODE = "more tasks than all nodes may run"
    TOTAL_CPUS = "more CPUs than all nodes have"
    TOTAL_GPUS = "more GPUs than all nodes have"
    TOTAL_MEMORY = "more memory than all nodes have"
    TOGETHER = "no node with all of it"


class Outcome(Enum):
    """What becomes of the job."""

    REFUSED = "refused"
    """sbatch says no."""
    WAITS = "waits for ever"
    """sbatch says yes, and the job never starts unless the cluster changes."""
    UNSURE = "refused, or waits for ever"
    """As EnforcePartLimits is, which the profile does not tell."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One thing in the way, in one partition or anywhere; a misfit is what comes of it for the job."""

    kind: MisfitKind
    asked: str
    """What the job asks for: ``3-00:00:00``, ``h200``, ``12 GPUs on a node``."""
    offered: str = ""
    """What there is instead: ``at most 2-00:00:00``; empty where there is nothing to say."""
    said: str = ""
    """Slurm's words where it refuses."""
    reason: str = ""
    """What squeue gives as the reason where the job waits."""
    options: tuple[str, ...] = ()
    """Long names without dashes, the guilty one first."""
    limit: bool = False
    """Whether it is a limit that EnforcePartLimits may let pass at submission."""
    waits: bool = False
    """Whether the job is accepted in any case."""
    certainty: Certainty = Certainty.KNOWN
    near: str = ""
    """The right name that is nearest to a wrong one."""
    choices: tuple[str, ...] = ()
    """What would do: names of partitions, types, features."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """One reason why the job can't run here."""

    kind: MisfitKind
    outcome: Outcome
    asked: str
    offered: str
    said: str
    """Slurm's words where it refuses, or would if EnforcePartLimits were another; empty where it has none."""
    reason: str
    """What squeue gives as the reason where the job waits; empty where it is refused."""
    partitions: tuple[str, ...]
    """The partitions where it is so, of those asked for; empty where the partition does not matter."""
    options: tuple[str, ...]
    """Long names without dashes, the guilty one first."""
    span: Span | None
    """The guilty option; None where it comes from the command line or where nothing was written."""
    related: tuple[Span, ...] = ()
    """The other options that take part."""
    certainty: Certainty = Certainty.KNOWN
    """ASSUMED where a default, a plugin or a QOS of the site may change the answer."""
    near: str = ""
    choices: tuple[str, ...] = field(default=())
    component: int = 0
