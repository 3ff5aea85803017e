"""From records of partitions to the partitions of the profile."""

from __future__ import annotations

from collections.abc import Iterable

from sbatchlint.cluster.hosts import compress_hosts, expand_hosts
from sbatchlint.cluster.node_types import Node, features_of, nodes_of
from sbatchlint.cluster.profile import Partition, PartitionState
from sbatchlint.cluster.records import Record, Records, listed, told
from sbatchlint.cluster.units import UNLIMITED, count, mebibytes, minutes

_STATES: dict[str, PartitionState] = {"UP": "UP", "DOWN": "DOWN", "DRAIN": "DRAIN", "INACTIVE": "INACTIVE"}


def partitions(records: Records) -> tuple[Partition, ...]:
    """Return the partitions in the order in which Slurm tells them."""
    nodes = nodes_of(records)
    sets = {record["nodeset"]: record for record in records.node_sets}
    return tuple(_partition(record, nodes, sets) for record in records.partitions)


def _partition(record: Record, nodes: list[Node], sets: dict[str, Record]) -> Partition:
    hosts = _hosts(record.get("nodes"), nodes, sets)
    return Partition(
        name=record["partitionname"],
        nodes=compress_hosts(hosts) if hosts else None,
        default=_yes(record, "default"),
        state=_STATES.get(record.get("state", "UP").upper(), "UP"),
        max_time=minutes(record.get("maxtime", UNLIMITED)),
        default_time=minutes(record.get("defaulttime", "")),
        min_nodes=_number(record, "minnodes"),
        max_nodes=count(record.get("maxnodes", UNLIMITED)),
        max_cpus_per_node=_number(record, "maxcpuspernode"),
        max_memory_per_node_mib=memory_limit(record, "maxmempernode"),
        max_memory_per_cpu_mib=memory_limit(record, "maxmempercpu"),
        default_memory_per_node_mib=memory_limit(record, "defmempernode"),
        default_memory_per_cpu_mib=memory_limit(record, "defmempercpu"),
        over_subscribe=told(record.get("oversubscribe", record.get("shared"))),
        allow_accounts=_some(record, "allowaccounts"),
        deny_accounts=_some(record, "denyaccounts"),
        allow_qos=_some(record, "allowqos"),
        deny_qos=_some(record, "denyqos"),
        qos=told(record.get("qos")),
        requires_reservation=_yes(record, "reqresv"),
        root_only=_yes(record, "rootonly"),
    )


def memory_limit(record: Record, key: str) -> int | None:
    """Return a limit or default of memory in MiB; None where there is none, for which Slurm also says 0."""
    value = mebibytes(record.get(key, ""))
    return value if value and value != UNLIMITED else None


def _yes(record: Record, key: str) -> bool:
    return record.get(key, "NO").upper() == "YES"


def _number(record: Record, key: str) -> int | None:
    value = count(record.get(key, ""))
    return value if value and value != UNLIMITED else None


def _some(record: Record, key: str) -> tuple[str, ...] | None:
    """Return a list of names; None where all are meant or nobody said."""
    names = listed(record.get(key))
    return None if names is None or [name.upper() for name in names] == ["ALL"] else names


def _hosts(text: str | None, nodes: list[Node], sets: dict[str, Record]) -> list[str]:
    """Return the hosts that a partition or a set names: host lists, names of sets, or ALL."""
    found: dict[str, None] = {}
    for name in _items(told(text) or ""):
        if name.upper() == "ALL":
            found.update(dict.fromkeys(node.host for node in nodes))
        elif name in sets:
            found.update(dict.fromkeys(_of_set(sets[name], nodes)))
        else:
            found.update(dict.fromkeys(expand_hosts(name) or ()))
    return list(found)


def _of_set(node_set: Record, nodes: list[Node]) -> Iterable[str]:
    yield from expand_hosts(node_set["nodes"]) or () if "nodes" in node_set else ()
    wanted = set(listed(node_set.get("feature")) or ())
    yield from (node.host for node in nodes if wanted & set(features_of(node.record)))


def _items(text: str) -> list[str]:
    """Cut at the commas outside of brackets."""
    items, depth = [""], 0
    for letter in text:
        depth += (letter == "[") - (letter == "]")
        if letter == "," and not depth:
            items.append("")
        else:
            items[-1] += letter
    return [item.strip() for item in items if item.strip()]
