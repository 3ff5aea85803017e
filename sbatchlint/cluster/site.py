"""Parts of the cluster profile that speak of the site: settings, plugins, file systems, containers."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from sbatchlint.cluster.base import Amount, Model, Most, Text, Upper


class Settings(Model):
    """Settings of ``slurm.conf`` that change what becomes of a job.  None: not known."""

    enforce_part_limits: Annotated[Literal["ALL", "ANY", "NO"], Upper] | None = None
    max_array_size: Amount | None = None
    """One more than the greatest index of an array."""
    max_tasks_per_node: Amount | None = None
    default_memory_per_cpu_mib: Most = None
    default_memory_per_node_mib: Most = None
    max_memory_per_cpu_mib: Most = None
    max_memory_per_node_mib: Most = None
    select_type: Text | None = None
    select_type_parameters: tuple[Text, ...] | None = None
    job_file_append: bool | None = None
    """Whether a job that is started again appends to its output."""
    job_requeue: bool | None = None
    kill_on_bad_exit: bool | None = None
    wait_time_seconds: Amount | None = None
    """How long the other tasks of a step may run on after the first has ended; 0 is for ever."""
    mpi_default: Text | None = None
    task_plugin: tuple[Text, ...] | None = None
    job_submit_plugins: tuple[Text, ...] | None = None
    """Plugins that may change a job before it is looked at."""
    accounting: bool | None = None
    """Whether there is an accounting data base, which knows accounts and QOS."""
    accounting_enforce: tuple[Text, ...] | None = None
    gres_types: tuple[Text, ...] | None = None
    topology_plugin: Text | None = None
    private_tmp: bool | None = None
    """Whether each job has a ``/tmp`` and a ``/dev/shm`` of its own (``job_container/tmpfs``)."""


class Plugin(Model):
    """A plugin that adds options to the commands."""

    version: Text | None = None
    sbatch_support: bool | None = None
    """Whether sbatch and salloc take its options too, and not srun alone."""


class FileSystem(Model):
    """A file system that jobs use."""

    path: Text
    shared: bool | None = None
    """Whether all nodes see the same files."""
    purpose: Text | None = None
    """``home``, ``scratch``, ``data``..."""
    purged_after_days: Amount | None = None


class Mirrors(Model):
    """What compute nodes reach although they may have no way to the internet."""

    pypi: Text | None = None
    """The package index that pip and uv are set up for."""
    conda: Text | None = None
    docker: Text | None = None
    """The registry that images come from, or a cache in front of it."""
    huggingface: Text | None = None
    hosts: tuple[Text, ...] = ()
    """Other hosts by name: git servers, registries.  A leading dot means all below: ``.example.org``."""

    @property
    def host_names(self) -> tuple[str, ...]:
        """The names of all hosts that are reached, those of the mirrors among them."""
        mirrors = (self.pypi, self.conda, self.docker, self.huggingface)
        return (*self.hosts, *(_host(address) for address in mirrors if address is not None))


def _host(address: str) -> str:
    """The host of an address: of ``https://user@host:8080/path``, or of ``host/path``."""
    return re.split(r"[/:?#]", address.rpartition("://")[2])[0].rpartition("@")[2]


class Containers(Model):
    """How containers are run here."""

    runtime: Text | None = None
    """``pyxis``, ``apptainer``, ``singularity``, ``podman``..."""
    image_folder: Text | None = None
    mounts: tuple[Text, ...] = ()
    """What every job mounts: ``/data:/data``."""
    mounts_home: bool | None = None
    """Whether the home folder is mounted where the job does not say (``ENROOT_MOUNT_HOME``)."""
    container_scope: Literal["job", "global"] | None = None
    """Pyxis: whether the names of containers are kept apart by job, or outlive it."""
    image_cache: Text | None = None
    """Where images that were fetched are kept for all nodes, so that each is fetched once."""
