"""The grammars of values that resource readings need.

Every reader gives None for text that Slurm would refuse or that cannot be told without the cluster.
Source: ``src/common/proc_args.c`` and the live Slurm.
"""

from __future__ import annotations

import re

_INTEGER = re.compile(r"\+?[0-9]{1,9}")
_NODES = re.compile(r"([0-9]{1,9})([kKmM]?)")
_NODE_SUFFIX = {"": 1, "k": 1024, "m": 1024 * 1024}
_PARTIAL_GPUS = frozenset({"mps", "shard"})
"""Names of GRES, besides those with "gpu" in them, that give a job a part of a GPU."""


def positive_integer(text: str) -> int | None:
    """Read a task, CPU or similar count: decimal, above zero, ``+4`` and ``08`` allowed."""
    if not _INTEGER.fullmatch(text):
        return None
    return int(text) or None


def node_range(text: str) -> tuple[int, int] | None:
    """Read ``--nodes``: ``4``, ``2-4``, ``-4`` (1 to 4), ``1k``, and the lists of 23.02 (``2,4``, ``1-9:2``).

    Gives the least and the greatest count; a list gives the least and greatest of its members.
    """
    bounds = [_node_item(item) for item in text.split(",")]
    known = [bound for bound in bounds if bound is not None]
    if len(known) < len(bounds):
        return None
    low, high = min(bound[0] for bound in known), max(bound[1] for bound in known)
    return (low, high) if 0 < low <= high else None


def _node_item(text: str) -> tuple[int, int] | None:
    span, colon, step = text.partition(":")
    if colon and positive_integer(step) is None:
        return None
    low_text, dash, high_text = span.partition("-")
    if not dash:
        count = _node_number(low_text)
        return None if count is None else (count, count)
    low = _node_number(low_text) if low_text else 1
    high = _node_number(high_text)
    return None if low is None or high is None else (low, high)


def _node_number(text: str) -> int | None:
    match = _NODES.fullmatch(text)
    return int(match[1]) * _NODE_SUFFIX[match[2].lower()] if match else None


def gpu_count(text: str) -> int | None:
    """Read ``--gpus`` and its like: ``8``, ``h100:8``, ``h100`` (one), or a comma list, summed.

    Zero is allowed.  ``gpu:8`` means eight of *type* gpu.
    """
    total = 0
    for item in text.split(","):
        kind, colon, number = item.rpartition(":")
        if not item or (colon and not kind):
            return None
        if number.isascii() and number.isdigit():
            total += int(number)
        elif colon or not re.fullmatch(r"[A-Za-z][\w.-]*", item):
            return None
        else:
            total += 1
    return total


def gres_gpus(text: str) -> int | None:
    """Read how many GPUs on each node ``--gres`` asks for; 0 where it names none.

    ``gpu``, ``gpu:8``, ``gpu:h100`` (one), ``gpu:h100:8``; ``=`` for ``:`` and a ``gres:`` or
    ``gres/`` in front as some releases take.
    """
    total = 0
    for item in text.split(","):
        name, _, rest = _gres_item(item).partition(":")
        if name != "gpu":
            continue
        if not rest:
            total += 1
            continue
        count = gpu_count(rest)
        if count is None:
            return None
        total += count
    return total


def gres_names_gpu(text: str) -> bool:
    """Tell whether ``--gres`` asks for (a part of) a GPU, under whatever name the site gave it."""
    for item in text.split(","):
        name, _, rest = _gres_item(item).lower().partition(":")
        zero = rest.rpartition(":")[2] == "0"
        if ("gpu" in name or name in _PARTIAL_GPUS) and not zero:
            return True
    return False


def _gres_item(text: str) -> str:
    return re.sub(r"^gres[:/]", "", text.strip()).replace("=", ":")


def tres_gpus(text: str) -> int | None:
    """Read how many GPUs ``--tres-per-task`` asks for: ``gres/gpu=2``, ``cpu=4,gres/gpu:h100=1``."""
    items = [item for item in text.split(",") if item.startswith(("gres/", "gres:"))]
    return gres_gpus(",".join(items)) if items else 0
