"""The cluster profile: what a cluster offers, as a small TOML file says it.

Every value may be left out.  What is left out is not known, and what is not known is never held
against a job.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

from pydantic import field_validator, model_validator

from sbatchlint.cluster.base import Amount, Minutes, Model, Most, Text, Upper
from sbatchlint.cluster.hosts import expand_hosts
from sbatchlint.cluster.site import Containers, FileSystem, Mirrors, Plugin, Settings
from sbatchlint.slurm.options import KNOWN_RELEASES, Release, parse_release

PartitionState = Annotated[Literal["UP", "DOWN", "DRAIN", "INACTIVE"], Upper]
OVERRIDING_FLAGS = frozenset({"PartitionTimeLimit", "PartitionMaxNodes", "PartitionMinNodes"})
"""Flags of a QOS that set limits of the partition aside."""


class NodeType(Model):
    """Nodes that are alike.  All numbers are for one node, and only what jobs can have of it."""

    name: Text | None = None
    hosts: Text | None = None
    """Host list."""
    count: Amount | None = None
    """How many there are; not needed where ``hosts`` is given."""
    cpus: Amount | None = None
    """CPUs as Slurm counts them: hardware threads, unless the cluster is set up to give cores."""
    sockets: Amount | None = None
    cores_per_socket: Amount | None = None
    threads_per_core: Amount | None = None
    memory_mib: Amount | None = None
    tmp_disk_mib: Amount | None = None
    features: tuple[Text, ...] | None = None
    gpus: dict[str, Amount] | Amount | None = None
    """GPUs by type (``{ h100 = 8 }``), or one number where Slurm gives them no type."""
    gres: dict[str, Amount] | None = None
    """Other generic resources by name."""

    @field_validator("hosts")
    @classmethod
    def _readable(cls, value: str | None) -> str | None:
        return _host_list(value)

    @cached_property
    def host_names(self) -> frozenset[str] | None:
        """The names of the nodes; None where they are not known."""
        return None if self.hosts is None else frozenset(expand_hosts(self.hosts) or ())

    @cached_property
    def number(self) -> int | None:
        """How many nodes there are; None where that is not known."""
        return self.count if self.host_names is None else len(self.host_names)

    @cached_property
    def gpu_types(self) -> dict[str, int] | None:
        """GPUs by type, ``""`` for those without one; None where they are not known."""
        if isinstance(self.gpus, int):
            return {"": self.gpus} if self.gpus else {}
        return self.gpus

    @property
    def gpu_count(self) -> int | None:
        """All GPUs of one node; None where they are not known."""
        return None if self.gpu_types is None else sum(self.gpu_types.values())


class Partition(Model):
    """One partition."""

    name: Text
    nodes: Text | None = None
    """Host list; None where it is not known."""
    node_types: tuple[Text, ...] | None = None
    """Names of node types, for a cluster whose host names are not written down."""
    default: bool = False
    state: PartitionState = "UP"
    max_time: Minutes = None
    default_time: Minutes = None
    min_nodes: Amount | None = None
    max_nodes: Most = None
    max_cpus_per_node: Most = None
    max_memory_per_node_mib: Most = None
    max_memory_per_cpu_mib: Most = None
    default_memory_per_node_mib: Most = None
    default_memory_per_cpu_mib: Most = None
    over_subscribe: Annotated[str, Upper] | None = None
    """``NO``, ``EXCLUSIVE`` (whole nodes only), ``YES:4`` or ``FORCE:4``."""
    allow_accounts: tuple[Text, ...] | None = None
    deny_accounts: tuple[Text, ...] | None = None
    allow_qos: tuple[Text, ...] | None = None
    deny_qos: tuple[Text, ...] | None = None
    qos: Text | None = None
    """The QOS of the partition itself, whose limits hold for all its jobs."""
    requires_reservation: bool = False
    root_only: bool = False

    @field_validator("nodes")
    @classmethod
    def _readable(cls, value: str | None) -> str | None:
        return _host_list(value)

    @cached_property
    def host_names(self) -> frozenset[str] | None:
        """The names of the nodes; None where they are not known."""
        return None if self.nodes is None else frozenset(expand_hosts(self.nodes) or ())


class Qos(Model):
    """One quality of service, with the limits that hold for a single job."""

    name: Text
    max_time: Minutes = None
    max_nodes: Most = None
    max_cpus: Most = None
    max_gpus: Most = None
    flags: tuple[Text, ...] = ()

    @property
    def overrides_partition(self) -> bool:
        """Whether it may set limits of the partition aside."""
        return bool(OVERRIDING_FLAGS & set(self.flags))


class Profile(Model):
    """What is known of one cluster."""

    name: Text | None = None
    release: Text | None = None
    """Slurm's release: ``24.05``."""
    known_options: tuple[Text, ...] = ()
    """Options that plugins of the site add: ``--foo=`` takes a value, ``--bar`` takes none."""
    accounts: tuple[Text, ...] | None = None
    licenses: dict[str, Amount] | None = None
    compute_internet: bool | None = None
    """Whether compute nodes have a way to the internet, if only by a proxy."""
    mirrors: Mirrors = Mirrors()
    settings: Settings = Settings()
    containers: Containers = Containers()
    plugins: dict[str, Plugin] | None = None
    file_systems: tuple[FileSystem, ...] = ()
    partitions: tuple[Partition, ...] | None = None
    node_types: tuple[NodeType, ...] | None = None
    qos: tuple[Qos, ...] | None = None

    @field_validator("release")
    @classmethod
    def _a_release(cls, value: str | None) -> str | None:
        try:
            parse_release(value)
        except ValueError:
            raise ValueError('not a release of Slurm; write it as "24.05"') from None
        return value

    @field_validator("known_options")
    @classmethod
    def _with_dashes(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for option in value:
            if not option.startswith("--") or not option.strip("-="):
                raise ValueError(f'{option!r} is no option; write "--foo=" or "--bar"')
        return value

    @model_validator(mode="after")
    def _one_default(self) -> Profile:
        defaults = [partition.name for partition in self.partitions or () if partition.default]
        if len(defaults) > 1:
            raise ValueError(f"only one partition can be the default one, not {' and '.join(defaults)}")
        return self

    @cached_property
    def series(self) -> Release | None:
        """The release series, the newest known one for a newer release; None where it is not known."""
        release = parse_release(self.release)
        return None if release is None else min(release, KNOWN_RELEASES[-1])

    @cached_property
    def default_partition(self) -> Partition | None:
        """The partition of a job that names none."""
        return next((partition for partition in self.partitions or () if partition.default), None)

    def partition(self, name: str) -> Partition | None:
        """Return the partition of this name."""
        return next((partition for partition in self.partitions or () if partition.name == name), None)

    def node_types_named(self, name: str) -> NodeType | None:
        """Return the node type of this name."""
        return next((kind for kind in self.node_types or () if kind.name == name), None)

    def named_qos(self, name: str) -> Qos | None:
        """Return the QOS of this name."""
        return next((qos for qos in self.qos or () if qos.name == name), None)


def _host_list(value: str | None) -> str | None:
    if value is not None and expand_hosts(value) is None:
        raise ValueError('not a host list; write it as Slurm does: "gpu[01-16],login1"')
    return value
