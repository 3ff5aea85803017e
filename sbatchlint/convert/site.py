"""What the command does not tell: the size of the job, the site's names, images and folders."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.convert.refusal import Note
from sbatchlint.records import dataclass

if TYPE_CHECKING:
    from sbatchlint.cluster.profile import Partition, Profile

BLANK = "CHANGE_ME"
"""What stands where a person has to fill something in; `sbatchlint` reports it until then."""
_MADE_SINCE = (23, 2)
"""The first release of Slurm that makes the folder of ``--output``."""
_PURPOSES = ("scratch", "work", "project", "data")


@dataclass(frozen=True, slots=True)
class Site:
    """Values for the script.  None, or nothing, where nobody has said."""

    nodes: int | None = None
    gpus_per_node: int | None = None
    time: str = BLANK
    account: str = BLANK
    """Empty for a cluster that has none."""
    partition: str = BLANK
    """Empty for the cluster's default."""
    qos: str = ""
    job_name: str = ""
    directives: tuple[str, ...] = ()
    """More options of sbatch, each as ``--name=value``."""
    image: str = ""
    """Empty for no container, unless the next two say otherwise."""
    container: bool = False
    """Whether a container is asked for, though nobody has said which."""
    pyxis: bool = False
    """Whether the cluster is known to run containers so."""
    image_folder: str = ""
    """Where the cluster has its images."""
    mounts: tuple[str, ...] = ()
    shared: str = ""
    """A folder that all nodes see, for caches and logs."""
    workdir: str = ""
    fresh: str = ""
    """The folder of an old run, which is moved aside."""
    makes_log_folder: bool = False
    """Whether the cluster's Slurm is known to make the folder of the log."""
    log_folder: str = ""

    @property
    def log(self) -> str:
        """The name of the job's log."""
        return f"{self.log_folder}/%x_%j.log" if self.log_folder else "%x_%j.log"


def with_profile(site: Site, profile: Profile | None) -> tuple[Site, tuple[Note, ...]]:
    """Return *site* with what *profile* says of the values that it lacks, and what was taken from there."""
    if profile is None:
        return site, ()
    notes: list[Note] = []
    name = profile.name or "the cluster profile"
    partition = _partition(site, profile)
    changes: dict[str, object] = {}
    if site.account == BLANK and profile.accounts is not None and len(profile.accounts) == 1:
        changes["account"] = profile.accounts[0]
        notes.append(Note(f"--account={profile.accounts[0]}", f"the only account of {name}"))
    if site.partition == BLANK and partition is not None:
        changes["partition"] = partition.name
        notes.append(Note(f"--partition={partition.name}", f"{_why(partition)} of {name}"))
    gpus = _gpus(partition, profile)
    if site.gpus_per_node is None and gpus is not None:
        changes["gpus_per_node"] = gpus
        notes.append(Note(f"--gpus-per-node={gpus}", f"the GPUs of a node of {name}"))
    if not site.shared:
        folder = _shared_folder(profile)
        if folder:
            changes["shared"] = folder
            notes.append(Note(f"--shared={folder}", f"a file system that all nodes of {name} share"))
    if profile.containers.runtime == "pyxis":
        changes["pyxis"] = True
        changes["image_folder"] = profile.containers.image_folder or ""
    release = profile.series
    changes["makes_log_folder"] = release is not None and release >= _MADE_SINCE
    return replace(site, **changes), tuple(notes)  # type: ignore[arg-type]


def _partition(site: Site, profile: Profile) -> Partition | None:
    """The named partition; else the default one, unless only others have GPUs; else their only one."""
    if site.partition not in (BLANK, ""):
        return profile.partition(site.partition)
    with_gpus = [one for one in profile.partitions or () if _gpus(one, profile)]
    default = profile.default_partition
    if default is not None and (not with_gpus or default in with_gpus):
        return default
    return with_gpus[0] if len(with_gpus) == 1 else None


def _why(partition: Partition) -> str:
    return "the default partition" if partition.default else "the only partition with GPUs"


def _gpus(partition: Partition | None, profile: Profile) -> int | None:
    """GPUs of each node; None where they are not known or differ."""
    kinds = profile.node_types or ()
    if partition is not None and partition.host_names is not None:
        kinds = tuple(one for one in kinds if one.host_names and one.host_names & partition.host_names)
    elif partition is not None and partition.node_types is not None:
        kinds = tuple(one for one in kinds if one.name in partition.node_types)
    counts = {one.gpu_count for one in kinds if one.gpu_count}
    return counts.pop() if len(counts) == 1 else None


def _shared_folder(profile: Profile) -> str:
    shared = [one for one in profile.file_systems if one.shared]
    for purpose in _PURPOSES:
        found = [one.path for one in shared if one.purpose == purpose]
        if len(found) == 1:
            return found[0]
    return shared[0].path if len(shared) == 1 and shared[0].purpose != "home" else ""
