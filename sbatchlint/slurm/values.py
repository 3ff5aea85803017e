"""The numbers that are in values: counts of nodes, tasks, GPUs and hosts.

Every reader gives None for text that Slurm would refuse, that releases read differently, or that cannot be
told without the cluster.  What is one number in every release is read as the newest does.
"""

from __future__ import annotations

import re

from sbatchlint.regex import regex
from sbatchlint.slurm.grammar.gres_items import GresRequest
from sbatchlint.slurm.grammar.hosts import HostList
from sbatchlint.slurm.grammar.node_counts import NodeCount
from sbatchlint.slurm.grammar.tres import TresRequest
from sbatchlint.slurm.option_values import agreed, read_value, readings
from sbatchlint.slurm.options import KNOWN_RELEASES

_PARTIAL_GPUS = frozenset({"mps", "shard"})
"""Names of GRES, besides those with "gpu" in them, that give a job a part of a GPU."""
_PLAIN_TYPE = regex(r"[A-Za-z0-9][\w.-]*", re.ASCII)
"""What a type of GPU looks like; other text is not known well enough to count with it."""


def positive_integer(text: str) -> int | None:
    """Read a count of tasks, CPUs and the like: decimal, above zero, ``+4`` and ``08`` allowed."""
    count = read_value("ntasks", text, KNOWN_RELEASES[-1])
    return count if isinstance(count, int) else None


def node_range(text: str) -> tuple[int, int] | None:
    """Read ``--nodes``: ``4``, ``2-4``, ``-4`` (1 to 4), ``1k``, and the lists of 23.02 (``2,4``, ``1-9:2``).

    Gives the least and the greatest count, at least 1; a list gives the least and greatest of its members.
    """
    count = read_value("nodes", text, KNOWN_RELEASES[-1])
    return (max(1, count.low), count.high) if isinstance(count, NodeCount) else None


def count_hosts(text: str) -> int | None:
    """Count the different hosts that ``--nodelist`` names; None for a file name or what cannot be read."""
    return agreed("nodelist", text, _hosts)


def _hosts(reading: object) -> int | None:
    return (reading.count() or None) if isinstance(reading, HostList) else None


def gpu_count(text: str) -> int | None:
    """Read ``--gpus`` and its like: ``8``, ``h100:8``, ``h100`` (one), or a comma list, summed.

    Zero is allowed.  ``gpu:8`` means eight of *type* gpu.
    """
    return agreed("gpus", text, _gpus) if text else None


def task_gpus(text: str) -> int | None:
    """Read ``--gpus-per-task``, which newer releases read in a way of its own."""
    return agreed("gpus-per-task", text, _gpus) if text else None


def gres_gpus(text: str) -> int | None:
    """Read how many GPUs on each node ``--gres`` asks for; 0 where it names none.

    ``gpu``, ``gpu:8``, ``gpu:h100`` (one), ``gpu:h100:8``, and whatever else some releases take.
    """
    return agreed("gres", text, _gpus)


def tres_gpus(text: str) -> int | None:
    """Read how many GPUs ``--tres-per-task`` asks for: ``gres/gpu=2``, ``cpu=4,gres/gpu:h100=1``."""
    return agreed("tres-per-task", text, _gpus)


def gres_names_gpu(text: str) -> bool:
    """Tell whether ``--gres`` asks for (a part of) a GPU, under whatever name the site gave it."""
    requests = [gres for reading in readings("gres", text) if (gres := gres_of(reading)) is not None]
    names = {item.name.lower() for gres in requests for item in gres.effective()}
    if not requests:  # refused by all releases, but the wish is there
        names = {text.lower()}
    return any("gpu" in name or name in _PARTIAL_GPUS for name in names)


def gres_of(reading: object) -> GresRequest | None:
    """Give the generic resources in the value of one of the options that ask for them."""
    if isinstance(reading, TresRequest):
        return reading.gres
    return reading if isinstance(reading, GresRequest) else None


def _gpus(reading: object) -> int | None:
    gres = gres_of(reading)
    if gres is None or not all(_PLAIN_TYPE.fullmatch(kind) for kind in gres.types()):
        return None
    return gres.count()
