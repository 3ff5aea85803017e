"""From the text of ``Gres=`` and the lines of ``gres.conf`` to numbers of GPUs and other resources."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from sbatchlint.cluster.hosts import expand_hosts
from sbatchlint.cluster.records import Record, told
from sbatchlint.cluster.units import gres_amount
from sbatchlint.records import dataclass
from sbatchlint.regex import regex

ANY_TYPE = "*"
"""Stands for GPUs whose type is not known: they may be of any."""
_NOTE = regex(r"\([^()]*\)")


@dataclass
class NodeGres:
    """The generic resources of one node."""

    gpus: dict[str, int] = field(default_factory=dict)
    """By type; :data:`ANY_TYPE` where Slurm was given none in the place that was read."""
    others: dict[str, int] = field(default_factory=dict)


def read_gres(text: str | None) -> NodeGres:
    """Read ``gpu:h100:8(S:0-1),nvme:2``; what cannot be read is left out."""
    found = NodeGres()
    for item in (told(_NOTE.sub("", text or "")) or "").split(","):
        name, *rest = [word for word in item.strip().split(":") if word.lower() != "no_consume"]
        amount = gres_amount(rest[-1]) if rest else None
        kinds = rest[:-1] if amount is not None else rest
        if not name:
            continue
        number = 1 if amount is None else amount
        if name == "gpu":
            kind = kinds[0] if kinds else ANY_TYPE
            found.gpus[kind] = found.gpus.get(kind, 0) + number
        else:
            found.others[name] = found.others.get(name, 0) + number
    return found


def with_types(gres: NodeGres, host: str, lines: Iterable[Record]) -> NodeGres:
    """Give GPUs without a type those that ``gres.conf`` tells of *host*, where the numbers agree."""
    if set(gres.gpus) != {ANY_TYPE}:
        return gres
    types: dict[str, int] = {}
    for line in lines:
        hosts = line.get("nodename")
        kind = told(line.get("type"))
        if line.get("name", "").lower() != "gpu" or kind is None:
            continue
        if hosts is None or host in (expand_hosts(hosts) or ()):
            types[kind] = types.get(kind, 0) + _number(line)
    if sum(types.values()) == gres.gpus[ANY_TYPE]:
        return NodeGres(types, gres.others)
    return gres


def _number(line: Record) -> int:
    """Return how many devices a line of ``gres.conf`` describes: its count, or its files."""
    counted = gres_amount(line.get("count", ""))
    if counted is not None:
        return counted
    files = line.get("file") or line.get("multiplefiles")
    if files is None:
        return 1
    # The name of a device is written like that of a host, but for its slashes.
    return len(expand_hosts(files.replace("/", "_")) or ("one",))
